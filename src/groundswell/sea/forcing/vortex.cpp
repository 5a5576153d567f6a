#include "groundswell/sea/forcing/vortex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"

namespace groundswell::sea {

namespace {

constexpr double earth_rotation = 7.292115e-5;    // rad s⁻¹ (IERS conventions)
constexpr double least_pressure_deficit = 200.0;  // Pa: a track may put the centre at the ambient pressure
constexpr double least_wind = 1.0;                // m s⁻¹: a storm that has died still has a profile

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

VortexAtTime::VortexAtTime(const VortexOptions& options, const StormState& state)
    : state_(state), outer_inflow_(options.inflow_angle * base::degree) {
    rotation_ = state.centre.z < 0.0 ? -1.0 : 1.0;
    const double strongest = std::max(options.wind_factor * state.max_wind, least_wind);
    const double motion = options.translation_fraction * norm(state.velocity);
    const double added = std::min(motion, 0.4 * strongest);
    if (motion > 0.0)
        drift_ = (added / motion * options.translation_fraction) *
                 turned(state.velocity, state.centre, rotation_ * options.translation_turn * base::degree);
    storm_ = {strongest - added,
              state.radius_max_wind,
              std::max(state.ambient_pressure - state.central_pressure, least_pressure_deficit),
              state.radius_gale,
              options.wind_factor * 34.0 * base::knot,
              2.0 * earth_rotation * std::abs(state.centre.z)};
    round_.emplace(options.profile, storm_);

    // The size that blending is measured by: the gale radius, never less than three radii of maximum wind. A
    // track without gale radii leaves it to the profile.
    double gale = state.radius_gale;
    if (gale == 0.0 && storm_.max_wind > storm_.gale_wind) {
        double low = storm_.radius_max_wind, high = 100.0 * storm_.radius_max_wind;
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (low + high);
            (round_->speed(middle) > storm_.gale_wind ? low : high) = middle;
        }
        gale = low;
    }
    const double size = std::max(gale, 3.0 * storm_.radius_max_wind);
    inner_ = options.blend_inner * size;
    outer_ = options.blend_outer * size;
}

VortexAtTime::Wind VortexAtTime::wind(const Vector3& at) const {
    const double radius = base::earth_radius * angle_between(state_.centre, at);
    if (radius >= outer_) return {0.0, 0.0, 0.0};
    const double weight = fading(radius, inner_, outer_);
    const Vector3 around = cross(state_.centre, at);  // anticlockwise
    const double speed = round_->speed(radius);
    if (speed == 0.0 || norm(around) == 0.0) return {0.0, 0.0, weight};
    const Vector3 tangent = (rotation_ / norm(around)) * around;
    const double inflow = inflow_angle(radius, storm_.radius_max_wind, outer_inflow_);
    // Inward is to the left of an anticlockwise wind and to the right of a clockwise one.
    const Vector3 total =
        speed * turned(tangent, at, rotation_ * inflow) + (speed / storm_.max_wind) * drift_;
    return {dot(total, east_at(at)), dot(total, north_at(at)), weight};
}

Vortex::Vortex(std::string_view case_file, const VortexOptions& options, std::span<const double> longitude,
               std::span<const double> latitude, base::Instant start, base::Instant end,
               bool over_another_wind)
    : options_(options) {
    check_options(case_file, options);
    track_.emplace(read_track(options.track), 100.0 * options.ambient_pressure);
    const bool covered = track_->first().seconds_since(start) <= held_seconds &&
                         end.seconds_since(track_->last()) <= held_seconds;
    base::require(
        covered || over_another_wind, options.track, "time",
        fmt::format("{} … {}", base::format_instant(track_->first()), base::format_instant(track_->last())),
        fmt::format("fixes that cover the run, {} … {}, but for 6 hours at either end; or a wind below the "
                    "vortex",
                    base::format_instant(start), base::format_instant(end)));
    cells_.reserve(longitude.size());
    for (std::size_t i = 0; i < longitude.size(); ++i)
        cells_.push_back(mesh::point_at(longitude[i], latitude[i]));
}

double Vortex::weight_in_time(base::Instant time) const {
    const double beyond = std::max(track_->first().seconds_since(time), time.seconds_since(track_->last()));
    return fading(beyond, held_seconds, held_seconds + fading_seconds);
}

void Vortex::apply(base::Instant time, std::span<double> eastward, std::span<double> northward) {
    const double share = weight_in_time(time);
    if (share == 0.0) return;
    const StormState state = track_->at(time);
    const VortexAtTime vortex(options_, state);
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
