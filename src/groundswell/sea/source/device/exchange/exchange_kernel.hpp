#pragma once

#include <cstdint>
#include <span>

#include "groundswell/sea/source/device/block/cell_block.hpp"
#include "groundswell/sea/source/ocean_exchange.hpp"

namespace groundswell::sea {

/// OceanExchange of cells, for their shares of open water.
struct ExchangeStep : CellBlock {
    // Limits of CUDA that leave 128 registers for a lane.
    static constexpr int most_lanes = 128, blocks_at_once = 4;

    std::span<const Real> action;        ///< [cell][stride]
    std::span<const SourceState> state;  ///< [cell]
    Densities density;
    std::span<OceanExchange> exchanges;  ///< [cell]; 0 where no source acts

    constexpr void arrays(const auto& visit) const {
        CellBlock::arrays(visit);
        visit(action);
        visit(state);
        visit(exchanges);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t cell = first + block.index();
        block.lanes(1, [&](int) { exchanges[cell] = {}; });
        with_cell(block, state, [&](const auto& team, const Memory& m) {
            cell_step.load(team, grid, action.data() + cell * cells.stride, *m.conditions, step, m);
            terms.meet_air(team, grid, *m.sea, *m.state, m.work);
            OceanExchange found = find_exchange(team, grid, m, density, [&](auto partner) {
                terms.template add<decltype(partner)::value>(team, grid, *m.sea, m.sum, m.work);
            });
            found.scale(cells.open[cell]);
            team.once([&] { exchanges[cell] = found; });
        });
    }
};

/// exec::run_block of ExchangeStep, for the instructions that this kernel file was compiled for.
exec::BlockFunction exchange_on_processor();
/// exec::Program::entry of ExchangeStep; null in a program that was built without CUDA.
const void* exchange_cuda_entry();

}  // namespace groundswell::sea
