#pragma once

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// The JONSWAP spectrum over frequency but for its factor (Hasselmann et al. 1973, eq. 2.4.1), with ν = f/fp:
/// ν⁻⁵ exp(-5/4 ν⁻⁴) γ^exp(-(ν-1)²/(2σ²)), σ = 0.07 below and 0.09 above the peak.
double jonswap_shape(double relative_frequency, double peak_enhancement);

/// A sea known by a few numbers: JONSWAP in frequency, cos²ˢ(½(θ − θ0)) in direction (Longuet-Higgins et al.
/// 1963), s from the spread √(2/(s+1)).
struct ParametricSea {
    double significant_height = 0.0;  ///< m
    double peak_period = 0.0;         ///< s
    double bearing = 0.0;             ///< degrees, coming from, clockwise from north
    double spread = 30.0;             ///< degrees, one-sided directional spread, (0, 81]
    double peak_enhancement = 3.3;    ///< γ
};

/// Fills one cell's action density, so scaled that integrate_spectrum(), with its f⁻⁵ tail beyond the last
/// frequency, gives the significant height times `height_factor`.
void fill_spectrum(const SpectralGrid& grid, const ParametricSea& sea, double height_factor, Real* action);

}  // namespace groundswell::sea
