#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"
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

    BottomFriction(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)), scale_(static_cast<Real>(2.0 * options[strength] / base::gravity)) {}
    std::string_view name() const override { return "bottom_friction"; }
    Partner partner() const override { return Partner::bottom; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const override {
        add_bottom_decay(*grid_, sea, scale_, sum.decay);
    }

private:
    std::shared_ptr<const LaneGrid> grid_;
    Real scale_;
};

SourceTermKind bottom_friction() {
    return describe<BottomFriction>("bottom_friction", {BottomFriction::coefficients}, 50);
}

}  // namespace groundswell::sea::terms
