#include "groundswell/sea/source/terms/formulas/wind_donelan.hpp"

#include <array>
#include <vector>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

namespace {

constexpr double highest_frequency = 10.0;  // Hz, of the waves that take stress

}  // namespace

class WindDonelan : public WindFormulaTerm<WindDonelanFormula> {
public:
    static constexpr auto speed = Coefficient(
        "donelan_speed", 32.0, 1, 100, "", "Upsilon, wind that the waves feel over the friction velocity",
        "WAVEWATCH III 7.14, ST6: 32; Rogers et al. 2012, doi:10.1175/JTECH-D-11-00092.1: 28");
    static constexpr auto negative = Coefficient(
        "donelan_negative", 0.09, 0, 1, "", "a_0, strength of the decay of waves that outrun the wind",
        "Zieger et al. 2015, doi:10.1016/j.ocemod.2015.07.014; WAVEWATCH III 7.14, ST6");
    static constexpr auto drag =
        Coefficient("donelan_drag", 1.0, 0.1, 10, "", "factor of the drag coefficient of the wind",
                    "Hwang 2011, doi:10.1175/2010JTECHO812.1: 1");
    static constexpr std::array coefficients{speed, negative, drag};

    WindDonelan(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : WindFormulaTerm(
              std::move(grid),
              {Cutoff(options), options[drag], options[common::air_density] / options[common::water_density],
               static_cast<Real>(options[speed]), static_cast<Real>(options[negative])}) {
        double f = grid_->frequency[grid_->frequencies - 1];
        while ((f *= grid_->ratio) < highest_frequency) shorter_.push_back(static_cast<Real>(f));
        formula_.shorter = shorter_;
    }
    std::string_view name() const override { return "wind_donelan"; }

private:
    std::vector<Real> shorter_;  // of the formula
};

SourceTermKind wind_donelan() {
    return describe<WindDonelan>("wind_donelan", {WindDonelan::coefficients, Cutoff::coefficients}, 10);
}

}  // namespace groundswell::sea::terms
