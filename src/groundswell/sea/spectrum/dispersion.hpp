#pragma once

/// Linear (Airy) dispersion: σ² = g k tanh(k d). SI units; σ and depth must be positive.
namespace groundswell::sea {

/// Wave number k (rad m⁻¹) of intrinsic angular frequency sigma (rad s⁻¹) in water of `depth` metres,
/// to rounding (Newton on the dispersion relation).
double wave_number(double sigma, double depth);

/// Group speed ∂σ/∂k = (σ/k)·½(1 + 2kd/sinh 2kd), m s⁻¹.
double group_speed(double sigma, double wave_number, double depth);

}  // namespace groundswell::sea
