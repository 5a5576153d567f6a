#pragma once

#include "groundswell/sea/lanes.hpp"

namespace groundswell::sea {

/// Slope of a bin, per bin width; at most twice the bin's own value for positive values.
template <class Lane>
constexpr Lane limited_slope(Lane below, Lane value, Lane above) {
    const Lane down = value - below, up = above - value;
    const Lane central = Real(0.5) * (above - below), down_twice = down + down, up_twice = up + up;
    const Lane least = lanes::minimum(central, lanes::minimum(down_twice, up_twice));
    const Lane greatest = lanes::maximum(central, lanes::maximum(down_twice, up_twice));
    return lanes::positive_part(least) + lanes::negative_part(greatest);
}

/// A bin that turns by `part` of its width gives so much of itself to the next.
struct TurnShares {
    Real stays, moves, weight;

    constexpr explicit TurnShares(Real part) : stays(Real(1) - part), moves(part) {
        weight = Real(0.5) * moves * stays;
    }
    /// Part of a bin's slope that moves with it.
    template <class Lane>
    constexpr Lane tilt(Lane below, Lane value, Lane above) const {
        return weight * limited_slope(below, value, above);
    }
    /// Value of a bin afterwards, from those before of it and of the bin below.
    template <class Lane>
    constexpr Lane arriving(Lane value, Lane tilt, Lane below, Lane tilt_below) const {
        const Lane stay = stays * value - tilt;
        const Lane come = moves * below + tilt_below;
        return stay + come;
    }
};

}  // namespace groundswell::sea
