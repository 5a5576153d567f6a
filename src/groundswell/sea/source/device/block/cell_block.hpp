#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/source/cell_step.hpp"
#include "groundswell/sea/source/device/block/device_cells.hpp"
#include "groundswell/sea/source/ocean_exchange.hpp"
#include "groundswell/sea/source/terms/formulas.hpp"

namespace groundswell::sea {

/// A kernel of source terms without what it does: each block has a cell, for which all terms stand in the memory that its lanes share.
struct CellBlock {
    LaneTables grid;
    CellStep cell_step;
    TermFormulas terms;
    DeviceConditions cells{};
    std::int32_t first = 0;  ///< cell of the first block
    Real step = 0;           ///< s

    constexpr void arrays(const auto& visit) const {
        tables(*this, visit);
        cells.arrays(visit);
    }
    /// Visits the spans that all cells share.
    static constexpr void tables(auto& self, const auto& visit) {
        LaneTables::arrays(self.grid, visit);
        TermFormulas::arrays(self.terms, visit);
    }

    /// Lanes of a block, no more than `most`: whole rows, and such a number of them that none waits long for the others.
    int lanes(int most) const {
        constexpr int row = lanes::table_width;
        const int rows = std::max(1, most / row);
        const int rounds = (grid.frequencies + rows - 1) / rows;
        return row * ((grid.frequencies + rounds - 1) / rounds);
    }
    std::size_t scratch_bytes() const {
        exec::ScratchCount of_lanes(sea::lanes::table_width), of_registers(1);
        memory(BlockTeam<exec::ScratchCount>(of_lanes, grid.frequencies), of_lanes);
        memory(RegisterTeam{}, of_registers);
        return std::max(of_lanes.bytes(), of_registers.bytes());
    }

    // Conditions stand in scratch, too: a lane has too few registers for them.
    struct Memory : CellMemory {
        CellConditions* conditions;
    };
    /// Body(team, memory) for the cell of the block, where source terms act; its memory has its conditions and a copy of its state.
    template <class Block, class Body>
    constexpr void with_cell(Block& block, std::span<const SourceState> state, const Body& body) const {
        if constexpr (std::is_same_v<Block, exec::Block>)
            if (block.lane_count() == 1) return make_ready(RegisterTeam{}, block, state, body);
        make_ready(BlockTeam<Block>(block, grid.frequencies), block, state, body);
    }

private:
    template <class Team, class Block>
    constexpr Memory memory(const Team& /*team*/, Block& block) const {
        const auto bins = [&] {
            return block.template scratch<Real>(static_cast<std::size_t>(grid.padded_bins()));
        };
        const auto column = [&] {
            return block.template scratch<Real>(static_cast<std::size_t>(grid.frequency_lanes));
        };
        Memory m{};
        m.energy = bins();
        m.sum = {bins(), bins(), column()};
        m.row_energy = column();
        m.wave_number = column();
        m.group_speed = column();
        m.inverse_phase_speed = column();
        m.work = {column(), column(), column(), column(), bins(), nullptr, nullptr};
        m.whole =
            block.template scratch<Real>(static_cast<std::size_t>(round_up(grid.bins(), lane_multiple)));
        // Saturation is of the whitecapping alone, behind the rest of its scratch. The last register of a row may reach beyond it.
        const terms::WhitecappingFormula& whitecapping = terms;
        const int framed = round_up(whitecapping.template scratch_size<Team>(grid), lane_multiple);
        const int scratch = std::max(terms.template scratch_size<Team>(grid), framed + grid.padded_bins());
        m.work.scratch = block.template scratch<Real>(static_cast<std::size_t>(scratch + lane_multiple));
        m.work.saturation = m.work.scratch + framed;
        m.sea = block.template scratch<SeaCell>(1);
        m.state = block.template scratch<SourceState>(1);
        m.before = block.template scratch<SourceState>(1);
        m.conditions = block.template scratch<CellConditions>(1);
        return m;
    }

    template <class Team, class Block, class Body>
    constexpr void make_ready(const Team& team, Block& block, std::span<const SourceState> state,
                              const Body& body) const {
        const std::int32_t cell = first + block.index();
        if (!(cells.open[cell] > Real(0))) return;
        const Memory m = memory(team, block);
        // Padding.
        team.columns(grid.padded_bins(), [&](int bin) { m.energy[bin] = Real(0); });
        team.columns(grid.frequency_lanes, [&](int i) {
            m.wave_number[i] = m.group_speed[i] = Real(1);
            m.row_energy[i] = m.inverse_phase_speed[i] = m.sum.decay[i] = Real(0);
        });
        team.once([&] {
            *m.state = state[cell];
            *m.conditions = cells.of(cell);
        });
        team.sync();
        body(team, m);
    }
};

/// Form of a SourcePackage for devices: its numbers without cells, and functions for the processor.
struct SourceForm {
    CellBlock block;
    Densities density;
    exec::BlockFunction step, exchange;  ///< of SourceStep and ExchangeStep
};

}  // namespace groundswell::sea
