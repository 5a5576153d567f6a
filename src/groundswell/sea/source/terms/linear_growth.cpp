#include "groundswell/sea/source/terms/linear_growth.hpp"

#include <algorithm>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea {

LinearGrowth::LinearGrowth(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)), filter_(options.linear_growth_filter) {
    const double density_ratio = options.air_density / options.water_density;
    strength_ = options.linear_growth * density_ratio * density_ratio / (base::gravity * base::gravity);
}

void LinearGrowth::add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    const double u = sea.friction_velocity;
    const double pierson_moskowitz = base::gravity / (28.0 * u);               // rad s⁻¹
    const double half_cutoff = 0.5 * base::two_pi * cutoff_frequency(g, sea);  // rad s⁻¹
    const double highest = 2.0 * g.sigma[g.frequencies - 1];
    const Real filter =
        static_cast<Real>(std::min(std::max(filter_ * pierson_moskowitz, half_cutoff), highest));
    const Real scale = static_cast<Real>(strength_ * u * u * u * u);

    // E(f, θ) df = σ N(k, θ) dk with dk/df = 2π/cg.
    Real* strength = workspace.column_a.data();
    const Real *sigma = g.sigma.data(), *wave_number = sea.wave_number, *group_speed = sea.group_speed;
#pragma omp simd
    for (int i = 0; i < g.frequency_lanes; ++i) {
        const Real inverse = filter / sigma[i];
        const Real square = inverse * inverse;
        strength[i] = scale * sigma[i] * static_cast<Real>(base::two_pi) / (wave_number[i] * group_speed[i]) *
                      exec::lanes::exp(-square * square);
    }
    const Real *cosine = g.cosine.data(), *sine = g.sine.data();
    for (int i = 0; i < g.frequencies; ++i) {
        if (sigma[i] < Real(0.5) * filter) continue;
        Real* __restrict source = sum.source + static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real here = strength[i];
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            const Real along = cosine[j] * sea.wind_x + sine[j] * sea.wind_y;
            const Real bounded = along > Real(0) ? along : Real(0);
            const Real square = bounded * bounded;
            source[j] += here * square * square;
        }
    }
}

namespace terms {
SourceTermKind linear_growth() {
    return {"linear_growth", &make<LinearGrowth>, 20};
}
}  // namespace terms

}  // namespace groundswell::sea
