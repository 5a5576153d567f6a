#include "groundswell/sea/forcing/storm/track.hpp"

#include <algorithm>
#include <limits>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

// Replaces NaN: linear in time between known values, constant beyond them. False if nothing is known.
bool fill(std::vector<StormFix>& fixes, double StormFix::*member) {
    std::vector<std::size_t> known;
    for (std::size_t i = 0; i < fixes.size(); ++i)
        if (!std::isnan(fixes[i].*member)) known.push_back(i);
    if (known.empty()) return false;
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        const auto next = std::lower_bound(known.begin(), known.end(), i);
        if (next != known.end() && *next == i) continue;
        if (next == known.begin() || next == known.end()) {
            fixes[i].*member = fixes[next == known.end() ? known.back() : known.front()].*member;
            continue;
        }
        const StormFix &a = fixes[*(next - 1)], &b = fixes[*next];
        const double w = fixes[i].time.seconds_since(a.time) / b.time.seconds_since(a.time);
        fixes[i].*member = a.*member + w * (b.*member - a.*member);
    }
    return true;
}

// As fill(), for the radii of one wind. Where a quadrant has that wind at one of two fixes only, it goes by
// the nearer one: a reach of nearly nothing would be inside the radius of maximum wind.
void fill_radii(std::vector<StormFix>& fixes, std::size_t wind) {
    std::vector<std::size_t> known;
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        if (fixes[i].max_wind < radius_winds[wind])
            fixes[i].radii[wind].fill(0.0);
        else if (!std::isnan(fixes[i].radii[wind][0]))
            known.push_back(i);
    }
    if (known.empty()) return;
    for (std::size_t i = 0; i < fixes.size(); ++i) {
        auto& radii = fixes[i].radii[wind];
        if (!std::isnan(radii[0])) continue;
        const auto next = std::lower_bound(known.begin(), known.end(), i);
        const StormFix& b = fixes[next == known.end() ? known.back() : *next];
        const StormFix& a = fixes[next == known.begin() ? known.front() : *(next - 1)];
        const double length = b.time.seconds_since(a.time);
        const double w = length > 0.0 ? fixes[i].time.seconds_since(a.time) / length : 0.0;
        for (std::size_t q = 0; q < radii.size(); ++q) {
            const double from = a.radii[wind][q], to = b.radii[wind][q];
            radii[q] = from > 0.0 && to > 0.0 ? from + w * (to - from) : (w < 0.5 ? from : to);
        }
    }
}

// Velocity at the start of a great circle from a to b (unit vectors), m s⁻¹.
Vector3 departure(const Vector3& a, const Vector3& b, double seconds) {
    const double angle = angle_between(a, b);
    if (angle < 1e-12) return {};
    const Vector3 tangent = b - dot(a, b) * a;
    return (base::earth_radius * angle / seconds / norm(tangent)) * tangent;
}

// Place reached from `from` along `tangent` (any length, not zero) after `angle` rad.
Vector3 along(const Vector3& from, const Vector3& tangent, double angle) {
    return std::cos(angle) * from + (std::sin(angle) / norm(tangent)) * tangent;
}

}  // namespace

WindRadii unknown_radii() {
    WindRadii radii;
    for (auto& quadrants : radii) quadrants.fill(std::numeric_limits<double>::quiet_NaN());
    return radii;
}

Track::Track(std::vector<StormFix> fixes, double ambient_pressure) : fixes_(std::move(fixes)) {
    GS_ASSERT(fixes_.size() >= 2);
    GS_ASSERT(fill(fixes_, &StormFix::max_wind));
    const bool isobar = fill(fixes_, &StormFix::ambient_pressure);
    const bool pressure = fill(fixes_, &StormFix::central_pressure);
    const bool radius = fill(fixes_, &StormFix::radius_max_wind);
    for (std::size_t wind = 0; wind < radius_winds.size(); ++wind) fill_radii(fixes_, wind);
    for (StormFix& fix : fixes_) {
        fix.ambient_pressure = isobar ? fix.ambient_pressure + 200.0 : ambient_pressure;
        if (!pressure)
            fix.central_pressure = 100.0 * (1010.0 - std::pow(fix.max_wind / base::knot / 6.7, 1.0 / 0.644));
        if (!radius)
            fix.radius_max_wind =
                46.4e3 * std::exp(-0.0155 * fix.max_wind + 0.0169 * std::abs(fix.latitude) / base::degree);
        places_.push_back(voronoi::point_at(fix.longitude, fix.latitude));
    }

    const std::size_t n = fixes_.size();
    for (std::size_t i = 0; i < n; ++i) {
        Vector3 sum;
        int legs = 0;
        if (i + 1 < n) {
            sum =
                sum + departure(places_[i], places_[i + 1], fixes_[i + 1].time.seconds_since(fixes_[i].time));
            ++legs;
        }
        if (i > 0) {  // arrival: the way back, turned round
            sum =
                sum - departure(places_[i], places_[i - 1], fixes_[i].time.seconds_since(fixes_[i - 1].time));
            ++legs;
        }
        velocities_.push_back((1.0 / legs) * sum);
    }
}

Track::Between Track::around(base::Instant time) const {
    const auto later = std::upper_bound(fixes_.begin(), fixes_.end(), time,
                                        [](base::Instant t, const StormFix& fix) { return t < fix.time; });
    const auto index = static_cast<std::size_t>(later - fixes_.begin());
    if (index == 0) return {0, 0, 0.0};
    if (index == fixes_.size()) return {index - 1, index - 1, 0.0};
    const StormFix &a = fixes_[index - 1], &b = fixes_[index];
    return {index - 1, index, time.seconds_since(a.time) / b.time.seconds_since(a.time)};
}

StormState Track::at(base::Instant time) const {
    const auto [earlier, later, w] = around(time);
    const StormFix &a = fixes_[earlier], &b = fixes_[later];
    const auto mix = [w = w](double from, double to) { return from + w * (to - from); };
    StormState state{places_[earlier],
                     velocities_[earlier] + w * (velocities_[later] - velocities_[earlier]),
                     mix(a.max_wind, b.max_wind),
                     mix(a.central_pressure, b.central_pressure),
                     mix(a.ambient_pressure, b.ambient_pressure),
                     mix(a.radius_max_wind, b.radius_max_wind)};
    const Vector3& start = places_[earlier];
    if (earlier == later) {  // an end of the track, or beyond it
        const double speed = norm(state.velocity);
        if (speed > 0.0) {
            const double angle = speed * time.seconds_since(a.time) / base::earth_radius;
            state.centre = along(start, velocities_[earlier], angle);
            const Vector3 ahead = along(start, velocities_[earlier], angle + 0.5 * base::pi);
            state.velocity = speed * ahead;  // parallel transport along the great circle
        }
        return state;
    }
    const double angle = angle_between(start, places_[later]);
    if (angle >= 1e-12) {
        // Along the leg and across it: these directions turn with the great circle, so both parts are linear.
        const Vector3 tangent = places_[later] - dot(start, places_[later]) * start;
        state.centre = along(start, tangent, w * angle);
        const Vector3 across = (1.0 / norm(tangent)) * cross(start, tangent);
        const auto ahead = [&](const Vector3& p) { return cross(across, p); };
        const Vector3 &from = velocities_[earlier], &to = velocities_[later];
        state.velocity = mix(dot(from, ahead(start)), dot(to, ahead(places_[later]))) * ahead(state.centre) +
                         mix(dot(from, across), dot(to, across)) * across;
    }
    return state;
}

}  // namespace groundswell::sea
