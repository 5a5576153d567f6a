#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "groundswell/sea/source/cell_step.hpp"
#include "groundswell/sea/source/device/on_device.hpp"
#include "groundswell/sea/source/terms/formulas.hpp"

namespace groundswell::sea {

/// The source step of cells, one block for a cell, with all terms in the memory that the block's lanes share.
struct SourceStep {
    // Limits of CUDA that leave 128 registers for a lane.
    static constexpr int most_lanes = 128, blocks_at_once = 4;

    LaneTables grid;
    CellStep cell_step;
    TermFormulas terms;
    DeviceCells cells;
    std::span<std::int32_t> lowest_bad;  ///< [1] the lowest cell whose outcome was not sane
    std::int32_t first = 0;              ///< cell of the first block
    Real step = 0;                       ///< s

    constexpr void arrays(const auto& visit) const {
        tables(*this, visit);
        visit(cells.action);
        visit(cells.state);
        for (const auto* numbers : {&cells.wind_speed, &cells.wind_x, &cells.wind_y, &cells.depth,
                                    &cells.open, &cells.wave_number, &cells.group_speed})
            visit(*numbers);
        visit(lowest_bad);
    }
    /// Visits the spans that all cells share.
    static constexpr void tables(auto& self, const auto& visit) {
        LaneTables::arrays(self.grid, visit);
        TermFormulas::arrays(self.terms, visit);
    }

    /// Lanes of a block: whole rows, and such a number of them that none waits long for the others.
    int lanes(int most) const {
        constexpr int row = lanes::table_width;
        const int rows = std::max(1, std::min(most, most_lanes) / row);
        const int rounds = (grid.frequencies + rows - 1) / rows;
        return row * ((grid.frequencies + rounds - 1) / rounds);
    }
    std::size_t scratch_bytes() const {
        Counted of_lanes, of_registers;
        memory(BlockTeam<Counted>(of_lanes, grid.frequencies), of_lanes);
        memory(RegisterTeam{}, of_registers);
        return std::max(of_lanes.bytes, of_registers.bytes);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        if constexpr (std::is_same_v<Block, exec::Block>)
            if (block.lane_count() == 1) return integrate(RegisterTeam{}, block);
        integrate(BlockTeam<Block>(block, grid.frequencies), block);
    }

private:
    // Counts what a block takes.
    struct Counted {
        std::size_t bytes = 0;
        static int lane() { return 0; }
        template <class T>
        T* scratch(std::size_t n) {
            bytes = (bytes + alignof(T) - 1) / alignof(T) * alignof(T) + n * sizeof(T);
            return reinterpret_cast<T*>(this);  // nobody looks there
        }
    };

    // Conditions stand in scratch, too: a lane has too few registers for them.
    struct Memory : CellMemory {
        CellConditions* conditions;
    };
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

    template <class Team, class Block>
    constexpr void integrate(const Team& team, Block& block) const {
        const std::int32_t cell = first + block.index();
        const Real open = cells.open[cell];
        if (!(open > Real(0))) return;
        const Memory m = memory(team, block);
        // Padding.
        team.columns(grid.padded_bins(), [&](int bin) { m.energy[bin] = Real(0); });
        team.columns(grid.frequency_lanes, [&](int i) {
            m.wave_number[i] = m.group_speed[i] = Real(1);
            m.row_energy[i] = m.inverse_phase_speed[i] = m.sum.decay[i] = Real(0);
        });
        team.once([&] {
            *m.state = cells.state[cell];
            const std::int64_t waves = static_cast<std::int64_t>(cell) * cells.frequency_stride;
            *m.conditions = {cells.wind_speed[cell],
                             cells.wind_x[cell],
                             cells.wind_y[cell],
                             cells.depth[cell],
                             cells.wave_number.data() + waves,
                             cells.group_speed.data() + waves};
        });
        team.sync();
        Real* const action = cells.action.data() + cell * cells.stride;
        const bool sane = cell_step.integrate(team, grid, action, *m.conditions, open * step, m, [&] {
            terms.meet_air(team, grid, *m.sea, *m.state, m.work);
            terms.add(team, grid, *m.sea, m.sum, m.work);
        });
        team.once([&] {
            if (!sane || !(m.sea->variance < largest_variance)) Block::lower(lowest_bad[0], cell);
            cells.state[cell] = *m.state;
        });
    }
};

/// Form of a SourcePackage for devices: the numbers of a step without cells, and its function for the processor.
struct SourceForm {
    SourceStep step;
    exec::BlockFunction on_processor;
};

/// exec::Program::entry of SourceStep; null in a program that was built without CUDA.
const void* source_cuda_entry();

}  // namespace groundswell::sea
