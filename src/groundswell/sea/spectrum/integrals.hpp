#pragma once

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Integral parameters of a sea state. Directions are radians, the way waves travel TO, counter-clockwise from
/// east. Where the sea is calm (m0 < calm_variance) periods and directions mean nothing and `calm` is true.
struct SeaParameters {
    double m0 = 0.0;                  ///< m², variance ∫∫ E df dθ
    double significant_height = 0.0;  ///< m, 4√m0
    double mean_period_m01 = 0.0;     ///< s, m0/m1
    double mean_period_m02 = 0.0;     ///< s, √(m0/m2)
    double energy_period = 0.0;       ///< s, m₋₁/m0
    double peak_period =
        0.0;  ///< s, of the maximum of a parabola through the highest E(f) and its neighbours
    double mean_direction = 0.0;      ///< rad, of ∫∫ E (cos θ, sin θ)
    double peak_direction = 0.0;      ///< rad, mean direction in the frequency of the highest E(f)
    double directional_spread = 0.0;  ///< rad, √(2(1 − r)), Kuik et al. 1988
                                      ///< (doi:10.1175/1520-0485(1988)018<1020:AMFTRA>2.0.CO;2), eq. 34
    bool calm = true;
};

inline constexpr double calm_variance = 1e-8;  ///< m², a significant height of 0.4 mm

/// Integrals over one cell's action density (layout of SpectralGrid). Beyond the last frequency a tail E ~
/// f⁻⁵ is added to the moments m₋₁…m₂ (Hasselmann et al. 1973), as third-generation models do.
SeaParameters integrate_spectrum(const SpectralGrid& grid, const Real* action);

}  // namespace groundswell::sea
