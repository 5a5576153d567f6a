#pragma once

#include <span>
#include <vector>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"
#include "groundswell/sea/spectrum/sums.hpp"

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

/// It in two steps, of which a device can take the first.
SpectrumMoments sum_spectrum(const SpectralGrid& grid, const Real* action);
SeaParameters sea_parameters(const SpectralGrid& grid, const SpectrumMoments& sums);

inline constexpr double sea_state_seconds = 1200.0;  ///< s, in which the highest wave is looked for

/// Height that the highest wave, crest to trough, of a sea that stays as it is for `sea_state_seconds` has on average, m; 0 in a calm:
///   √m0 √(2(1 + ψ*)) (h + γ/h), h = √(2 ln N), N = sea_state_seconds/Tm02 waves, γ = 0.5772,
/// −ψ* the lowest value within a peak period of the correlation ∫ E cos 2πfτ df / ∫ E df of the resolved frequencies (Boccotti 2000,
/// Wave Mechanics for Ocean Engineering; as in Barbariol et al. 2017, Ocean Dynamics 67, 535, at one place and to first order).
double highest_wave(const SpectralGrid& grid, const Real* action, const SeaParameters& sea);

/// It in two steps, of which a device can take the first: ∫ E dθ of each frequency, [frequencies], m² s, and what follows from that.
std::vector<double> frequency_spectrum(const SpectralGrid& grid, const Real* action);
double highest_wave(const SpectralGrid& grid, std::span<const double> density, const SeaParameters& sea);

}  // namespace groundswell::sea
