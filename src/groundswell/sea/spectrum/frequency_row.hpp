#pragma once

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// ∫ E (1, cos θ, sin θ) dθ at one frequency, m² s.
struct FrequencyRow {
    double energy = 0.0, east = 0.0, north = 0.0;
};

inline FrequencyRow frequency_row(const SpectralGrid& grid, const Real* action, int frequency) {
    const Real* const row = action + grid.index(frequency, 0);
    const double *const cosine = grid.cosine.data(), *const sine = grid.sine.data();
    double energy = 0.0, east = 0.0, north = 0.0;
#pragma omp simd reduction(+ : energy, east, north)
    for (int j = 0; j < grid.directions; ++j) {
        const double n = static_cast<double>(row[j]);
        energy += n;
        east += n * cosine[j];
        north += n * sine[j];
    }
    const double factor = grid.sigma[frequency] * grid.direction_width;
    return {energy * factor, east * factor, north * factor};
}

}  // namespace groundswell::sea
