#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// The spectrum as a landscape of densities E(f, θ), [frequencies + 2][directions + 2]: each row stands between its cyclic neighbours,
/// and all between two rows that are lower than any bin.
class Landscape {
public:
    Landscape(const SpectralGrid& grid, const Real* action)
        : frequencies(grid.frequencies),
          directions(grid.directions),
          pitch(grid.directions + 2),
          height_(static_cast<std::size_t>((grid.frequencies + 2) * pitch), Real(-1)) {
        for (int i = 0; i < frequencies; ++i) {
            const Real sigma = static_cast<Real>(grid.sigma[static_cast<std::size_t>(i)]);
            const Real* const from = action + grid.index(i, 0);
            Real* const to = height_.data() + place(i, 0);
            Real most = highest_;
#pragma omp simd reduction(max : most)
            for (int j = 0; j < directions; ++j) {
                to[j] = sigma * from[j];
                most = std::max(most, to[j]);
            }
            highest_ = most;
            close(height_, i);
        }
    }

    std::size_t place(int frequency, int direction) const {
        return static_cast<std::size_t>((frequency + 1) * pitch + direction + 1);
    }
    const Real* heights(int frequency) const {
        return height_.data() + place(frequency, 0);
    }
    Real height(int bin) const {
        return height_[place(bin / directions, bin % directions)];
    }
    Real highest() const {
        return highest_;
    }

    /// The first of bins alike in height is the higher: so an ascent never goes in a circle.
    bool higher(int one, int other) const {
        return height(one) > height(other) || (height(one) == height(other) && one < other);
    }

    /// Sets what stands beside the row of a frequency.
    template <class Value>
    void close(std::vector<Value>& rows, int frequency) const {
        Value* const row = rows.data() + place(frequency, 0);
        row[-1] = row[directions - 1];
        row[directions] = row[0];
    }

    const int frequencies, directions, pitch;

private:
    std::vector<Real> height_;
    Real highest_ = 0;
};

/// Catchments of the peaks, and where they meet.
struct Catchments {
    struct Pass {
        std::int32_t one, other;  ///< catchments
        Real height;
    };
    /// Bins, ascending; of each bin, as the landscape has it, its catchment, -1 before the first row and after the last.
    std::vector<std::int32_t> peaks, of;
    std::vector<Pass> passes;  ///< between bins that touch
};

/// Each bin in the catchment of the peak that the steepest ascent over the eight bins around ends at.
Catchments find_catchments(const Landscape& land);

/// Joins catchments whose peak rises less than `prominence` above the highest pass with what that leads to, the lowest peak first:
/// returns which catchment each of them belongs to then.
std::vector<std::int32_t> join_low_peaks(const Landscape& land, const Catchments& found, double prominence);

}  // namespace groundswell::sea
