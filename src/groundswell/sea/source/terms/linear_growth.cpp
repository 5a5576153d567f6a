#include <algorithm>
#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Growth from a calm sea, independent of the waves: in action density over wave number and direction
/// S = C (ρa/ρw)² g⁻² k⁻¹ (u* max(cos, 0))⁴ exp(-(f/f_filter)⁻⁴) (Cavaleri & Malanotte-Rizzoli 1981,
/// doi:10.1029/JC086iC11p10961, with the low-frequency filter of Tolman 1992,
/// doi:10.1175/1520-0485(1992)022<1095:EONOTP>2.0.CO;2).
class LinearGrowth : public SourceTerm {
public:
    static constexpr auto strength =
        Coefficient("linear_growth", 80.0, 0, 1e4, "", "strength of the growth from calm",
                    "Cavaleri & Malanotte-Rizzoli 1981; Tolman 1992");
    static constexpr auto filter_ratio =
        Coefficient("linear_growth_filter", 1.0, 0, 10, "",
                    "filter frequency over that of Pierson & Moskowitz", "Tolman 1992");
    static constexpr std::array coefficients{strength, filter_ratio};

    LinearGrowth(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "linear_growth"; }
    Partner partner() const override { return Partner::air; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double strength_, filter_;
};

LinearGrowth::LinearGrowth(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)), filter_(options[filter_ratio]) {
    const double density_ratio = options[common::air_density] / options[common::water_density];
    strength_ = options[strength] * density_ratio * density_ratio / (base::gravity * base::gravity);
}

void LinearGrowth::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    const double u = sea.friction_velocity;
    const double pierson_moskowitz = base::gravity / (28.0 * u);               // rad s⁻¹
    const double half_cutoff = 0.5 * base::two_pi * cutoff_frequency(g, sea);  // rad s⁻¹
    const double highest = 2.0 * g.sigma[g.frequencies - 1];
    const Real filter =
        static_cast<Real>(std::min(std::max(filter_ * pierson_moskowitz, half_cutoff), highest));
    const Real scale = static_cast<Real>(strength_ * u * u * u * u);

    // E(f, θ) df = σ N(k, θ) dk with dk/df = 2π/cg.
    Real* by_frequency = workspace.column_a.data();
    const Real *sigma = g.sigma.data(), *wave_number = sea.wave_number, *group_speed = sea.group_speed;
#pragma omp simd
    for (int i = 0; i < g.frequency_lanes; ++i) {
        const Real inverse = filter / sigma[i];
        const Real square = inverse * inverse;
        by_frequency[i] = scale * sigma[i] * static_cast<Real>(base::two_pi) /
                          (wave_number[i] * group_speed[i]) * exec::lanes::exp(-square * square);
    }
    const Real *cosine = g.cosine.data(), *sine = g.sine.data();
    for (int i = 0; i < g.frequencies; ++i) {
        if (sigma[i] < Real(0.5) * filter) continue;
        Real* __restrict source = sum.source + static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real here = by_frequency[i];
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            const Real along = cosine[j] * sea.wind_x + sine[j] * sea.wind_y;
            const Real bounded = along > Real(0) ? along : Real(0);
            const Real square = bounded * bounded;
            source[j] += here * square * square;
        }
    }
}

SourceTermKind linear_growth() {
    return describe<LinearGrowth>("linear_growth", {LinearGrowth::coefficients}, 20);
}

}  // namespace groundswell::sea::terms
