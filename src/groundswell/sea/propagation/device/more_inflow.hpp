#pragma once

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/rotated_formulas.hpp"

namespace groundswell::sea {

/// Finds what comes from outside and, in first order, over edges between frames, for the few cells that have such edges; and what a
/// current brings that no scheme takes with the waves: into their n_new. One block for a cell.
struct MoreInflow {
    static constexpr int most_lanes = 128, blocks_at_once = 4;

    DeviceTables t;
    std::span<const std::int32_t> cell;        ///< [block]
    std::span<const std::int32_t> edge_begin;  ///< [block + 1] of its edges between frames
    std::span<const std::int32_t> edge;        ///< [edge between frames][2] edge, SpectrumRotation::shift
    std::span<const Real>
        turn;  ///< [edge between frames][3] RotatedEdge::normal_x, normal_y, SpectrumRotation::part
    std::span<const std::int32_t> face_begin;  ///< [block + 1] of its faces that waves enter by
    std::span<const std::int32_t> face_edge;   ///< [face]
    std::span<const Real> beyond;              ///< [face][bins]
    std::span<const Real> n_old;
    std::span<Real> n_new;
    std::int32_t first;  ///< place of the first block in `cell`
    Real dt;

    constexpr void arrays(const auto& visit) const {
        t.arrays(visit);
        for (const auto* table : {&cell, &edge_begin, &edge, &face_begin, &face_edge})
            if (!table->empty()) visit(*table);
        for (const auto* table : {&turn, &beyond, &n_old})
            if (!table->empty()) visit(*table);
        visit(n_new);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t place = first + block.index();
        const int n = t.grid.directions;
        const std::int64_t bins = cell[place] * t.grid.stride();
        block.lanes(t.grid.bins(), [&](int bin) {
            const int f = bin / n, d = bin % n;
            // In the order of the processor's kernels.
            Real change = 0;
            if (t.is_second_order != 0) add_faces(change, place, f, d);
            for (std::int32_t i = edge_begin[place]; i < edge_begin[place + 1]; ++i) {
                if (t.is_second_order == 0) change += rotated_inflow(cell[place], i, f, d);
                add_rotated_drift(change, i, f, d);
                if (t.is_second_order != 0 && t.drift[edge[2 * i]] > 0)
                    change -= dt * t.drift[edge[2 * i]] * n_old[bins + bin];
            }
            if (t.is_second_order == 0) {
                add_drift(change, cell[place], bin, d);
                add_faces(change, place, f, d);
            }
            n_new[bins + bin] = change;
        });
    }

private:
    constexpr void add_faces(Real& change, std::int32_t place, int f, int d) const {
        if (!t.dry.empty() && t.dry[cell[place]] != 0) return;
        for (std::int32_t i = face_begin[place]; i < face_begin[place + 1]; ++i)
            change += from_outside(cell[place], i, f, d);
    }
    // What the current brings over the edges, but for those between frames, less what it takes away over all.
    constexpr void add_drift(Real& change, std::int32_t own, int bin, int d) const {
        if (t.drift.empty()) return;
        Real leaves = 0;
        for (std::int32_t e = t.mesh.edge_offset[own]; e < t.mesh.edge_offset[own + 1]; ++e) {
            const std::int32_t other = t.mesh.neighbour[e];
            const Real drift = dt * t.drift[e];
            if (drift > 0 && t.open(other)) leaves += drift;
            if (!(drift < 0) || other < 0 || t.crosses_frames(own, other)) continue;
            change -= t.obstruct(e, drift, d) * n_old[other * t.grid.stride() + bin];
        }
        if (leaves != 0) change -= leaves * n_old[own * t.grid.stride() + bin];
    }
    // As add_rotated_drift(), over one edge: half of the directions, then the others.
    constexpr void add_rotated_drift(Real& change, std::int32_t i, int f, int d) const {
        if (t.drift.empty()) return;
        const int n = t.grid.directions, half = n / 2;
        const std::int32_t over = edge[2 * i];
        const Real drift = -dt * t.drift[over];
        if (!(drift > 0)) return;
        for (int upper = 0; upper < 2; ++upper)
            change += arriving(i, f, d, [&](int at) {
                return (at >= half) == (upper != 0) ? drift * t.obstruct(over, Real(1), at) : Real(0);
            });
    }
    // What comes over the i-th edge between frames to direction d, where so much of each direction beyond does.
    constexpr Real arriving(std::int32_t i, int f, int d, const auto& comes) const {
        const int n = t.grid.directions;
        const Real* const there = n_old.data() + t.mesh.neighbour[edge[2 * i]] * t.grid.stride() + f * n;
        const int source = d + n - edge[2 * i + 1];
        const auto value = [&](int away) {
            const int at = (source + away + n) % n;
            return comes(at) * there[at];
        };
        const TurnShares shares(turn[3 * i + 2]);
        const Real before = value(-1), here = value(0);
        return shares.arriving(here, shares.tilt(before, here, value(1)), before,
                               shares.tilt(value(-2), before, here));
    }
    constexpr Real strength(std::int32_t over, std::int32_t own, std::int32_t other, std::int32_t giver,
                            int f) const {
        return dt * t.rate[over] * edge_wave_number(t.wave_numbers(own)[f], t.wave_numbers(other)[f]) *
               t.ratios(giver)[f];
    }
    // As add_rotated_inflow(), over one edge.
    constexpr Real rotated_inflow(std::int32_t own, std::int32_t i, int f, int d) const {
        const std::int32_t over = edge[2 * i], neighbour = t.mesh.neighbour[over];
        const Real factor = strength(over, own, neighbour, neighbour, f);
        return arriving(i, f, d, [&](int at) {
            const Real outward = turn[3 * i] * t.cosine[at] + turn[3 * i + 1] * t.sine[at];
            return factor * t.obstruct(over, lanes::positive_part(outward), at);
        });
    }
    // As Inflow::add(), over one face.
    constexpr Real from_outside(std::int32_t own, std::int32_t face, int f, int d) const {
        const std::int32_t over = face_edge[face];
        const Real through = t.passing.empty() ? Real(1) : t.passing[over];
        const Real along = t.normal_x[over] * t.cosine[d] + t.normal_y[over] * t.sine[d];
        const Real drift = t.drift.empty() ? Real(0) : dt * t.drift[over];
        // Second order takes M of what is upstream of waves and water together.
        const Real with_waves = t.is_second_order != 0 ? drift : Real(0),
                   alone = t.is_second_order != 0 ? Real(0) : lanes::positive_part(-drift);
        return through * share_from_outside(strength(over, own, own, own, f), along, with_waves, alone) *
               beyond[static_cast<std::int64_t>(face) * t.grid.bins() + f * t.grid.directions + d];
    }
};

/// exec::Program::entry of MoreInflow; null in a program that was built without CUDA.
const void* more_inflow_cuda_entry();

}  // namespace groundswell::sea
