#pragma once

#include <cstdint>

#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/formulas.hpp"

/// Numbers that a cell needs for a step of the first-order scheme besides the state, one register at a time. `t` and `w` are
/// PropagationTables and UpwindWorkspace, or what a device has of them.
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

/// Sizes and rows of a workspace.
struct UpwindRows {
    /// Cells have at most so many edges, but for a few. Those with fewer get edges through which nothing goes, so that the
    /// compiler knows the number.
    static constexpr int usual_edges = 6;
    /// Rows of `factors`: turning towards x and y, then what enters and what leaves over each edge.
    static constexpr int turn_x = 0, turn_y = 1, first_edge = 2;
};

/// An edge as a cell sees it: its normal, and whether anything comes in (-1 or 0) and goes out (1 or 0).
struct EdgeSide {
    Real x, y, in, out;
};
constexpr EdgeSide side_of_edge(const auto& t, std::int32_t edge, std::int32_t cell) {
    const std::int32_t other = t.mesh.neighbour[edge];
    const bool enters = other >= 0 && !t.crosses_frames(cell, other);
    return {t.normal_x[edge], t.normal_y[edge], enters ? Real(-1) : Real(0),
            t.open(other) ? Real(1) : Real(0)};
}

/// Weights of an edge, (n·d)− and (n·d)+ where it is open that way.
template <class Lane>
struct EdgeWeights {
    Lane in, out;
};
/// Those of directions from `d` on.
template <class Lane>
constexpr EdgeWeights<Lane> weights_of_edge(const auto& t, const EdgeSide& edge, int d) {
    const Lane across =
        edge.x * lanes::load<Lane>(t.cosine.data() + d) + edge.y * lanes::load<Lane>(t.sine.data() + d);
    return {edge.in * lanes::negative_part(across), edge.out * lanes::positive_part(across)};
}

/// dt dv/A k_e of an edge, from the wave numbers on both sides.
template <class Lane>
constexpr Lane factor_of_edge(const auto& t, std::int32_t edge, Lane k, Lane k_beyond, Real dt) {
    return dt * t.rate[edge] * edge_wave_number(k, k_beyond);
}

/// Σ of these along the normals: dt S.
template <class Lane>
struct TurningSteps {
    Lane x{}, y{};
    constexpr void add(const auto& t, std::int32_t edge, Lane factor) {
        x += factor * t.normal_x[edge];
        y += factor * t.normal_y[edge];
    }
};

/// Rows of dt S and of turning, frequencies from `f` on; returns the largest share of a bin that leaves.
template <class Lane>
constexpr Lane prepare_turning(const auto& t, auto& w, std::int32_t cell, int f, Real dt, Lane ratio,
                               const TurningSteps<Lane>& steps) {
    lanes::store(w.step_x.data() + f, steps.x);
    lanes::store(w.step_y.data() + f, steps.y);
    const Lane outflow = dt * (lanes::load<Lane>(t.outflow_rates(cell) + f) + t.drift_outflow(cell));
    const auto implicit = outflow > t.largest_explicit_outflow;
    lanes::store(w.factor(UpwindRows::turn_x, f), implicit ? Lane{} : ratio * steps.x);
    lanes::store(w.factor(UpwindRows::turn_y, f), implicit ? Lane{} : ratio * steps.y);
    return outflow;
}

}  // namespace groundswell::sea
