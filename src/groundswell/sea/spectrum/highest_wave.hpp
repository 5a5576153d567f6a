#pragma once

#include "groundswell/sea/spectrum/integrals.hpp"

namespace groundswell::sea {

inline constexpr double sea_state_seconds = 1200.0;  ///< s, in which the highest wave is looked for

/// Height that the highest wave, crest to trough, of a sea that stays as it is for `sea_state_seconds` has on average, m; 0 in a calm:
///   √m0 √(2(1 + ψ*)) (h + γ/h), h = √(2 ln N), N = sea_state_seconds/Tm02 waves, γ = 0.5772,
/// −ψ* the lowest value within a peak period of the correlation ∫ E cos 2πfτ df / ∫ E df of the resolved frequencies (Boccotti 2000,
/// Wave Mechanics for Ocean Engineering; as in Barbariol et al. 2017, Ocean Dynamics 67, 535, at one place and to first order).
double highest_wave(const SpectralGrid& grid, const Real* action, const SeaParameters& sea);

}  // namespace groundswell::sea
