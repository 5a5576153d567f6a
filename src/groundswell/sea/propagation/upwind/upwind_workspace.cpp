#include "groundswell/sea/propagation/upwind/upwind_workspace.hpp"

#include <algorithm>
#include <numeric>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

using lanes::Lane;

UpwindWorkspace::UpwindWorkspace(const PropagationTables& t)
    : weight_stride(t.direction_stride + lanes::table_width), rotated_work(t) {
    GS_ASSERT(t.frequency_stride <= factor_stride);
    const auto edges = static_cast<std::size_t>(std::max(t.mesh.max_edges, usual_edges));
    for (exec::Array<Real>* weights : {&in_weight, &out_weight})
        *weights = exec::Array<Real>(edges * static_cast<std::size_t>(weight_stride));
    factors = exec::Array<Real>((first_edge + 2 * edges) * factor_stride);
    for (exec::Array<Real>* steps : {&step_x, &step_y})
        *steps = exec::Array<Real>(static_cast<std::size_t>(t.frequency_stride));
    neighbour.resize(edges);
    beyond.resize(edges);
    beginning = exec::Array<Real>(2 * lanes::table_width);
    rotated_inflow = exec::Array<Real>(static_cast<std::size_t>(t.grid.bins() + lanes::table_width));
}

void UpwindWorkspace::prepare(const PropagationTables& t, std::int32_t cell, const Real* n_old, Real dt) {
    const std::int32_t first = t.mesh.edge_offset[cell];
    const int edges = t.mesh.edge_offset[static_cast<std::size_t>(cell) + 1] - first;
    for (int slot = 0; slot < std::max(edges, usual_edges); ++slot) {
        const std::int32_t other = slot < edges ? t.mesh.neighbour[first + slot] : -1;
        beyond[slot] = other >= 0 ? other : cell;
        neighbour[slot] = n_old + static_cast<std::size_t>(beyond[slot]) * t.grid.stride();
        if (slot < edges)
            prepare_weights(t, first + slot, cell, slot);
        else
            close_edge(slot);
    }
    prepare_factors(t, cell, edges, dt);
}

void UpwindWorkspace::prepare_weights(const PropagationTables& t, std::int32_t edge, std::int32_t cell,
                                      int slot) {
    Real* const in_row = in_weight.data() + slot * weight_stride;
    Real* const out_row = out_weight.data() + slot * weight_stride;
    // As far as a register reaches that begins in a row at a multiple of both.
    const int n = t.grid.directions, reach = n + lanes::width - std::gcd(n, lanes::width);
    const EdgeSide side = side_of_edge(t, edge, cell);
    for (int d = 0; d < reach; d += lanes::width) {
        const EdgeWeights<Lane> weights = weights_of_edge<Lane>(t, side, d);
        lanes::store(in_row + d, weights.in);
        lanes::store(out_row + d, weights.out);
    }
    if (!t.lets_all_in(edge)) t.obstruct(edge, in_row, 0, reach);
}

void UpwindWorkspace::prepare_factors(const PropagationTables& t, std::int32_t cell, int edges, Real dt) {
    Lane largest{};
    for (int f = 0; f < t.grid.frequencies; f += lanes::width)
        largest = lanes::maximum(largest, prepare_factors(t, cell, edges, f, dt));
    turns_implicitly = lanes::any(largest > t.largest_explicit_outflow);
}

Lane UpwindWorkspace::prepare_factors(const PropagationTables& t, std::int32_t cell, int edges, int f,
                                      Real dt) {
    const std::int32_t first = t.mesh.edge_offset[cell];
    const Lane k = lanes::load(t.wave_numbers(cell) + f), ratio = lanes::load(t.ratios(cell) + f);
    TurningSteps<Lane> steps;
    for (int slot = 0; slot < edges; ++slot) {
        const Lane factor =
            factor_of_edge(t, first + slot, k, lanes::load(t.wave_numbers(beyond[slot]) + f), dt);
        const int row = first_edge + 2 * slot;
        lanes::store(this->factor(row, f), factor * lanes::load(t.ratios(beyond[slot]) + f));
        lanes::store(this->factor(row + 1, f), factor * ratio);
        steps.add(t, first + slot, factor);
    }
    return prepare_turning(t, *this, cell, f, dt, ratio, steps);
}

void UpwindWorkspace::close_edge(int slot) {
    for (exec::Array<Real>* weights : {&in_weight, &out_weight})
        std::fill_n(weights->data() + slot * weight_stride, weight_stride, Real(0));
    std::fill_n(factors.data() + (first_edge + 2 * slot) * factor_stride, 2 * factor_stride, Real(0));
}

}  // namespace groundswell::sea
