#include "groundswell/sea/source/terms/formulas/whitecapping_threshold.hpp"

#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class WhitecappingThreshold : public FormulaTerm<WhitecappingThresholdFormula> {
public:
    static constexpr std::string_view values = "WAVEWATCH III 7.14, ST6; form: Rogers et al. 2012";
    static constexpr auto breaking = Coefficient("threshold_breaking", 4.75e-6, 0, 1, "",
                                                 "a_1, waves that break above the threshold", values);
    static constexpr auto cumulative = Coefficient("threshold_cumulative", 7.0e-5, 0, 1, "",
                                                   "a_2, waves among longer ones that break", values);
    static constexpr auto breaking_power =
        Coefficient("threshold_power", 4.0, 1, 8, "", "p_1, power of the excess over the threshold", values);
    static constexpr auto cumulative_power =
        Coefficient("threshold_cumulative_power", 4.0, 1, 8, "", "p_2, the same for the longer ones", values);
    static constexpr auto steepness =
        Coefficient("threshold_steepness", 0.035, 1e-3, 1, "", "root of epsilon, saturation at the threshold",
                    "Babanin 2011; Rogers et al. 2012");
    static constexpr std::array coefficients{breaking, cumulative, breaking_power, cumulative_power,
                                             steepness};

    WhitecappingThreshold(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid),
                      {options[breaking], options[cumulative], options[breaking_power],
                       options[cumulative_power], base::two_pi * options[steepness] * options[steepness]}) {}
    std::string_view name() const override { return "whitecapping_threshold"; }
};

SourceTermKind whitecapping_threshold() {
    return describe<WhitecappingThreshold>("whitecapping_threshold", {WhitecappingThreshold::coefficients},
                                           30);
}

}  // namespace groundswell::sea::terms
