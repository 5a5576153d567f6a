#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/upwind/bin_flows.hpp"
#include "groundswell/sea/propagation/upwind/preparation.hpp"

namespace groundswell::sea {

/// The first-order scheme, one block for a cell, where n_new holds what MoreInflow has found. A lane has one direction, or four where they are a multiple of
/// that, and every `parts`-th frequency.
template <class Lane>
struct UpwindStep {
    static constexpr int values = sizeof(Lane) / sizeof(Real), most_lanes = 64, blocks_at_once = 10;

    DeviceTables t;
    std::span<const Real> n_old;
    std::span<Real> n_new;
    std::int32_t first;  ///< cell of the first block
    int parts;
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
        return sizeof(Lane) + sizeof(Real) * static_cast<std::size_t>(2 * slots * directions +
                                                                      (rows_of(slots) + 2) * frequencies);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t cell = first + block.index();
        const int n = t.grid.directions, frequencies = t.grid.frequencies, groups = n / values,
                  edges = t.mesh.edge_offset[cell + 1] - t.mesh.edge_offset[cell], slots = slots_of(edges);
        const auto numbers = [&](int size) {
            return std::span<Real>(block.template scratch<Real>(static_cast<std::size_t>(size)),
                                   static_cast<std::size_t>(size));
        };
        Workspace w{slots,
                    {t.mesh.neighbour.data() + t.mesh.edge_offset[cell], cell, edges},
                    block.template scratch<Lane>(static_cast<std::size_t>(2 * slots * groups)),
                    block.template scratch<Real>(static_cast<std::size_t>(rows_of(slots) * frequencies)),
                    numbers(frequencies),
                    numbers(frequencies)};
        block.lanes(frequencies,
                    [&](int f) { prepare_factors<Real, usual_edges>(t, w, cell, edges, f, dt); });
        block.lanes(n, [&](int d) {
            for (int slot = 0; slot < slots; ++slot) prepare_weights(w, cell, edges, slot, d);
        });
        block.sync();
        block.lanes(groups * parts, [&](int i) {
            const int part = i / groups;
            propagate_bins(w, cell, edges, part, (i - part * groups) * values);
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

    // As UpwindWorkspace, in the block's scratch. What a lane reads of it together stands side by side.
    struct Workspace {
        int slots;
        struct {
            const std::int32_t* neighbour;
            std::int32_t cell;
            int edges;
            constexpr std::int32_t operator[](int slot) const {
                return slot < edges && neighbour[slot] >= 0 ? neighbour[slot] : cell;
            }
        } beyond;
        Lane* weights;  ///< [directions / values][slot] what enters, what leaves
        Real* factors;  ///< [frequency][row]
        std::span<Real> step_x, step_y;

        constexpr Lane* weight(int group, int slot) const { return weights + 2 * (group * slots + slot); }
        constexpr Real* factor(int row, int f) const { return factors + f * rows_of(slots) + row; }
    };

    static constexpr int slots_of(int edges) { return edges > usual_edges ? edges : usual_edges; }
    static constexpr int rows_of(int slots) { return (UpwindRows::first_edge + 2 * slots + 3) / 4 * 4; }

    constexpr void prepare_weights(const Workspace& w, std::int32_t cell, int edges, int slot, int d) const {
        EdgeWeights<Real> weights{0, 0};
        if (slot < edges) {
            const std::int32_t edge = t.mesh.edge_offset[cell] + slot;
            weights = weights_of_edge<Real>(t, side_of_edge(t, edge, cell), d);
            weights.in = t.obstruct(edge, weights.in, d);
        }
        Real* const of_group = reinterpret_cast<Real*>(w.weight(d / values, slot)) + d % values;
        of_group[0] = weights.in;
        of_group[values] = weights.out;
    }

    // Bins of directions from `d` on and of frequencies part, part + parts, …
    constexpr void propagate_bins(const Workspace& w, std::int32_t cell, int edges, int part, int d) const {
        const int n = t.grid.directions, frequencies = t.grid.frequencies;
        std::int32_t beyond[usual_edges];
        bool enters[usual_edges];
        for (int slot = 0; slot < usual_edges; ++slot) {
            beyond[slot] = w.beyond[slot];
            enters[slot] = lanes::any_positive(*w.weight(d / values, slot));
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
            flows.turn(turning_sides<Lane>(t, d + f * weight_step), Lane(factors[UpwindRows::turn_x]),
                       Lane(factors[UpwindRows::turn_y]), lanes::below(bins, here[before]),
                       lanes::above(bins, here[after]));
            if (t.comes_more(cell)) flows.in = flows.in + lanes::load<Lane>(result);
            const auto cross = [&](int slot, std::int32_t from, bool takes) {
                const Real* const over = factors + UpwindRows::first_edge + 2 * slot;
                flows.leave(Lane(over[1]), weights[2 * slot + 1]);
                if (takes) flows.enter(Lane(over[0]), weights[2 * slot], lanes::load<Lane>(state(from)));
            };
            for (int slot = 0; slot < usual_edges; ++slot) cross(slot, beyond[slot], enters[slot]);
            for (int slot = usual_edges; slot < edges; ++slot) cross(slot, w.beyond[slot], true);
            lanes::store(result, flows.result(bins));
        }
    }
};

}  // namespace groundswell::sea
