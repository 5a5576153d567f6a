#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class BottomFriction : public FormulaTerm<BottomFrictionFormula> {
public:
    static constexpr auto strength = Coefficient("bottom_friction", 0.038, 0, 1, "m2 s-3",
                                                 "Gamma of the bottom friction: 0.038 swell, 0.067 wind sea",
                                                 "Hasselmann et al. 1973 (JONSWAP); Bouws & Komen 1983");
    static constexpr std::array coefficients{strength};

    BottomFriction(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {static_cast<Real>(2.0 * options[strength] / base::gravity)}) {}
    std::string_view name() const override { return "bottom_friction"; }
};

SourceTermKind bottom_friction() {
    return describe<BottomFriction>("bottom_friction", {BottomFriction::coefficients}, 50);
}

}  // namespace groundswell::sea::terms
