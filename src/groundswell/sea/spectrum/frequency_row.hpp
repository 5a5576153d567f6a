#pragma once

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// ∫ E (1, cos θ, sin θ) dθ at one frequency, m² s.
struct FrequencyRow {
    double energy = 0.0, east = 0.0, north = 0.0;
};

inline FrequencyRow frequency_row(const SpectralGrid& grid, const Real* action, int frequency) {
    FrequencyRow row;
    for (int j = 0; j < grid.directions; ++j) {
        const auto n = static_cast<double>(action[grid.index(frequency, j)]);
        row.energy += n;
        row.east += n * grid.cosine[j];
        row.north += n * grid.sine[j];
    }
    const double factor = grid.sigma[frequency] * grid.direction_width;
    return {row.energy * factor, row.east * factor, row.north * factor};
}

}  // namespace groundswell::sea
