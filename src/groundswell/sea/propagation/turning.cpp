#include <algorithm>

#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

void turn_implicitly(const PropagationTables& tables, Real* row, Real ratio, Real step_x, Real step_y) {
    turn_row(tables, row, ratio, step_x, step_y);
}

namespace {

// What the current brings over the edge, whatever way it travels: half of the directions, then the others.
void add_drift_over(const PropagationTables& tables, const RotatedEdge& edge, Real* inflow, const Real* n,
                    Real dt, RotatedWork& work) {
    const Real drift = -dt * tables.flow->drift[edge.edge];
    if (!(drift > 0)) return;
    const int directions = tables.grid.directions, half = directions / 2;
    for (const bool upper : {false, true}) {
        for (int d = 0; d < tables.direction_stride; ++d)
            work.across[d] = d < directions && (d >= half) == upper ? Real(1) : Real(0);
        if (!tables.lets_all_in(edge.edge)) tables.obstruct(edge.edge, work.across.data(), 0, directions);
        work.rows.begin(edge.rotation, upper ? half : 0, upper ? directions - half : half);
        for (int first = 0; first < tables.grid.frequencies; first += TurningRows::at_once) {
            const int number = std::min(TurningRows::at_once, tables.grid.frequencies - first);
            for (int i = 0; i < number; ++i)
                work.rows.set(i, work.across.data(), n + (first + i) * directions, drift);
            work.rows.add(inflow + first * directions, number);
        }
    }
}

}  // namespace

void set_leaving(const PropagationTables& tables, const RotatedEdge& edge, Real* across) {
    const int directions = tables.grid.directions;
    for (int d = 0; d < directions; d += lanes::width) {
        const lanes::Lane outward = edge.normal_x * lanes::load(tables.cosine.data() + d) +
                                    edge.normal_y * lanes::load(tables.sine.data() + d);
        lanes::store(across + d, lanes::positive_part(outward));
    }
    if (!tables.lets_all_in(edge.edge)) tables.obstruct(edge.edge, across, 0, directions);
}

void add_rotated_inflow(const PropagationTables& tables, std::int32_t cell, Real* inflow, const Real* n_old,
                        double dt, RotatedWork& work) {
    using lanes::Lane;
    const int directions = tables.grid.directions;
    Real* const across = work.across.data();
    TurningRows& rows = work.rows;
    const Real* const k = tables.wave_numbers(cell);
    for (const RotatedEdge& edge : tables.rotated_edges_of(cell)) {
        const std::int32_t neighbour = tables.mesh.neighbour[edge.edge];
        const Real* const k_beyond = tables.wave_numbers(neighbour);
        const Real* const ratio = tables.ratios(neighbour);
        const Real* const n = n_old + static_cast<std::size_t>(neighbour) * tables.grid.stride();
        const Real step = static_cast<Real>(dt) * tables.rate[edge.edge];
        set_leaving(tables, edge, across);
        Real* const factor = work.factor.data();
        for (int f = 0; f < tables.grid.frequencies; f += lanes::width)
            lanes::store(factor + f, step * edge_wave_number(lanes::load(k + f), lanes::load(k_beyond + f)) *
                                         lanes::load(ratio + f));
        rows.begin(edge.rotation, edge.outward.first, edge.outward.count);
        for (int first = 0; first < tables.grid.frequencies; first += TurningRows::at_once) {
            const int number = std::min(TurningRows::at_once, tables.grid.frequencies - first);
            for (int i = 0; i < number; ++i)
                rows.set(i, across, n + (first + i) * directions, factor[first + i]);
            rows.add(inflow + first * directions, number);
        }
        if (tables.flow) add_drift_over(tables, edge, inflow, n, static_cast<Real>(dt), work);
    }
}

void add_rotated_drift(const PropagationTables& tables, std::int32_t cell, Real* change, const Real* n_old,
                       double dt, RotatedWork& work) {
    if (!tables.flow) return;
    const Real* const own = n_old + static_cast<std::size_t>(cell) * tables.grid.stride();
    for (const RotatedEdge& edge : tables.rotated_edges_of(cell)) {
        const std::int32_t neighbour = tables.mesh.neighbour[edge.edge];
        const Real* const n = n_old + static_cast<std::size_t>(neighbour) * tables.grid.stride();
        add_drift_over(tables, edge, change, n, static_cast<Real>(dt), work);
        if (!(tables.flow->drift[edge.edge] > 0)) continue;
        const Real leaves = static_cast<Real>(dt) * tables.flow->drift[edge.edge];
        for (int bin = 0; bin < tables.grid.bins(); ++bin) change[bin] -= leaves * own[bin];
    }
}

}  // namespace groundswell::sea
