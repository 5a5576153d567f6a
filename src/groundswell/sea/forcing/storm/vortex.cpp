#include "groundswell/sea/forcing/storm/vortex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"

namespace groundswell::sea {

namespace {

constexpr double most_drift = 0.5;  // of the strongest wind

double mix(double from, double to, double share) {
    return from + share * (to - from);
}

// 1 up to `from`, 0 after `to`, with no corner.
double fading(double x, double from, double to) {
    const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return 1.0 - s * s * (3.0 - 2.0 * s);
}

// A vector tangent at p turned by an angle, anticlockwise seen from above.
Vector3 turned(const Vector3& vector, const Vector3& p, double angle) {
    return std::cos(angle) * vector + std::sin(angle) * cross(p, vector);
}

void check_options(std::string_view case_file, const VortexOptions& options) {
    const auto within = [&](const char* name, double value, double low, double high) {
        base::require(value >= low && value <= high, case_file, std::string("vortex.") + name,
                      fmt::format("{}", value), fmt::format("a number within {}…{}", low, high));
    };
    within("wind_factor", options.wind_factor, 0.1, 1.2);
    within("radii_factor", options.radii_factor, 0.5, 1.0);
    within("inflow_angle", options.inflow_angle, 0.0, 60.0);
    within("translation_fraction", options.translation_fraction, 0.0, 1.0);
    within("translation_turn", options.translation_turn, -90.0, 90.0);
    within("ambient_pressure", options.ambient_pressure, 950.0, 1050.0);
    within("blend_inner", options.blend_inner, 0.1, 20.0);
    base::require(options.blend_outer > options.blend_inner && options.blend_outer <= 50.0, case_file,
                  "vortex.blend_outer", fmt::format("{}", options.blend_outer),
                  fmt::format("a number above blend_inner = {}, at most 50", options.blend_inner));
}

}  // namespace

VortexAtTime::VortexAtTime(const VortexOptions& options, const StormState& state, const VortexShape& earlier,
                           const VortexShape& later, double share)
    : options_(options),
      state_(state),
      weights_{(1.0 - share) * earlier.round_strongest(), share * later.round_strongest()},
      outer_inflow_(options.inflow_angle * base::degree),
      rotation_(state.centre.z < 0.0 ? -1.0 : 1.0),
      east_(east_at(state.centre)),
      north_(north_at(state.centre)) {
    const double strongest = std::max(options.wind_factor * state.max_wind, least_storm_wind);
    drift_ = mix(earlier.motion_share(), later.motion_share(), share) *
             turned(state.velocity, state.centre, rotation_ * options.translation_turn * base::degree);
    if (const double length = norm(drift_); length > most_drift * strongest)
        drift_ = (most_drift * strongest / length) * drift_;
    // So that speeds are linear in time, where the strongest is.
    const double sum = weights_[0] + weights_[1];
    weights_ = {weights_[0] / sum, weights_[1] / sum};
    std::array<double, 4> strengths;
    for (std::size_t q = 0; q < 4; ++q) {
        const VortexShape::Quadrant &from = earlier.quadrant(q), &to = later.quadrant(q);
        const double size = mix(from.size, to.size, share);
        strengths[q] = weights_[0] * from.strength + weights_[1] * to.strength;
        quadrants_[q] = {
            std::log(mix(from.radius_max_wind, to.radius_max_wind, share)),
            std::log(size),
            {&from, &to},
            {std::log(from.size / from.radius_max_wind), std::log(to.size / to.radius_max_wind)}};
        outer_ = std::max(outer_, options.blend_outer * size);
    }
    round_strongest_ = strongest_round_wind(strongest, strengths, {dot(drift_, east_), dot(drift_, north_)},
                                            rotation_, outer_inflow_);
}

// The round wind over its maximum, in the middle of a quadrant. Both are logarithms of a radius over that of
// maximum wind: the place's, and the storm's size.
double VortexAtTime::relative_wind(const Quadrant& quadrant, double distance, double length) const {
    double wind = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        if (weights_[i] == 0.0) continue;
        const double there = distance > 0.0 ? distance / length * quadrant.length_at_fix[i] : distance;
        wind += weights_[i] * quadrant.at_fix[i]->strength * quadrant.at_fix[i]->wind.relative(there);
    }
    return wind;
}

VortexAtTime::Wind VortexAtTime::wind(const Vector3& at) const {
    const double radius = base::earth_radius * angle_between(state_.centre, at);
    if (radius >= outer_) return {0.0, 0.0, 0.0};
    const Vector3 around = cross(state_.centre, at);  // anticlockwise
    if (radius <= 0.0 || norm(around) == 0.0) return {0.0, 0.0, 1.0};

    const auto shares = quadrant_shares(std::atan2(dot(at, north_), dot(at, east_)));
    double log_radius_max_wind = 0.0, log_size = 0.0;
    for (std::size_t q = 0; q < 4; ++q) {
        log_radius_max_wind += shares[q] * quadrants_[q].log_radius_max_wind;
        log_size += shares[q] * quadrants_[q].log_size;
    }
    const double size = std::exp(log_size);
    const double weight = fading(radius, options_.blend_inner * size, options_.blend_outer * size);
    if (weight == 0.0) return {0.0, 0.0, 0.0};
    const double distance = std::log(radius) - log_radius_max_wind;
    double relative = 0.0;
    for (std::size_t q = 0; q < 4; ++q)
        if (shares[q] > 0.0)
            relative += shares[q] * relative_wind(quadrants_[q], distance, log_size - log_radius_max_wind);

    const double ratio = std::exp(distance);
    const Vector3 tangent = (rotation_ / norm(around)) * around;
    // Inward is to the left of an anticlockwise wind and to the right of a clockwise one.
    const Vector3 total =
        round_strongest_ * relative * turned(tangent, at, rotation_ * inflow_angle(ratio, outer_inflow_)) +
        motion_felt(ratio) * drift_;
    return {dot(total, east_at(at)), dot(total, north_at(at)), weight};
}

Vortex::Vortex(std::string_view case_file, const VortexOptions& options, std::span<const double> longitude,
               std::span<const double> latitude, base::Instant start, base::Instant end,
               bool over_another_wind)
    : options_(options), over_another_wind_(over_another_wind) {
    check_options(case_file, options);
    track_.emplace(read_track(options.tracks, options.choice), 100.0 * options.ambient_pressure);
    const bool covered = track_->first().seconds_since(start) <= held_seconds &&
                         end.seconds_since(track_->last()) <= held_seconds;
    base::require(
        covered || over_another_wind, options.tracks.front(), "time",
        fmt::format("{} … {}", base::format_instant(track_->first()), base::format_instant(track_->last())),
        fmt::format("fixes that cover the run, {} … {}, but for 6 hours at either end; or a wind below the "
                    "vortex",
                    base::format_instant(start), base::format_instant(end)));
    cells_.reserve(longitude.size());
    for (std::size_t i = 0; i < longitude.size(); ++i)
        cells_.push_back(voronoi::point_at(longitude[i], latitude[i]));
}

double Vortex::weight_in_time(base::Instant time) const {
    const double beyond = std::max(track_->first().seconds_since(time), time.seconds_since(track_->last()));
    double share = fading(beyond, held_seconds, held_seconds + fading_seconds);
    if (over_another_wind_) {
        const Track::Between between = track_->around(time);
        const auto tropical = [&](std::size_t fix) { return track_->fixes()[fix].is_tropical ? 1.0 : 0.0; };
        share *= mix(tropical(between.earlier), tropical(between.later), between.share);
    }
    return share;
}

// The shape of a fix, fitted if need be in place of the one that is not that of `other`.
const VortexShape& Vortex::shape(std::size_t fix, std::size_t other) {
    for (const auto& held : shapes_)
        if (held && held->fix == fix) return held->shape;
    auto& free = shapes_[0] && shapes_[0]->fix == other ? shapes_[1] : shapes_[0];
    const StormFix& of = track_->fixes()[fix];
    free.emplace(ShapeOfFix{fix, VortexShape(options_, track_->at(of.time), of.radii)});
    return free->shape;
}

void Vortex::apply(base::Instant time, ForcingValues values) {
    const std::span<double> eastward = values[0], northward = values[1];
    const double share = weight_in_time(time);
    if (share == 0.0) return;
    const StormState state = track_->at(time);
    const Track::Between between = track_->around(time);
    const VortexShape& earlier = shape(between.earlier, between.later);
    const VortexAtTime vortex(options_, state, earlier, shape(between.later, between.earlier), between.share);
    // A straight distance decides quickly that most cells are out of reach.
    const double reach = 2.0 * std::sin(0.5 * std::min(vortex.outer_radius() / base::earth_radius, base::pi));
    exec::for_each_cell(0, static_cast<std::int32_t>(cells_.size()), [&](std::int32_t cell) {
        const auto i = static_cast<std::size_t>(cell);
        if (norm(cells_[i] - state.centre) > reach) return;
        const VortexAtTime::Wind wind = vortex.wind(cells_[i]);
        const double weight = share * wind.weight;
        eastward[i] += weight * (wind.eastward - eastward[i]);
        northward[i] += weight * (wind.northward - northward[i]);
    });
}

}  // namespace groundswell::sea
