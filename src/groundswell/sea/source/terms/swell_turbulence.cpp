#include <array>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class SwellTurbulence : public FormulaTerm<SwellTurbulenceFormula> {
public:
    static constexpr auto strength =
        Coefficient("swell_turbulence", 4.1e-3, 0, 10, "", "B_1, decay of swell by turbulence in the water",
                    "WAVEWATCH III 7.14, ST6; form: Zieger et al. 2015, doi:10.1016/j.ocemod.2015.07.014");
    static constexpr std::array coefficients{strength};

    SwellTurbulence(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {options[strength]}) {}
    std::string_view name() const override { return "swell_turbulence"; }
};

SourceTermKind swell_turbulence() {
    return describe<SwellTurbulence>("swell_turbulence", {SwellTurbulence::coefficients}, 35);
}

}  // namespace groundswell::sea::terms
