#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/upwind/preparation.hpp"

namespace groundswell::sea {

/// The first-order scheme, one block for a cell, where n_new holds what MoreInflow has found. A lane has one direction, or four where
/// they are a multiple of that, and every `parts`-th frequency.
template <class Lane>
struct UpwindStep {
    static constexpr int values = std::is_same_v<Lane, Real> ? 1 : lanes::Four::values;
    static constexpr int most_lanes = 64, blocks_at_once = 10;

    DeviceTables t;
    std::span<const Real> n_old;
    std::span<Real> n_new;
    std::int32_t first;  ///< cell of the first block
    int parts, most_edges;
    /// From the weights of a frequency to those of the next, which are the same: 0. The compiler does not know it, or it would keep them
    /// all in registers, of which there are not enough.
    int weight_step;
    Real dt;

    constexpr void arrays(const auto& visit) const {
        t.arrays(visit);
        visit(n_old);
        visit(n_new);
    }

    static constexpr std::size_t scratch_bytes(int most_edges, int directions, int frequencies) {
        const int slots = slots_of(most_edges);
        return sizeof(Real) * static_cast<std::size_t>((weights_of(slots) + 5) * directions +
                                                       (rows_of(slots) + slots + 2) * frequencies);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t cell = first + block.index();
        const int n = t.grid.directions, frequencies = t.grid.frequencies, groups = n / values,
                  edges = edges_of(cell), slots = slots_of(edges);
        const auto numbers = [&](int size) {
            return std::span<Real>(block.template scratch<Real>(static_cast<std::size_t>(size)),
                                   static_cast<std::size_t>(size));
        };
        Workspace w{slots,
                    block.template scratch<Lane>(static_cast<std::size_t>(weights_of(slots) * groups)),
                    block.template scratch<PaddedSides>(static_cast<std::size_t>(groups)),
                    block.template scratch<Real>(static_cast<std::size_t>(rows_of(slots) * frequencies)),
                    block.template scratch<Real>(static_cast<std::size_t>(slots * frequencies)),
                    numbers(frequencies),
                    numbers(frequencies)};
        block.lanes(slots * frequencies, [&](int i) {
            const int slot = i / frequencies;
            prepare_factors(w, cell, edges, slot, i - slot * frequencies);
        });
        block.lanes(slots * groups, [&](int i) {
            const int slot = i / groups;
            prepare_weights(w, cell, edges, slot, (i - slot * groups) * values);
        });
        block.lanes(groups, [&](int group) { w.sides[group].of = turning_sides<Lane>(t, group * values); });
        block.sync();
        block.lanes(frequencies, [&](int f) {
            TurningSteps<Real> steps;
            for (int slot = 0; slot < edges; ++slot)
                steps.add(t, t.mesh.edge_offset[cell] + slot, w.of_edge[slot * frequencies + f]);
            prepare_turning(t, w, cell, f, dt, t.ratios(cell)[f], steps);
        });
        block.sync();
        block.lanes(groups * parts, [&](int i) {
            const int part = i / groups;
            propagate_bins(w, cell, part, (i - part * groups) * values);
        });
        block.sync();
        block.lanes(frequencies, [&](int f) {
            if (t.turns_implicitly(cell, f, dt))
                turn_row(t, n_new.data() + cell * t.grid.stride() + f * n, t.ratios(cell)[f], w.step_x[f],
                         w.step_y[f]);
        });
    }

private:
    static constexpr int usual_edges = UpwindRows::usual_edges;

    // Cells beyond the edges of a cell; the cell itself where there is none.
    struct Beyond {
        const std::int32_t* neighbour;
        std::int32_t cell;
        int edges;
        constexpr std::int32_t operator[](int slot) const {
            return slot < edges && neighbour[slot] >= 0 ? neighbour[slot] : cell;
        }
    };
    constexpr int edges_of(std::int32_t cell) const {
        return t.mesh.edge_offset[cell + 1] - t.mesh.edge_offset[cell];
    }
    constexpr Beyond beyond_of(std::int32_t cell) const {
        return {t.mesh.neighbour.data() + t.mesh.edge_offset[cell], cell, edges_of(cell)};
    }

    struct PaddedSides {
        TurningSides<Lane> of;
        Lane padding;
    };
    // As UpwindWorkspace, in the block's scratch. What a lane reads of it together stands side by side. Neighbouring lanes read
    // places that are an odd number of Fours apart: a multiprocessor has its scratch in 32 banks of 4 bytes, and lanes that meet in one
    // wait for each other.
    struct Workspace {
        int slots;
        Lane* weights;  ///< [directions / values][weights_of(slots)] for each slot what enters, what leaves
        PaddedSides* sides;  ///< [directions / values]
        Real* factors;       ///< [frequency][row]
        Real* of_edge;       ///< [slot][frequency] factor_of_edge()
        std::span<Real> step_x, step_y;

        constexpr Lane* weight(int group, int slot) const {
            return weights + group * weights_of(slots) + 2 * slot;
        }
        constexpr Real* factor(int row, int f) const { return factors + f * rows_of(slots) + row; }
    };

    static constexpr int slots_of(int edges) { return edges > usual_edges ? edges : usual_edges; }
    static constexpr int weights_of(int slots) { return 2 * slots + 1; }
    static constexpr int rows_of(int slots) {
        const int fours = (UpwindRows::first_edge + 2 * slots + 3) / 4;
        return 4 * (fours % 2 == 0 ? fours + 1 : fours);
    }

    constexpr void prepare_factors(Workspace& w, std::int32_t cell, int edges, int slot, int f) const {
        const std::int32_t beyond = beyond_of(cell)[slot];
        const Real factor = slot < edges
                                ? factor_of_edge(t, t.mesh.edge_offset[cell] + slot, t.wave_numbers(cell)[f],
                                                 t.wave_numbers(beyond)[f], dt)
                                : Real(0);
        const int row = UpwindRows::first_edge + 2 * slot;
        *w.factor(row, f) = factor * t.ratios(beyond)[f];
        *w.factor(row + 1, f) = factor * t.ratios(cell)[f];
        w.of_edge[slot * t.grid.frequencies + f] = factor;
    }

    constexpr void prepare_weights(const Workspace& w, std::int32_t cell, int edges, int slot, int d) const {
        const std::int32_t edge = t.mesh.edge_offset[cell] + slot;
        EdgeWeights<Lane> weights{};
        if (slot < edges) weights = weights_of_edge<Lane>(t, side_of_edge(t, edge, cell), d);
        Lane* const of_group = w.weight(d / values, slot);
        of_group[0] = weights.in;
        of_group[1] = weights.out;
        if (slot >= edges || t.lets_all_in()) return;
        Real* const in = reinterpret_cast<Real*>(of_group);
        for (int i = 0; i < values; ++i) in[i] = t.obstruct(edge, in[i], d + i);
    }

    // Bins of directions from `d` on and of frequencies part, part + parts, …
    constexpr void propagate_bins(const Workspace& w, std::int32_t cell, int part, int d) const {
        const int n = t.grid.directions, frequencies = t.grid.frequencies;
        std::int32_t beyond[usual_edges];
        unsigned enters = 0;  // a bit for each
        for (int slot = 0; slot < usual_edges; ++slot) {
            beyond[slot] = beyond_of(cell)[slot];
            if (lanes::any_positive(*w.weight(d / values, slot))) enters |= 1U << slot;
        }
        const int before = d == 0 ? n - 1 : -1, after = d + values == n ? values - n : values;
        for (int f = part; f < frequencies; f += parts) {
            const auto state = [&](std::int32_t of) {
                return n_old.data() + (f * n + d) + static_cast<std::int64_t>(of) * t.grid.cell_stride;
            };
            const Real* const here = state(cell);
            Real* const result = n_new.data() + (f * n + d) + cell * t.grid.stride();
            const Real* const factors = w.factor(0, f);
            const Lane* const weights = w.weight(d / values + f * weight_step, 0);
            const Lane bins = lanes::load<Lane>(here);
            BinFlows<Lane> flows;
            flows.turn(w.sides[d / values + f * weight_step].of, Lane(factors[UpwindRows::turn_x]),
                       Lane(factors[UpwindRows::turn_y]), lanes::below(bins, here[before]),
                       lanes::above(bins, here[after]));
            if (t.comes_more(cell)) flows.in = flows.in + lanes::load<Lane>(result);
            const auto cross = [&](int slot, std::int32_t from, bool takes) {
                const Real* const over = factors + UpwindRows::first_edge + 2 * slot;
                flows.leave(Lane(over[1]), weights[2 * slot + 1]);
                if (takes) flows.enter(Lane(over[0]), weights[2 * slot], lanes::load<Lane>(state(from)));
            };
            for (int slot = 0; slot < usual_edges; ++slot)
                cross(slot, beyond[slot], (enters >> slot & 1U) != 0);
            if (most_edges > usual_edges)
                for (int slot = usual_edges; slot < edges_of(cell); ++slot)
                    cross(slot, beyond_of(cell)[slot], true);
            lanes::store(result, flows.result(bins));
        }
    }
};

/// exec::Program::entry of UpwindStep, of four directions a lane or one; null in a program that was built without CUDA.
const void* upwind_cuda_entry(bool four_directions);

}  // namespace groundswell::sea
