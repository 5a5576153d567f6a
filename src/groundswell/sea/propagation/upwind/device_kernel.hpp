#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/mesh/part.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/upwind/bins.hpp"
#include "groundswell/sea/propagation/upwind/preparation.hpp"

namespace groundswell::sea {

/// The part of PropagationTables that a device has, under the same names.
struct UpwindTables {
    struct Mesh {
        std::span<const std::int32_t> edge_offset, neighbour;
    } mesh;
    struct Grid {
        int directions, frequencies;
        std::int64_t cell_stride;
        constexpr int bins() const { return directions * frequencies; }
        constexpr std::int64_t stride() const { return cell_stride; }
    } grid;
    int frequency_stride;
    int coast_absorbs;  ///< 0 or 1
    Real largest_explicit_outflow;
    std::span<const Real> wave_number, ratio, outflow_rate;                        // [cell][frequency]
    std::span<const Real> rate, normal_x, normal_y;                                // [edge]
    std::span<const Real> cosine, sine;                                            // [direction]
    std::span<const Real> turn_upper_x, turn_upper_y, turn_lower_x, turn_lower_y;  // [direction]

    constexpr const Real* wave_numbers(std::int32_t cell) const { return row(wave_number, cell); }
    constexpr const Real* ratios(std::int32_t cell) const { return row(ratio, cell); }
    constexpr const Real* outflow_rates(std::int32_t cell) const { return row(outflow_rate, cell); }
    constexpr Real drift_outflow(std::int32_t /*cell*/) const { return 0; }
    constexpr bool crosses_frames(std::int32_t /*cell*/, std::int32_t /*neighbour*/) const { return false; }
    constexpr bool open(std::int32_t neighbour) const {
        return neighbour >= 0 || (neighbour == groundswell::mesh::nothing && coast_absorbs != 0);
    }

private:
    constexpr const Real* row(std::span<const Real> table, std::int32_t cell) const {
        return table.data() + static_cast<std::int64_t>(cell) * frequency_stride;
    }
};

/// The first-order scheme, one block for a cell. A lane has one direction, and every `parts`-th frequency of it.
struct UpwindStep {
    UpwindTables t;
    std::span<const Real> n_old;
    std::span<Real> n_new;
    std::int32_t first;  ///< cell of the first block
    int parts;
    Real dt;

    constexpr void arrays(const auto& visit) const {
        visit(t.mesh.edge_offset);
        visit(t.mesh.neighbour);
        for (const auto* table :
             {&t.wave_number, &t.ratio, &t.outflow_rate, &t.rate, &t.normal_x, &t.normal_y, &t.cosine,
              &t.sine, &t.turn_upper_x, &t.turn_upper_y, &t.turn_lower_x, &t.turn_lower_y, &n_old})
            visit(*table);
        visit(n_new);
    }

    static constexpr std::size_t scratch_bytes(int most_edges, int directions, int frequencies) {
        const auto slots = static_cast<std::size_t>(slots_of(most_edges));
        return slots * (sizeof(const Real*) + sizeof(std::int32_t)) +
               sizeof(Real) *
                   (2 * slots * static_cast<std::size_t>(directions) +
                    (UpwindRows::first_edge + 2 * slots + 2) * static_cast<std::size_t>(frequencies));
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const int n = t.grid.directions, frequencies = t.grid.frequencies;
        const std::int32_t cell = first + block.index(), first_edge = t.mesh.edge_offset[cell];
        const int edges = t.mesh.edge_offset[cell + 1] - first_edge, slots = slots_of(edges);
        Workspace w = workspace(block, slots);
        const auto state = [&](std::int32_t of) { return n_old.data() + of * t.grid.stride(); };
        block.lanes(slots, [&](int slot) {
            const std::int32_t other = slot < edges ? t.mesh.neighbour[first_edge + slot] : -1;
            w.beyond[slot] = other >= 0 ? other : cell;
            w.neighbour[slot] = state(w.beyond[slot]);
        });
        block.lanes(slots * n, [&](int i) {
            const int slot = i / n, d = i % n;
            Real *const in = w.in_weight.data() + slot * n, *const out = w.out_weight.data() + slot * n;
            if (slot < edges)
                prepare_weights<Real>(t, side_of_edge(t, first_edge + slot, cell), d, in, out);
            else
                in[d] = out[d] = 0;
        });
        block.sync();
        block.lanes(frequencies, [&](int f) {
            prepare_factors<Real>(t, w, cell, edges, f, dt);
            for (int row = UpwindRows::first_edge + 2 * edges; row < UpwindRows::first_edge + 2 * slots;
                 ++row)
                w.factors[row * frequencies + f] = 0;
        });
        block.sync();
        Real* const result = n_new.data() + cell * t.grid.stride();
        const UpwindCell c{state(cell), nullptr, nullptr, edges, result};
        constexpr int usual_edges = UpwindRows::usual_edges;
        block.lanes(n * parts, [&](int i) {
            if (edges <= usual_edges)
                propagate_pattern<Real, Lies::at_an_end, usual_edges>(t, w, c, i / n, i % n, parts,
                                                                      t.grid.bins());
            else
                propagate_pattern<Real, Lies::at_an_end, 0>(t, w, c, i / n, i % n, parts, t.grid.bins());
        });
        block.sync();
        block.lanes(frequencies, [&](int f) {
            if (dt * (t.outflow_rates(cell)[f] + t.drift_outflow(cell)) > t.largest_explicit_outflow)
                turn_row(t, result + f * n, t.ratios(cell)[f], w.step_x[f], w.step_y[f]);
        });
    }

private:
    // As UpwindWorkspace, in the block's scratch.
    struct Workspace {
        int weight_stride, factor_stride;
        std::span<Real> in_weight, out_weight, factors, step_x, step_y;
        const Real** neighbour;
        std::int32_t* beyond;
    };
    static constexpr int slots_of(int edges) {
        return edges > UpwindRows::usual_edges ? edges : UpwindRows::usual_edges;
    }
    template <class Block>
    constexpr Workspace workspace(Block& block, int slots) const {
        const auto n = static_cast<std::size_t>(t.grid.directions);
        const auto frequencies = static_cast<std::size_t>(t.grid.frequencies);
        const auto rows = static_cast<std::size_t>(UpwindRows::first_edge + 2 * slots);
        const auto many = static_cast<std::size_t>(slots);
        const auto numbers = [&](std::size_t size) {
            return std::span<Real>(block.template scratch<Real>(size), size);
        };
        const Real** const neighbour = block.template scratch<const Real*>(many);
        return {t.grid.directions,
                t.grid.frequencies,
                numbers(many * n),
                numbers(many * n),
                numbers(rows * frequencies),
                numbers(frequencies),
                numbers(frequencies),
                neighbour,
                block.template scratch<std::int32_t>(many)};
    }
};

}  // namespace groundswell::sea
