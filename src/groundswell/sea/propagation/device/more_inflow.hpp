#pragma once

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/rotated_formulas.hpp"

namespace groundswell::sea {

/// Finds what comes from outside and, in first order, over edges between frames, for the few cells that have such edges: into their
/// n_new. One block for a cell.
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
            Real change = 0;
            for (std::int32_t i = edge_begin[place]; i < edge_begin[place + 1]; ++i)
                change += rotated_inflow(cell[place], i, f, d);
            for (std::int32_t i = face_begin[place]; i < face_begin[place + 1]; ++i)
                change += from_outside(cell[place], i, f, d);
            n_new[bins + bin] = change;
        });
    }

private:
    constexpr Real strength(std::int32_t over, std::int32_t own, std::int32_t other, std::int32_t giver,
                            int f) const {
        return dt * t.rate[over] * edge_wave_number(t.wave_numbers(own)[f], t.wave_numbers(other)[f]) *
               t.ratios(giver)[f];
    }
    // As add_rotated_inflow(), over one edge.
    constexpr Real rotated_inflow(std::int32_t own, std::int32_t i, int f, int d) const {
        const int n = t.grid.directions;
        const std::int32_t over = edge[2 * i], neighbour = t.mesh.neighbour[over];
        const Real* const there = n_old.data() + neighbour * t.grid.stride() + f * n;
        const Real factor = strength(over, own, neighbour, neighbour, f);
        const int source = d + n - edge[2 * i + 1];
        const auto value = [&](int away) {
            const int at = (source + away + n) % n;
            const Real outward = turn[3 * i] * t.cosine[at] + turn[3 * i + 1] * t.sine[at];
            return factor * t.obstruct(over, lanes::positive_part(outward), at) * there[at];
        };
        const TurnShares shares(turn[3 * i + 2]);
        const Real before = value(-1), here = value(0);
        return shares.arriving(here, shares.tilt(before, here, value(1)), before,
                               shares.tilt(value(-2), before, here));
    }
    // As Inflow::add(), over one face.
    constexpr Real from_outside(std::int32_t own, std::int32_t face, int f, int d) const {
        const std::int32_t over = face_edge[face];
        const Real through = t.passing.empty() ? Real(1) : t.passing[over];
        const Real along = t.normal_x[over] * t.cosine[d] + t.normal_y[over] * t.sine[d];
        return through * share_from_outside(strength(over, own, own, own, f), along, Real(0), Real(0)) *
               beyond[static_cast<std::int64_t>(face) * t.grid.bins() + f * t.grid.directions + d];
    }
};

}  // namespace groundswell::sea
