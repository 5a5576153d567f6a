#include <array>

#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Breaking in water too shallow for the waves (Battjes & Janssen 1978, doi:10.1061/9780872621909.034):
/// of the waves a share Q with (1 - Q)/ln Q = -(Hrms/Hm)², Hm = γd, break and lose energy as bores,
/// dm0/dt = -(α/4) Q f̄ Hm², at the same relative rate in every bin (Eldeberky & Battjes 1996). The rate falls
/// steeply with m0, so this ordinary differential equation is followed through the step.
class DepthBreaking : public SourceTerm {
public:
    static constexpr auto gamma =
        Coefficient("breaking_gamma", 0.73, 0.1, 2, "", "largest wave height over depth",
                    "Battjes & Janssen 1978; Battjes & Stive 1985");
    static constexpr auto alpha = Coefficient("breaking_alpha", 1.0, 0, 10, "",
                                              "strength of depth-induced breaking", "Battjes & Janssen 1978");
    static constexpr std::array coefficients{gamma, alpha};

    DepthBreaking(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "breaking"; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double gamma_, alpha_;
};

DepthBreaking::DepthBreaking(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)), gamma_(options[gamma]), alpha_(options[alpha]) {}

void DepthBreaking::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    const double highest = gamma_ * gamma_ * sea.depth * sea.depth;
    const Real decay = static_cast<Real>(mean_loss(sea.variance, sea.step, [&](double variance) {
        return 0.25 * alpha_ * breaking_share(8.0 * variance / highest) * sea.first_moment_frequency *
               highest / variance;
    }));
    if (decay == Real(0)) return;
    for (int i = 0; i < grid_->frequency_lanes; ++i) sum.decay[i] += decay;
}

SourceTermKind breaking() {
    return describe<DepthBreaking>("breaking", {DepthBreaking::coefficients}, 60);
}

}  // namespace groundswell::sea::terms
