#include "groundswell/sea/source/formulas/bulk_drag.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/air_sea.hpp"

namespace groundswell::sea {

double drag_of_wu(double wind_speed) {
    return 1e-3 * (0.8 + 0.065 * std::max(wind_speed, 7.5));
}

double drag_of_hwang(double wind_speed) {
    constexpr double highest = 50.33;  // m s⁻¹
    if (wind_speed >= highest) return std::pow(2.026 / wind_speed, 2);
    return 1e-4 * (8.058 + wind_speed * (0.967 - 0.016 * wind_speed));
}

void set_drag(double drag, SeaCell& sea, SourceState& state) {
    const double root = std::sqrt(drag);
    const double friction = std::max<double>(sea.wind_speed, AirSea::minimum_wind) * root;
    const double roughness = 10.0 * std::exp(-base::von_karman / root);
    state.friction_velocity = static_cast<Real>(friction);
    state.roughness = static_cast<Real>(roughness);
    state.charnock = static_cast<Real>(base::gravity * roughness / (friction * friction));
    sea.friction_velocity = state.friction_velocity;
}

}  // namespace groundswell::sea
