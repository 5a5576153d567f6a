#pragma once

#include <limits>

#include "groundswell/sea/lane_blocks.hpp"
#include "groundswell/sea/propagation/second_order_workspace.hpp"
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
        Lane m[Block::count], highest[Block::count], lowest[Block::count], g_x[Block::count],
            g_y[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            m[r] = Block::load(Block::start(invariant, r), p.row_stride);
            highest[r] = lowest[r] = g_x[r] = g_y[r] = Lane{};
        }
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = p.edge[e];
            const Lane ratio = Block::each(edge.ratio + f);
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) {
                const Lane rise =
                    lanes::multiply_add(ratio, Block::load(edge.state + Block::start(bin, r), n), -m[r]);
                highest[r] = lanes::maximum(rise, highest[r]);
                lowest[r] = lanes::minimum(rise, lowest[r]);
                g_x[r] = lanes::multiply_add(edge.gradient_x, rise, g_x[r]);
                g_y[r] = lanes::multiply_add(edge.gradient_y, rise, g_y[r]);
            }
        }
        // How far the values at the edges lie above and below M.
        Lane rise[Block::count], fall[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) rise[r] = fall[r] = Lane{};
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = p.edge[e];
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) {
                const Lane to_edge = lanes::multiply_add(edge.half_x, g_x[r], edge.half_y * g_y[r]);
                rise[r] = lanes::maximum(to_edge, rise[r]);
                fall[r] = lanes::minimum(to_edge, fall[r]);
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r)
            finish<Block>(p, f, Block::start(d, r), m[r], highest[r], -lowest[r], g_x[r], g_y[r], rise[r],
                          -fall[r]);
    }

    const PropagationTables& t_;

private:
    // Face values stay this much (relative) above 0, so that rounding cannot make one negative.
    static constexpr Real positive_margin = 32 * std::numeric_limits<Real>::epsilon();

    // Limits the slopes of a register and takes M to the middle of the step. room_up, room_down: how far the neighbours lie
    // above and below M; rise, fall: how far the values at the edges do.
    template <class Block, class Lane>
    __attribute__((always_inline)) void finish(const SecondOrderProfile& p, int f, int d, Lane m,
                                               Lane room_up, Lane room_down, Lane g_x, Lane g_y, Lane rise,
                                               Lane fall) const {
        const Real* const invariant = p.invariant + (f - p.first) * p.row_stride + d;
        const Lane below = Block::load(invariant - 1, p.row_stride),
                   above = Block::load(invariant + 1, p.row_stride);
        Lane g_direction = Block::each(p.central + f) * (above - below);
        const Lane turning = lanes::multiply_add(Block::each(p.turn_x + f), Block::same(turn_x_.data() + d),
                                                 Block::each(p.turn_y + f) * Block::same(turn_y_.data() + d));
        const Lane cosine = Block::same(t_.cosine.data() + d), sine = Block::same(t_.sine.data() + d);
        const Lane along = lanes::multiply_add(g_x, cosine, g_y * sine);
        Lane change = Block::each(p.travel + f) * along;
        if constexpr (flows)
            change = lanes::multiply_add(p.travel_x, g_x, lanes::multiply_add(p.travel_y, g_y, change));
        if (t_.options.limiter) {
            const Lane one = lanes::broadcast<Lane>(1);
            // In space, Barth & Jespersen (1989, AIAA 89-0366): values at the edges stay between the neighbours'. Of the
            // two quotients the smaller one, found by products to save a division.
            const auto up_is_nearer = room_up * fall < room_down * rise;
            const Lane room_there = up_is_nearer ? room_up : room_down;
            const Lane reach_there = up_is_nearer ? rise : fall;
            const Lane scale = reach_there > room_there ? room_there / reach_there : one;
            // In direction, the monotonised central slope (van Leer 1977).
            const Lane down = m - below, up = above - m;
            const Lane least = lanes::minimum(lanes::absolute(down), lanes::absolute(up));
            const Lane steepest = lanes::minimum(lanes::absolute(g_direction), least + least);
            g_direction = down * up > 0 ? lanes::with_sign(steepest, down) : Lane{};
            // And no value below 0 at a face that waves leave by, nor one so far above M that the bin could run out. Where M
            // grows along the way, it falls towards such a face by no more than it does across the way.
            change = lanes::multiply_add(scale, change, turning * g_direction);
            if constexpr (!flows) {
                const Lane aside =
                    p.reach * lanes::absolute(lanes::multiply_subtract(g_x, sine, g_y * cosine));
                fall = along > 0 ? lanes::minimum(fall, aside) : fall;
            }
            const Lane side = Real(0.5) * lanes::absolute(g_direction);
            const Lane above_m = lanes::maximum(scale * rise, side) - change,
                       below_m = lanes::maximum(scale * fall, side) + change;
            const Lane excess = Block::each(p.excess + f);
            const auto upper_is_nearer = excess * below_m < above_m;
            const Lane room = upper_is_nearer ? excess * m : m;
            const Lane reach = (1 + positive_margin) * (upper_is_nearer ? above_m : below_m);
            const Lane keep = reach > room ? room / reach : one;
            change *= keep;
            g_x *= keep * scale;
            g_y *= keep * scale;
            g_direction *= keep;
        } else {
            change = lanes::multiply_add(turning, g_direction, change);
        }
        constexpr int fields = SecondOrderWorkspace::fields;
        const Lane result[fields] = {m - change, g_x, g_y, g_direction};
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
