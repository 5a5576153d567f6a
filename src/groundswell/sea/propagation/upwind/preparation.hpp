#pragma once

#include <cstdint>

#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/formulas.hpp"

/// Numbers that a cell needs for a step of the first-order scheme besides the state, one register at a time. `t` and `w` are
/// PropagationTables and UpwindWorkspace, or what a device has of them.
namespace groundswell::sea {

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

/// Factors of frequencies from `f` on, and dt S; returns the largest share of a bin that leaves. `known_slots`: so many there
/// are at least; nothing goes over those that have no edge.
template <class Lane, int known_slots = 0>
constexpr Lane prepare_factors(const auto& t, auto& w, std::int32_t cell, int edges, int f, Real dt) {
    const std::int32_t first = t.mesh.edge_offset[cell];
    const Lane k = lanes::load<Lane>(t.wave_numbers(cell) + f),
               own_ratio = lanes::load<Lane>(t.ratios(cell) + f);
    Lane x{}, y{};
    const auto cross = [&](int slot) {
        const std::int32_t edge = slot < edges ? first + slot : first, other = w.beyond[slot];
        const Lane k_beyond = lanes::load<Lane>(t.wave_numbers(other) + f);
        const Real rate = slot < edges ? t.rate[edge] : Real(0);
        const Lane factor = dt * rate * edge_wave_number(k, k_beyond);
        const int row = UpwindRows::first_edge + 2 * slot;
        lanes::store(w.factor(row, f), factor * lanes::load<Lane>(t.ratios(other) + f));
        lanes::store(w.factor(row + 1, f), factor * own_ratio);
        x += factor * t.normal_x[edge];
        y += factor * t.normal_y[edge];
    };
    for (int slot = 0; slot < known_slots; ++slot) cross(slot);
    for (int slot = known_slots; slot < edges; ++slot) cross(slot);
    lanes::store(w.step_x.data() + f, x);
    lanes::store(w.step_y.data() + f, y);
    const Lane outflow = dt * (lanes::load<Lane>(t.outflow_rates(cell) + f) + t.drift_outflow(cell));
    const auto implicit = outflow > t.largest_explicit_outflow;
    lanes::store(w.factor(UpwindRows::turn_x, f), implicit ? Lane{} : own_ratio * x);
    lanes::store(w.factor(UpwindRows::turn_y, f), implicit ? Lane{} : own_ratio * y);
    return outflow;
}

}  // namespace groundswell::sea
