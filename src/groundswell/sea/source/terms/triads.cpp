#include "groundswell/sea/source/terms/formulas/triads.hpp"

#include <array>
#include <cmath>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class Triads : public FormulaTerm<TriadsFormula> {
public:
    static constexpr std::string_view swan = "Eldeberky 1996; values of SWAN and of WAVEWATCH III 7.14, TR1";
    static constexpr auto strength =
        Coefficient("triads", 0.05, 0, 10, "", "alpha, strength of the triad interaction", swan);
    static constexpr auto highest =
        Coefficient("triads_mean_frequency", 2.5, 1, 10, "",
                    "triads up to this multiple of the mean frequency m1/m0", swan);
    static constexpr auto least = Coefficient("triads_ursell", 0.01, 0, 10, "",
                                              "triads only where the Ursell number is above this", swan);
    static constexpr std::array coefficients{strength, highest, least};

    Triads(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {options[strength], options[highest], options[least]}) {
        const double r = grid_->ratio;
        formula_.down = static_cast<int>(std::ceil(std::log(2.0) / std::log(r) - 1e-9));
        const double below = std::pow(r, -formula_.down), part = (0.5 - below) / (below * r - below);
        formula_.first = static_cast<Real>(1.0 - part), formula_.second = static_cast<Real>(part);
    }
    std::string_view name() const override { return "triads"; }
};

SourceTermKind triads() {
    return describe<Triads>("triads", {Triads::coefficients}, 70);
}

}  // namespace groundswell::sea::terms
