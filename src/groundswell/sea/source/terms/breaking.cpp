#include <array>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class DepthBreaking : public FormulaTerm<DepthBreakingFormula> {
public:
    static constexpr auto gamma =
        Coefficient("breaking_gamma", 0.73, 0.1, 2, "", "largest wave height over depth",
                    "Battjes & Janssen 1978; Battjes & Stive 1985");
    static constexpr auto alpha = Coefficient("breaking_alpha", 1.0, 0, 10, "",
                                              "strength of depth-induced breaking", "Battjes & Janssen 1978");
    static constexpr std::array coefficients{gamma, alpha};

    DepthBreaking(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {options[gamma], options[alpha]}) {}
    std::string_view name() const override { return "breaking"; }
};

SourceTermKind breaking() {
    return describe<DepthBreaking>("breaking", {DepthBreaking::coefficients}, 60);
}

}  // namespace groundswell::sea::terms
