#pragma once

#include "groundswell/sea/source/source_term.hpp"

/// Friction velocity from the wind alone, for wind inputs whose waves do not roughen the sea.
namespace groundswell::sea {

/// Drag coefficient of Wu (1982, doi:10.1029/JC087iC12p09704): (0.8 + 0.065 U10)·10⁻³, U10 in m s⁻¹; 1.2875e-3 below 7.5 m s⁻¹,
/// where the WAMDI Group (1988) takes it as even.
double drag_of_wu(double wind_speed);

/// Drag coefficient of Hwang (2011, doi:10.1175/2010JTECHO812.1): (8.058 + 0.967 U10 - 0.016 U10²)·10⁻⁴; beyond 50.33 m s⁻¹ the friction velocity
/// stays at the 2.026 m s⁻¹ that it has there.
double drag_of_hwang(double wind_speed);

/// Sets u* = U √C, and the roughness length and Charnock coefficient of a logarithmic profile up to 10 m. Wind below 0.1 m s⁻¹ is
/// taken as this.
void set_drag(double drag, SeaCell& sea, SourceState& state);

}  // namespace groundswell::sea
