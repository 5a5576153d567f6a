#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class BreakingThornton : public FormulaTerm<BreakingThorntonFormula> {
public:
    static constexpr std::string_view thornton = "Thornton & Guza 1983, doi:10.1029/JC088iC10p05925";
    static constexpr auto gamma = Coefficient("thornton_gamma", 0.42, 0.1, 2, "",
                                              "root-mean-square height of breakers over depth", thornton);
    static constexpr auto intensity =
        Coefficient("thornton_intensity", 1.54, 0, 5, "", "B, share of the front that is foam", thornton);
    static constexpr std::array coefficients{gamma, intensity};

    BreakingThornton(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid),
                      {options[gamma], 3.0 * std::sqrt(base::pi) / 16.0 * std::pow(options[intensity], 3)}) {}
    std::string_view name() const override { return "breaking_thornton"; }
};

SourceTermKind breaking_thornton() {
    return describe<BreakingThornton>("breaking_thornton", {BreakingThornton::coefficients}, 60);
}

}  // namespace groundswell::sea::terms
