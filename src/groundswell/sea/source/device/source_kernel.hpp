#pragma once

#include <cstdint>
#include <span>

#include "groundswell/sea/source/device/block/cell_block.hpp"

namespace groundswell::sea {

/// The source step of cells.
struct SourceStep : CellBlock {
    // Limits of CUDA that leave 128 registers for a lane.
    static constexpr int most_lanes = 128, blocks_at_once = 4;

    std::span<Real> action;              ///< [cell][stride]
    std::span<SourceState> state;        ///< [cell]
    std::span<std::int32_t> lowest_bad;  ///< [1] the lowest cell whose outcome was not sane

    constexpr void arrays(const auto& visit) const {
        CellBlock::arrays(visit);
        visit(action);
        visit(state);
        visit(lowest_bad);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        with_cell(block, state, [&](const auto& team, const Memory& m) {
            const std::int32_t cell = first + block.index();
            Real* const bins = action.data() + cell * cells.stride;
            const Real seconds = cells.open[cell] * step;
            const bool sane = cell_step.integrate(team, grid, bins, *m.conditions, seconds, m, [&] {
                terms.meet_air(team, grid, *m.sea, *m.state, m.work);
                terms.add(team, grid, *m.sea, m.sum, m.work);
            });
            team.once([&] {
                if (!sane || !(m.sea->variance < largest_variance)) Block::lower(lowest_bad[0], cell);
                state[cell] = *m.state;
            });
        });
    }
};

/// exec::Program::entry of SourceStep; null in a program that was built without CUDA.
const void* source_cuda_entry();

}  // namespace groundswell::sea
