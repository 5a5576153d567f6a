#pragma once

#include "groundswell/sea/source/lane_grid.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea {

/// Directions wrap around. A circular row keeps copies of its other end on both sides, so that a shift by up
/// to `margin` directions (a multiple of 16, see below; never more than the directions there are) is a plain
/// load at another address. `row` points at direction 0. Whole registers are copied, whatever the number of
/// directions. For a team, with `row` as by Team::at().
template <class Team>
constexpr void wrap_row(const Team& team, Real* row, int directions, int margin) {
    using Lane = typename Team::Lane;
    team.sync_row();
    for (int j = 0; j < margin; j += Team::width)
        lanes::store(row - margin + j, lanes::load<Lane>(row + directions - margin + j));
    for (int j = 0; j < margin; j += Team::width)
        lanes::store(row + directions + j, lanes::load<Lane>(row + j));
    team.sync_row();
}
inline void wrap_row(Real* row, int directions, int margin) {
    wrap_row(RegisterTeam{}, row, directions, margin);
}

/// Values from one circular row to the next: the margin on the left keeps rows on register boundaries.
constexpr int circular_margin(int reach) {
    return round_up(reach, lane_multiple);
}
constexpr int circular_pitch(int lanes, int reach) {
    return lanes + 2 * circular_margin(reach);
}

}  // namespace groundswell::sea
