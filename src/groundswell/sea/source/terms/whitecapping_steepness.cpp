#include <array>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class WhitecappingSteepness : public FormulaTerm<WhitecappingSteepnessFormula> {
public:
    static constexpr std::string_view wamdi =
        "WAMDI Group 1988, doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2";
    static constexpr std::string_view bidlot =
        "Janssen 1991: 0.5; Bidlot, Janssen & Abdalla 2007, ECMWF Technical Memorandum 509: 0.6";
    static constexpr auto strength = Coefficient("steepness_whitecapping", 2.36e-5, 0, 100, "",
                                                 "C, whitecapping by the steepness of the sea", wamdi);
    static constexpr auto reference =
        Coefficient("steepness_reference", 3.02e-3, 1e-4, 1, "",
                    "alpha, steepness k^2 m0 to which that of the sea is compared", wamdi);
    static constexpr auto square = Coefficient("steepness_short_waves", 0.0, 0, 1, "",
                                               "delta, share that grows with the square of k", bidlot);
    static constexpr auto first_moment =
        Coefficient("steepness_first_moment", 0.0, 0, 1, "",
                    "1: means of sqrt(k) and the frequency; 0: of 1/sqrt(k) and the period",
                    "WAMDI Group 1988: 0; Bidlot, Janssen & Abdalla 2007: 1");
    static constexpr std::array coefficients{strength, reference, square, first_moment};

    WhitecappingSteepness(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {options[strength], options[reference], options[square],
                                        options[first_moment] >= 0.5 ? 1 : 0}) {}
    std::string_view name() const override { return "whitecapping_steepness"; }
};

SourceTermKind whitecapping_steepness() {
    return describe<WhitecappingSteepness>("whitecapping_steepness", {WhitecappingSteepness::coefficients},
                                           30);
}

}  // namespace groundswell::sea::terms
