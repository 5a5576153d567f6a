#include <array>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class BottomFrictionMadsen : public FormulaTerm<BottomFrictionMadsenFormula> {
public:
    static constexpr auto roughness =
        Coefficient("bottom_roughness", 0.05, 1e-5, 1, "m", "K_N, roughness length of the sea bed",
                    "Madsen, Poon & Graber 1988, doi:10.1061/9780872626874.035; SWAN: 0.05");
    static constexpr std::array coefficients{roughness};

    BottomFrictionMadsen(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {options[roughness]}) {}
    std::string_view name() const override { return "bottom_friction_madsen"; }
};

SourceTermKind bottom_friction_madsen() {
    return describe<BottomFrictionMadsen>("bottom_friction_madsen", {BottomFrictionMadsen::coefficients}, 50);
}

}  // namespace groundswell::sea::terms
