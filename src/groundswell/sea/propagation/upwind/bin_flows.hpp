#pragma once

#include "groundswell/sea/propagation/formulas.hpp"

namespace groundswell::sea {

/// Factors of the turning through the upper and lower sides of bins: PropagationTables::turn_upper_x …
template <class Lane>
struct TurningSides {
    Lane upper_x, upper_y, lower_x, lower_y;
};
template <class Lane>
constexpr TurningSides<Lane> turning_sides(const auto& t, int d) {
    const auto of = [d](const auto& table) { return lanes::load<Lane>(table.data() + d); };
    return {of(t.turn_upper_x), of(t.turn_upper_y), of(t.turn_lower_x), of(t.turn_lower_y)};
}

/// Flows out of bins in a step of the first order, as a share of them, and into them: in this order by turning and over each edge.
template <class Lane>
struct BinFlows {
    Lane out, in;

    /// By turning, from the bins beside them; x, y: dt S times the ratio.
    constexpr void turn(const TurningSides<Lane>& sides, Lane x, Lane y, Lane below, Lane above) {
        const Lane upper = lanes::multiply_add(x, sides.upper_x, y * sides.upper_y);
        const Lane lower = lanes::multiply_add(x, sides.lower_x, y * sides.lower_y);
        out = lanes::positive_part(upper) - lanes::negative_part(lower);
        in =
            lanes::multiply_subtract(lanes::negative_part(upper), above, lanes::positive_part(lower) * below);
    }
    /// Over an edge, by its factor (UpwindRows) and weight (EdgeWeights).
    constexpr void leave(Lane factor, Lane weight) { out = lanes::multiply_add(factor, weight, out); }
    constexpr void enter(Lane factor, Lane weight, Lane beyond) {
        in = lanes::multiply_add(factor * weight, beyond, in);
    }
    /// Action afterwards of those that had `own`.
    constexpr Lane result(Lane own) const {
        return without_negligible(lanes::multiply_subtract(out, own, own) + in);
    }
};

}  // namespace groundswell::sea
