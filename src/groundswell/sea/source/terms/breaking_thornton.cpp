#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Breaking in water too shallow for the waves, with the observed heights of breakers (Thornton & Guza 1983,
/// doi:10.1029/JC088iC10p05925, eq. 26):
///   dm0/dt = -(3√π/16) B³ f̄ H⁵/(γ² d³) [1 - (1 + (H/γd)²)^(-5/2)], H² = 8 m0,
/// with the mean frequency m1/m0 for f̄, at the same relative rate in every bin. Followed through the step.
class BreakingThornton : public SourceTerm {
public:
    static constexpr std::string_view thornton = "Thornton & Guza 1983, doi:10.1029/JC088iC10p05925";
    static constexpr auto gamma = Coefficient("thornton_gamma", 0.42, 0.1, 2, "",
                                              "root-mean-square height of breakers over depth", thornton);
    static constexpr auto intensity =
        Coefficient("thornton_intensity", 1.54, 0, 5, "", "B, share of the front that is foam", thornton);
    static constexpr std::array coefficients{gamma, intensity};

    BreakingThornton(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)),
          gamma_(options[gamma]),
          scale_(3.0 * std::sqrt(base::pi) / 16.0 * std::pow(options[intensity], 3)) {}
    std::string_view name() const override { return "breaking_thornton"; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double gamma_, scale_;
};

void BreakingThornton::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    const double highest = gamma_ * gamma_ * sea.depth * sea.depth;
    const double scale = scale_ * sea.first_moment_frequency / (highest * sea.depth);
    const Real decay = static_cast<Real>(mean_loss(sea.variance, sea.step, [&](double variance) {
        const double square = 8.0 * variance, part = 1.0 + square / highest;
        const double share = 1.0 - 1.0 / (part * part * std::sqrt(part));
        return 8.0 * scale * square * std::sqrt(square) * share;
    }));
    for (int i = 0; i < grid_->frequency_lanes; ++i) sum.decay[i] += decay;
}

SourceTermKind breaking_thornton() {
    return describe<BreakingThornton>("breaking_thornton", {BreakingThornton::coefficients}, 60);
}

}  // namespace groundswell::sea::terms
