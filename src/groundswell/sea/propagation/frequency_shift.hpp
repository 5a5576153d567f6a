#pragma once

#include <vector>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Shift of action in frequency at a prescribed rate, ∂N/∂t + ∂(c N)/∂f = 0 with c = (dσ/dt)/2π: what
/// changing water levels and currents do to waves. A function of one cell's spectrum.
///
/// Flux form between neighbouring frequencies, with a piecewise linear limited profile (van Leer 1977, J.
/// Comput. Phys. 23, 276–299) taken at half time: second order, conservative but for what leaves at both ends
/// (nothing enters there), positive up to longest_step().
class FrequencyShift {
public:
    explicit FrequencyShift(const SpectralGrid& grid);

    /// n_new = n_old shifted for dt seconds. n_new, n_old, rate: [frequencies][directions] as in a cell's
    /// block; rate: c at the bins, Hz s⁻¹, of either sign. n_new must not overlap n_old.
    void apply(Real* n_new, const Real* n_old, const Real* rate, double dt) const;

    /// Longest step (s) for which no bin can become negative; infinite where the rate is 0.
    double longest_step(const Real* rate) const;

private:
    int frequencies_, directions_;
    std::vector<double> side_;    ///< [frequencies + 1] Hz, limits of the bins
    std::vector<double> middle_;  ///< [frequencies] Hz
};

}  // namespace groundswell::sea
