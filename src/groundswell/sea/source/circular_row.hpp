#pragma once

#include "groundswell/sea/source/lane_grid.hpp"

namespace groundswell::sea {

/// Directions wrap around. A circular row keeps copies of its other end on both sides, so that a shift by up to
/// `reach` directions is a plain load at another address. `row` points at direction 0.
inline void wrap_row(Real* row, int directions, int reach) {
    for (int j = 0; j < reach; ++j) {
        row[-1 - j] = row[directions - 1 - j];
        row[directions + j] = row[j];
    }
}

/// Values from one circular row to the next: the margin on the left keeps rows on register boundaries.
inline constexpr int circular_margin(int reach) { return round_up(reach, lane_multiple); }
inline constexpr int circular_pitch(int lanes, int reach) { return lanes + 2 * circular_margin(reach); }

}  // namespace groundswell::sea
