#pragma once

#include "groundswell/sea/lane_blocks.hpp"
#include "groundswell/sea/propagation/second_order/formulas.hpp"
#include "groundswell/sea/propagation/second_order/second_order_workspace.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

/// The limited linear profile of M in each bin at the middle of a step, for registers of them. `flows`: with a current.
template <bool flows>
class SecondOrderProfiles {
protected:
    explicit SecondOrderProfiles(const PropagationTables& tables)
        : t_(tables), turn_x_(tables.direction_stride), turn_y_(tables.direction_stride) {
        for (int d = -lanes::table_width; d < t_.direction_stride; ++d) {
            turn_x_.data()[d] = t_.turn_upper_x.data()[d] + t_.turn_lower_x.data()[d];
            turn_y_.data()[d] = t_.turn_upper_y.data()[d] + t_.turn_lower_y.data()[d];
        }
    }

    /// Profiles of a block of bins, the first one (f, d). `fixed_edges`: 0, or as many as there are.
    template <class Block, int fixed_edges>
    __attribute__((always_inline)) void make_profile(const SecondOrderProfile& p, int f, int d) const {
        using Lane = typename Block::Lane;
        const int edges = fixed_edges > 0 ? fixed_edges : p.edges, n = t_.grid.directions, bin = f * n + d;
        const Real* const invariant = p.invariant + (f - p.first) * p.row_stride + d;
        BinSurroundings<Lane> bins[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r)
            bins[r].m = Block::load(Block::start(invariant, r), p.row_stride);
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = p.edge[e];
            const Lane ratio = Block::each(edge.ratio + f);
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r)
                bins[r].add_neighbour(ratio, Block::load(edge.state + Block::start(bin, r), n),
                                      edge.gradient_x, edge.gradient_y);
        }
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = p.edge[e];
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) bins[r].add_edge(edge.half_x, edge.half_y);
        }
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) finish<Block>(p, f, Block::start(d, r), bins[r]);
    }

    const PropagationTables& t_;

private:
    // Makes the profiles of a register.
    template <class Block, class Lane>
    __attribute__((always_inline)) void finish(const SecondOrderProfile& p, int f, int d,
                                               const BinSurroundings<Lane>& bins) const {
        const Real* const invariant = p.invariant + (f - p.first) * p.row_stride + d;
        const BinNumbers<Lane> numbers{
            Block::load(invariant - 1, p.row_stride),
            Block::load(invariant + 1, p.row_stride),
            Block::each(p.central + f),
            Block::each(p.travel + f),
            Block::each(p.excess + f),
            lanes::multiply_add(Block::each(p.turn_x + f), Block::same(turn_x_.data() + d),
                                Block::each(p.turn_y + f) * Block::same(turn_y_.data() + d)),
            Block::same(t_.cosine.data() + d),
            Block::same(t_.sine.data() + d),
            p.reach,
            p.travel_x,
            p.travel_y};
        const BinProfile<Lane> profile = profile_of<flows>(bins, numbers, t_.options.limiter);
        constexpr int fields = SecondOrderWorkspace::fields;
        const Lane result[fields] = {profile.half, profile.gradient_x, profile.gradient_y,
                                     profile.gradient_direction};
        Real* const rows = p.fields + (f - p.first) * fields * p.row_stride;
#pragma GCC unroll 4
        for (int field = 0; field < fields; ++field) {
            Real* const row = rows + field * p.row_stride;
            if constexpr (Block::rows > 1)
                Block::store_rows(row + d, fields * p.row_stride, result[field]);
            else
                lanes::store(row + d, result[field]);
        }
    }

    DirectionTable turn_x_, turn_y_;  // of both sides of a bin together
};

}  // namespace groundswell::sea
