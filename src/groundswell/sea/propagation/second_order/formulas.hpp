#pragma once

#include <limits>

#include "groundswell/sea/propagation/formulas.hpp"

/// The second-order scheme on one register of bins, or on one bin of a device.
namespace groundswell::sea {

/// Linear profile of M in bins at the middle of a step: M, its gradient towards east and north (m⁻¹), its slope over directions (per
/// bin).
template <class Lane>
struct BinProfile {
    Lane half, gradient_x, gradient_y, gradient_direction;
};

/// Numbers of a bin from which its profile is limited, besides what lies around it.
template <class Lane>
struct BinNumbers {
    Lane below, above;          ///< M of the bins beside
    Lane central;               ///< half; 0 where turning is implicit and takes no slope
    Lane travel;                ///< of half a step, m
    Lane excess;                ///< as PropagationTables::largest_excess
    Lane turning;               ///< of half a step, in bins and units of M
    Lane cosine, sine;          ///< of its direction
    Real reach;                 ///< farthest from the centre to an edge with a neighbour, m
    Real current_x, current_y;  ///< travel of the water in half a step, m
};

/// M of bins, what the neighbours say of its gradient, and how far these and the values at the edges lie above and below.
template <class Lane>
struct BinSurroundings {
    Lane m, highest{}, lowest{}, gradient_x{}, gradient_y{}, rise{}, fall{};

    /// A neighbour, of which `there` times `ratio` is M, and its part of the gradient.
    constexpr void add_neighbour(Lane ratio, Lane there, Real x, Real y) {
        const Lane above = lanes::multiply_add(ratio, there, -m);
        highest = lanes::maximum(above, highest);
        lowest = lanes::minimum(above, lowest);
        gradient_x = lanes::multiply_add(x, above, gradient_x);
        gradient_y = lanes::multiply_add(y, above, gradient_y);
    }
    /// After all neighbours: an edge, this far from the centre, m.
    constexpr void add_edge(Real x, Real y) {
        const Lane to_edge = lanes::multiply_add(x, gradient_x, y * gradient_y);
        rise = lanes::maximum(to_edge, rise);
        fall = lanes::minimum(to_edge, fall);
    }
};

/// Face values stay this much (relative) above 0, so that rounding cannot make one negative.
inline constexpr Real positive_margin = 32 * std::numeric_limits<Real>::epsilon();

/// Limits the slopes and takes M to the middle of the step. `flows`: with a current.
template <bool flows, class Lane>
constexpr __attribute__((always_inline)) BinProfile<Lane> profile_of(const BinSurroundings<Lane>& bins,
                                                                     const BinNumbers<Lane>& p,
                                                                     bool limited) {
    const Lane m = bins.m, below = p.below, above = p.above, cosine = p.cosine, sine = p.sine;
    Lane g_x = bins.gradient_x, g_y = bins.gradient_y;
    Lane g_direction = p.central * (above - below);
    const Lane along = lanes::multiply_add(g_x, cosine, g_y * sine);
    Lane change = p.travel * along;
    if constexpr (flows)
        change = lanes::multiply_add(p.current_x, g_x, lanes::multiply_add(p.current_y, g_y, change));
    if (!limited) {
        change = lanes::multiply_add(p.turning, g_direction, change);
        return {m - change, g_x, g_y, g_direction};
    }
    const Lane room_up = bins.highest, room_down = -bins.lowest, rise = bins.rise;
    Lane fall = -bins.fall;
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
    change = lanes::multiply_add(scale, change, p.turning * g_direction);
    if constexpr (!flows) {
        const Lane aside = p.reach * lanes::absolute(lanes::multiply_subtract(g_x, sine, g_y * cosine));
        fall = along > 0 ? lanes::minimum(fall, aside) : fall;
    }
    const Lane side = Real(0.5) * lanes::absolute(g_direction);
    const Lane above_m = lanes::maximum(scale * rise, side) - change,
               below_m = lanes::maximum(scale * fall, side) + change;
    const auto upper_is_nearer = p.excess * below_m < above_m;
    const Lane room = upper_is_nearer ? p.excess * m : m;
    const Lane reach = (1 + positive_margin) * (upper_is_nearer ? above_m : below_m);
    const Lane keep = reach > room ? room / reach : one;
    return {m - change * keep, g_x * (keep * scale), g_y * (keep * scale), g_direction * keep};
}

/// M at a face, this far from the centre: of the bins that it leaves, and of those beyond it, whose profile is about their own centre.
template <class Lane>
constexpr Lane leaving_invariant(Real half_x, Real half_y, Lane half, Lane g_x, Lane g_y) {
    return lanes::multiply_add(half_x, g_x, lanes::multiply_add(half_y, g_y, half));
}
template <class Lane>
constexpr Lane entering_invariant(Real half_x, Real half_y, Lane half, Lane g_x, Lane g_y) {
    return lanes::multiply_subtract(half_x, g_x, lanes::multiply_subtract(half_y, g_y, half));
}

/// M of a bin at half time and its slope over directions.
template <class Lane>
struct DirectionProfile {
    Lane half, slope;
};
/// Flux through the upper side of bins less that through the lower, where this much turns.
template <class Lane>
constexpr __attribute__((always_inline)) Lane turning_out(Lane upper, Lane lower,
                                                          const DirectionProfile<Lane>& own,
                                                          const DirectionProfile<Lane>& bin_above,
                                                          const DirectionProfile<Lane>& bin_below) {
    const Lane above = lanes::multiply_subtract(Real(0.5), bin_above.slope, bin_above.half);
    const Lane below = lanes::multiply_add(Real(0.5), bin_below.slope, bin_below.half);
    const Lane upper_face = upper > 0 ? lanes::multiply_add(Real(0.5), own.slope, own.half) : above;
    const Lane lower_face = lower > 0 ? below : lanes::multiply_subtract(Real(0.5), own.slope, own.half);
    return lanes::multiply_add(upper, upper_face, -(lower * lower_face));
}

}  // namespace groundswell::sea
