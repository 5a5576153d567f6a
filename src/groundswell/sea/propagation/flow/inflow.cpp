#include "groundswell/sea/propagation/inflow.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

Inflow::Inflow(const voronoi::LocalMesh& mesh, std::vector<std::int32_t> edge, int bins)
    : bins_(static_cast<std::size_t>(bins)), edge_(std::move(edge)), beyond_(edge_.size() * bins_) {
    GS_ASSERT(std::ranges::is_sorted(edge_));
    std::fill_n(beyond_.data(), beyond_.size(), Real(0));
    for (std::int32_t face = 0; std::cmp_less(face, edge_.size()); ++face) {
        const auto after = std::ranges::upper_bound(mesh.edge_offset, edge_[face]);
        const auto cell = static_cast<std::int32_t>(after - mesh.edge_offset.begin()) - 1;
        if (cells_.empty() || cells_.back().cell != cell) cells_.push_back({cell, face, face});
        cells_.back().end = face + 1;
    }
}

Inflow::CellFaces Inflow::find(std::int32_t cell) const {
    const auto found = std::ranges::lower_bound(cells_, cell, {}, &CellFaces::cell);
    return found != cells_.end() && found->cell == cell ? *found : CellFaces{cell, 0, 0};
}

const Real* Inflow::beyond_edge(std::int32_t edge) const {
    const auto found = std::ranges::lower_bound(edge_, edge);
    if (found == edge_.end() || *found != edge) return nullptr;
    return beyond_.data() + static_cast<std::size_t>(found - edge_.begin()) * bins_;
}

void Inflow::add(const PropagationTables& tables, std::int32_t cell, Real* change, double dt) const {
    if (tables.flow && tables.flow->dry[cell]) return;
    const CellFaces faces = find(cell);
    for (std::int32_t face = faces.begin; face < faces.end; ++face)
        add_face(tables, cell, face, change, static_cast<Real>(dt));
}

void Inflow::add_face(const PropagationTables& t, std::int32_t cell, std::int32_t face, Real* change,
                      Real dt) const {
    const auto e = static_cast<std::size_t>(edge_[face]);
    const int n = t.grid.directions;
    const Real x = t.normal_x[e], y = t.normal_y[e];
    const Real drift = t.options.currents ? dt * t.flow->drift[e] : Real(0);
    const Real through = t.passing.empty() ? Real(1) : t.passing[e];
    // Second order takes M of what is upstream of waves and water together.
    const bool together = t.options.scheme == PropagationScheme::second_order;
    const Real with_waves = together ? drift : Real(0),
               alone = together ? Real(0) : std::max(Real(0), -drift);
    const Real* __restrict cosine = t.cosine.data();
    const Real* __restrict sine = t.sine.data();
    for (int f = 0; f < t.grid.frequencies; ++f) {
        const Real k = t.wave_numbers(cell)[f];
        const Real speed = dt * t.rate[e] * edge_wave_number(k, k) * t.ratios(cell)[f];
        const Real* __restrict there =
            beyond_.data() + static_cast<std::size_t>(face) * bins_ + static_cast<std::size_t>(f * n);
        Real* __restrict to = change + f * n;
#pragma omp simd
        for (int d = 0; d < n; ++d) {
            const Real along = x * cosine[d] + y * sine[d];
            to[d] += through * share_from_outside(speed, along, with_waves, alone) * there[d];
        }
    }
}

}  // namespace groundswell::sea
