#include "groundswell/sea/forcing/vortex_profile.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

constexpr double euler = 2.71828182845904523536;
constexpr double least_shape = 0.8, greatest_shape = 2.5;

}  // namespace

VortexWind::VortexWind(VortexProfile profile, const SymmetricStorm& storm)
    : profile_(profile), storm_(storm), pressure_deficit_(storm.pressure_deficit) {
    GS_ASSERT(storm.max_wind > 0.0 && storm.radius_max_wind > 0.0 && storm.pressure_deficit > 0.0);
    if (profile == VortexProfile::holland2010) {
        const double free =
            storm_air_density * euler * storm.max_wind * storm.max_wind / storm.pressure_deficit;
        shape_ = std::clamp(free, least_shape, greatest_shape);
        fit_outer_exponent();
    } else {
        // Gradient balance at R, where the cyclostrophic part is B Δp/(ρ e).
        const double gradient = storm.max_wind / surface_wind_ratio;
        const double needed = storm_air_density * euler * gradient *
                              (gradient + storm.coriolis * storm.radius_max_wind);  // B Δp
        shape_ = std::clamp(needed / storm.pressure_deficit, least_shape, greatest_shape);
        pressure_deficit_ = needed / shape_;
    }
}

void VortexWind::fit_outer_exponent() {
    const double ratio = storm_.radius_gale / storm_.radius_max_wind;
    if (!(ratio > 1.0)) return;
    // ln v = ln v_m − x L(r), L = (R/r)^b − 1 − ln (R/r)^b ≥ 0, and L' dr = b (1 − (R/r)^b) dr/r.
    const double power = std::pow(ratio, -shape_);
    const double depth = power - 1.0 - std::log(power);
    const double wanted = std::log(storm_.max_wind / storm_.gale_wind) / depth;
    // With x = 1/2 + (x_n − 1/2)(r − R)/(r_n − R), x L grows outward up to r_n if it does at r_n: radii in
    // units of R.
    const double secant = depth / (ratio - 1.0);
    const double slope = shape_ * (1.0 - power) / ratio;
    const double least = 0.5 * secant / (secant + slope);
    // A gale radius close to R says little about what is outside: the exponent is tied to 1/2 there.
    const double room = std::min(1.0, ratio - 1.0);
    outer_exponent_ = std::clamp(wanted, std::max(least, 0.5 - 0.5 * room), 0.5 + room);
}

double VortexWind::speed(double radius) const {
    if (radius <= 0.0) return 0.0;
    return profile_ == VortexProfile::holland2010 ? holland2010(radius) : holland1980(radius);
}

double VortexWind::holland2010(double radius) const {
    const double power = std::pow(storm_.radius_max_wind / radius, shape_);
    double exponent = 0.5;
    if (radius > storm_.radius_max_wind && storm_.radius_gale > storm_.radius_max_wind) {
        const double way = (radius - storm_.radius_max_wind) / (storm_.radius_gale - storm_.radius_max_wind);
        exponent = 0.5 + (outer_exponent_ - 0.5) * std::min(way, 1.0);
    }
    return storm_.max_wind * std::exp(exponent * (std::log(power) + 1.0 - power));
}

double VortexWind::holland1980(double radius) const {
    const double power = std::pow(storm_.radius_max_wind / radius, shape_);
    const double cyclostrophic = shape_ * pressure_deficit_ * power * std::exp(-power) / storm_air_density;
    const double half_turn = 0.5 * storm_.coriolis * radius;
    return surface_wind_ratio * (std::sqrt(cyclostrophic + half_turn * half_turn) - half_turn);
}

double inflow_angle(double radius, double radius_max_wind, double outer_angle) {
    const double ratio = radius / radius_max_wind;
    if (ratio < 1.0) return 0.4 * outer_angle * ratio;
    return outer_angle * std::min(1.0, 0.4 + 3.0 * (ratio - 1.0));
}

}  // namespace groundswell::sea
