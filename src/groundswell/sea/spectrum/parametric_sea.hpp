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

/// The sea to start from where only the local wind is known.
struct FetchSea {
    double fetch = 30e3;                  ///< m
    double highest_peak_frequency = 0.3;  ///< Hz, of the peak
    double peak_enhancement = 3.0;        ///< γ of JONSWAP
};

/// JONSWAP variance density (m² s) at `frequency` Hz: α g² (2π)⁻⁴ fp⁻⁵ times jonswap_shape().
double jonswap(double frequency, double peak_frequency, double alpha, const FetchSea& sea);

/// Fills the action density of one cell, [f·directions + θ], with the JONSWAP spectrum that a wind of
/// `wind_speed` m s⁻¹ towards `wind_direction` (rad) raises over the fetch: ν = U fp/g = 2.84 (gF/U²)^-0.3 ≥
/// 0.13, α = max(0.033 ν^(2/3), 0.0081) (Hasselmann et al. 1976,
/// doi:10.1175/1520-0485(1976)006<0200:APWPM>2.0.CO;2), spread over directions as cos² within
/// 90° of the wind, its integral over the grid's directions exactly 1. No waves for no wind. The whole stride
/// of the block is written, padding 0.
void fill_wind_sea(const SpectralGrid& grid, const FetchSea& sea, double wind_speed, double wind_direction,
                   Real* action);

}  // namespace groundswell::sea
