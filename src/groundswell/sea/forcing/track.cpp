#include "groundswell/sea/forcing/track.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
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

Track::Track(std::vector<StormFix> fixes, double ambient_pressure) : fixes_(std::move(fixes)) {
    GS_ASSERT(fixes_.size() >= 2);
    GS_ASSERT(fill(fixes_, &StormFix::max_wind));
    const bool isobar = fill(fixes_, &StormFix::ambient_pressure);
    const bool pressure = fill(fixes_, &StormFix::central_pressure);
    const bool radius = fill(fixes_, &StormFix::radius_max_wind);
    const bool gale = fill(fixes_, &StormFix::radius_gale);
    for (StormFix& fix : fixes_) {
        fix.ambient_pressure = isobar ? fix.ambient_pressure + 200.0 : ambient_pressure;
        if (!pressure)
            fix.central_pressure = 100.0 * (1010.0 - std::pow(fix.max_wind / base::knot / 6.7, 1.0 / 0.644));
        if (!radius)
            fix.radius_max_wind =
                46.4e3 * std::exp(-0.0155 * fix.max_wind + 0.0169 * std::abs(fix.latitude) / base::degree);
        if (!gale) fix.radius_gale = 0.0;
        places_.push_back(mesh::point_at(fix.longitude, fix.latitude));
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

StormState Track::at(base::Instant time) const {
    const auto later = std::upper_bound(fixes_.begin(), fixes_.end(), time,
                                        [](base::Instant t, const StormFix& fix) { return t < fix.time; });
    const auto index = static_cast<std::size_t>(later - fixes_.begin());
    if (index == 0 || index == fixes_.size()) {
        const std::size_t end = index == 0 ? 0 : index - 1;
        const double seconds = time.seconds_since(fixes_[end].time);
        const double speed = norm(velocities_[end]);
        StormState state{places_[end],
                         velocities_[end],
                         fixes_[end].max_wind,
                         fixes_[end].central_pressure,
                         fixes_[end].ambient_pressure,
                         fixes_[end].radius_max_wind,
                         fixes_[end].radius_gale};
        if (speed > 0.0) {
            const double angle = speed * seconds / base::earth_radius;
            state.centre = along(places_[end], velocities_[end], angle);
            const Vector3 ahead = along(places_[end], velocities_[end], angle + 0.5 * base::pi);
            state.velocity = speed * ahead;  // parallel transport along the great circle
        }
        return state;
    }
    const StormFix &a = fixes_[index - 1], &b = fixes_[index];
    const double w = time.seconds_since(a.time) / b.time.seconds_since(a.time);
    const auto mix = [w](double from, double to) { return from + w * (to - from); };
    const Vector3& start = places_[index - 1];
    const double angle = angle_between(start, places_[index]);
    const Vector3 tangent = places_[index] - dot(start, places_[index]) * start;
    Vector3 centre = start,
            velocity = velocities_[index - 1] + w * (velocities_[index] - velocities_[index - 1]);
    if (angle >= 1e-12) {
        // Along the leg and across it: these directions turn with the great circle, so both parts are linear.
        centre = along(start, tangent, w * angle);
        const Vector3 across = (1.0 / norm(tangent)) * cross(start, tangent);
        const auto ahead = [&](const Vector3& p) { return cross(across, p); };
        const Vector3 &from = velocities_[index - 1], &to = velocities_[index];
        velocity = mix(dot(from, ahead(start)), dot(to, ahead(places_[index]))) * ahead(centre) +
                   mix(dot(from, across), dot(to, across)) * across;
    }
    return {centre,
            velocity,
            mix(a.max_wind, b.max_wind),
            mix(a.central_pressure, b.central_pressure),
            mix(a.ambient_pressure, b.ambient_pressure),
            mix(a.radius_max_wind, b.radius_max_wind),
            mix(a.radius_gale, b.radius_gale)};
}

}  // namespace groundswell::sea
