#include "groundswell/sea/forcing/storm/vortex_profile.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

constexpr double euler = 2.71828182845904523536;
constexpr double least_shape = 0.8, greatest_shape = 2.5;
constexpr double least_decay = 0.75, greatest_decay = 1.25;  // powers of the radius, beyond the known winds

// L of the header, for b ln(r/R) = `way`: 0 at R, rising to both sides.
double depth(double way) {
    return std::max(std::expm1(-way) + way, 0.0);
}

}  // namespace

VortexWind::VortexWind(VortexProfile profile, const RoundStorm& storm, std::span<const WindAtRadius> known)
    : profile_(profile), storm_(storm), pressure_deficit_(storm.pressure_deficit) {
    GS_ASSERT(storm.max_wind > 0.0 && storm.radius_max_wind > 0.0 && storm.pressure_deficit > 0.0);
    if (profile == VortexProfile::holland1980) {
        // Gradient balance at R, where the cyclostrophic part is B Δp/(ρ e).
        const double gradient = storm.max_wind / surface_wind_ratio;
        const double needed = storm_air_density * euler * gradient *
                              (gradient + storm.coriolis * storm.radius_max_wind);  // B Δp
        shape_ = std::clamp(needed / storm.pressure_deficit, least_shape, greatest_shape);
        pressure_deficit_ = needed / shape_;
        return;
    }
    const double free = storm_air_density * euler * storm.max_wind * storm.max_wind / storm.pressure_deficit;
    shape_ = std::clamp(free, least_shape, greatest_shape);
    GS_ASSERT(known.size() < knots_.size());
    knots_[0] = {0.0, 0.0, 0.5};
    for (const WindAtRadius& wind : known) {
        Knot &before = knots_[knot_count_ - 1], &knot = knots_[knot_count_++];
        knot.at = depth(shape_ * std::log(wind.radius / storm.radius_max_wind));
        knot.value = std::log(storm.max_wind / wind.speed);
        GS_ASSERT(knot.at > before.at && knot.value > before.value);
        before.slope = (knot.value - before.value) / (knot.at - before.at);
        knot.slope = std::clamp(before.slope, least_decay / shape_, greatest_decay / shape_);
    }
}

double VortexWind::speed(double radius) const {
    return radius > 0.0 ? storm_.max_wind * relative(std::log(radius / storm_.radius_max_wind)) : 0.0;
}

double VortexWind::relative(double distance) const {
    return profile_ == VortexProfile::holland2010 ? holland2010(distance) : holland1980(distance);
}

double VortexWind::holland2010(double distance) const {
    const double at = depth(shape_ * distance);
    if (distance <= 0.0) return std::exp(-0.5 * at);
    std::size_t i = knot_count_ - 1;
    while (at < knots_[i].at) --i;
    return std::exp(-knots_[i].value - knots_[i].slope * (at - knots_[i].at));
}

double VortexWind::holland1980(double distance) const {
    const double power = std::exp(-shape_ * distance);
    const double cyclostrophic = shape_ * pressure_deficit_ * power * std::exp(-power) / storm_air_density;
    const double half_turn = 0.5 * storm_.coriolis * storm_.radius_max_wind * std::exp(distance);
    const double gradient = std::sqrt(cyclostrophic + half_turn * half_turn) - half_turn;
    return surface_wind_ratio * gradient / storm_.max_wind;
}

double inflow_angle(double ratio, double outer_angle) {
    if (ratio < 1.0) return 0.4 * outer_angle * ratio;
    return outer_angle * std::min(1.0, 0.4 + 3.0 * (ratio - 1.0));
}

}  // namespace groundswell::sea
