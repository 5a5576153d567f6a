#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/air_sea.hpp"
#include "groundswell/sea/source/source_term.hpp"

/// Friction velocity from the wind alone, for wind inputs whose waves do not roughen the sea.
namespace groundswell::sea {

/// Drag coefficient of Wu (1982, doi:10.1029/JC087iC12p09704): (0.8 + 0.065 U10)·10⁻³, U10 in m s⁻¹; 1.2875e-3 below 7.5 m s⁻¹,
/// where the WAMDI Group (1988) takes it as even (SWAN's technical documentation 41.51, eq. 2.35).
constexpr double drag_of_wu(double wind_speed) {
    return 1e-3 * (0.8 + 0.065 * std::max(wind_speed, 7.5));
}

/// Drag coefficient of Hwang (2011, doi:10.1175/2010JTECHO812.1; manual of WAVEWATCH III 7.14, eq. 2.156): (8.058 + 0.967 U10 -
/// 0.016 U10²)·10⁻⁴; beyond 50.33 m s⁻¹ the friction velocity stays at the 2.026 m s⁻¹ that it has there.
constexpr double drag_of_hwang(double wind_speed) {
    constexpr double highest = 50.33;  // m s⁻¹
    const double root = 2.026 / wind_speed;
    if (wind_speed >= highest) return root * root;
    return 1e-4 * (8.058 + wind_speed * (0.967 - 0.016 * wind_speed));
}

/// Sets u* = U √C, and the roughness length and Charnock coefficient of a logarithmic profile up to 10 m. Wind below 0.1 m s⁻¹ is
/// taken as this.
constexpr void set_drag(std::same_as<double> auto drag, SeaCell& sea, SourceState& state) {
    const double root = std::sqrt(drag);
    const double wind = std::max<double>(sea.wind_speed, double{AirSea::minimum_wind});
    const double friction = wind * root;
    const double roughness = 10.0 * exec::lanes::exp(-base::von_karman / root);
    state.friction_velocity = static_cast<Real>(friction);
    state.roughness = static_cast<Real>(roughness);
    state.charnock = static_cast<Real>(base::gravity * roughness / (friction * friction));
    sea.friction_velocity = state.friction_velocity;
}

}  // namespace groundswell::sea
