#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/second_order/formulas.hpp"
#include "groundswell/sea/propagation/second_order/second_order_workspace.hpp"

/// Edges between frames that turn: a cell's gradient sees the neighbour's spectrum turned into its own frame, and what comes over
/// the edge is turned as it arrives. A spectrum of M that is turned keeps within its own bounds, and what leaves one cell is
/// what enters the other.
namespace groundswell::sea {

void turn_neighbours(const PropagationTables& t, std::int32_t cell, int first, int last, const Real* n_old,
                     SecondOrderWorkspace& w) {
    const int n = t.grid.directions;
    Real* to = w.turned_state.data();
    for (const RotatedEdge& edge : t.rotated_edges_of(cell)) {
        const Real* const from = n_old + t.mesh.neighbour[edge.edge] * t.grid.stride();
        for (int f = first; f < last; ++f) w.rotated_work.rows.turn(edge.rotation, from + f * n, to + f * n);
        to += t.grid.stride();
    }
}

const std::int32_t* add_turned_inflow(const PropagationTables& t, std::int32_t cell, std::int32_t slot,
                                      const std::int32_t* beyond, int first, int last, double dt,
                                      SecondOrderWorkspace& w) {
    const int n = t.grid.directions;
    Real *const across = w.rotated_work.across.data(), *const face = w.turned_face.data();
    TurningRows& rows = w.rotated_work.rows;
    const Real* const k = t.wave_numbers(cell);
    for (const RotatedEdge& edge : t.rotated_edges_of(cell)) {
        const Real* const k_beyond = t.wave_numbers(t.mesh.neighbour[edge.edge]);
        const Real step = static_cast<Real>(dt) * t.rate[edge.edge];
        set_leaving(t, edge, across);
        rows.begin(edge.rotation, edge.outward.first, edge.outward.count);
        const std::int32_t from = *beyond++;
        for (int f = first; f < last; ++f) {
            const Real* const half = w.row(from, f - first);
            const Real *const g_x = half + SecondOrderWorkspace::gradient_x * w.row_stride,
                              *const g_y = half + SecondOrderWorkspace::gradient_y * w.row_stride;
            for (int d = 0; d < n; d += lanes::width)
                lanes::store(face + d, leaving_invariant(edge.half_x, edge.half_y, lanes::load(half + d),
                                                         lanes::load(g_x + d), lanes::load(g_y + d)));
            rows.set(f - first, across, face, step * edge_wave_number(k[f], k_beyond[f]));
        }
        rows.add(w.rotated_change.data() + slot * t.grid.stride() + first * n, last - first);
    }
    return beyond;
}

}  // namespace groundswell::sea
