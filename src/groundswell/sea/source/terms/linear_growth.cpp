#include "groundswell/sea/source/terms/formulas/linear_growth.hpp"

#include <array>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class LinearGrowth : public FormulaTerm<LinearGrowthFormula> {
public:
    static constexpr auto strength =
        Coefficient("linear_growth", 80.0, 0, 1e4, "", "strength of the growth from calm",
                    "Cavaleri & Malanotte-Rizzoli 1981; Tolman 1992");
    static constexpr auto filter_ratio =
        Coefficient("linear_growth_filter", 1.0, 0, 10, "",
                    "filter frequency over that of Pierson & Moskowitz", "Tolman 1992");
    static constexpr std::array coefficients{strength, filter_ratio};

    LinearGrowth(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : FormulaTerm(std::move(grid), {growth(options), options[filter_ratio]}) {}
    std::string_view name() const override { return "linear_growth"; }

private:
    static double growth(const PhysicsOptions& options) {
        const double density_ratio = options[common::air_density] / options[common::water_density];
        return options[strength] * density_ratio * density_ratio / (base::gravity * base::gravity);
    }
};

SourceTermKind linear_growth() {
    return describe<LinearGrowth>("linear_growth", {LinearGrowth::coefficients}, 20);
}

}  // namespace groundswell::sea::terms
