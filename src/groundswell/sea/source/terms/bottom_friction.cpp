#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Friction at the sea bed: decay at the rate 2Γ k/(g sinh 2kd), which is 2Γ/g² σ²/(2 sinh² kd) (Hasselmann
/// et al. 1973, JONSWAP; Bouws & Komen 1983, doi:10.1175/1520-0485(1983)013<1653:OTBBGA>2.0.CO;2).
class BottomFriction : public SourceTerm {
public:
    static constexpr auto strength = Coefficient("bottom_friction", 0.038, 0, 1, "m2 s-3",
                                                 "Gamma of the bottom friction: 0.038 swell, 0.067 wind sea",
                                                 "Hasselmann et al. 1973 (JONSWAP); Bouws & Komen 1983");
    static constexpr std::array coefficients{strength};

    BottomFriction(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "bottom_friction"; }
    Partner partner() const override { return Partner::bottom; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    Real strength_;
};

BottomFriction::BottomFriction(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)), strength_(static_cast<Real>(2.0 * options[strength] / base::gravity)) {}

void BottomFriction::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    const Real* __restrict wave_number = sea.wave_number;
    Real* __restrict decay = sum.decay;
    const Real depth = sea.depth, scale = strength_;
    if (wave_number[0] * depth > Real(20)) return;  // no wave of this grid feels the bottom
#pragma omp simd
    for (int i = 0; i < grid_->frequency_lanes; ++i) {
        const Real argument = Real(2) * wave_number[i] * depth;
        const Real growing = exec::lanes::exp(argument < Real(50) ? argument : Real(50));
        // sinh x = (e^x - e^-x)/2; x is at least 2 k d of the longest wave, so nothing cancels badly.
        const Real sinh = Real(0.5) * (growing - Real(1) / growing);
        decay[i] += scale * wave_number[i] / sinh;
    }
}

SourceTermKind bottom_friction() {
    return describe<BottomFriction>("bottom_friction", {BottomFriction::coefficients}, 50);
}

}  // namespace groundswell::sea::terms
