#include "groundswell/sea/source/terms/breaking.hpp"

#include <cmath>

#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea {

DepthBreaking::DepthBreaking(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)), gamma_(options.breaking_gamma), alpha_(options.breaking_alpha) {}

double DepthBreaking::breaking_share(double height_ratio_square) {
    if (height_ratio_square >= 1.0) return 1.0;
    if (height_ratio_square < 0.04) return 0.0;  // Q < e^-25
    // Q = exp(-(1 - Q)/b²) has the root 1 too; Newton from below finds the smaller one, monotonically.
    const double inverse = 1.0 / height_ratio_square;
    double share = exec::lanes::exp(-inverse);
    for (int iteration = 0; iteration < 50; ++iteration) {
        const double e = exec::lanes::exp(-inverse * (1.0 - share));
        const double change = (e - share) / (1.0 - inverse * e);
        share += change;
        if (std::abs(change) <= 1e-9 * share) break;
    }
    return share < 1.0 ? share : 1.0;
}

double DepthBreaking::rate(double variance, double frequency, double depth) const {
    const double highest_square = gamma_ * gamma_ * depth * depth;
    return 0.25 * alpha_ * breaking_share(8.0 * variance / highest_square) * frequency * highest_square /
           variance;
}

void DepthBreaking::add(SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    double variance = sea.variance;
    if (variance <= 0.0) return;
    double remaining = sea.step, lost = 0.0;
    for (int substep = 0; substep < 1000 && remaining > 0.0; ++substep) {
        const double now = rate(variance, sea.first_moment_frequency, sea.depth);
        if (now * remaining < 1e-12) break;
        const double part = now * remaining > 0.1 ? 0.1 / now : remaining;
        lost += now * part;
        variance *= exec::lanes::exp(-now * part);
        remaining -= part;
    }
    if (lost == 0.0) return;
    const Real decay = static_cast<Real>(lost / sea.step);
    for (int i = 0; i < grid_->frequency_lanes; ++i) sum.decay[i] += decay;
}

namespace terms {
SourceTermKind breaking() {
    return {"breaking", &make<DepthBreaking>, 60};
}
}  // namespace terms

}  // namespace groundswell::sea
