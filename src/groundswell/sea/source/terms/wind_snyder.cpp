#include "groundswell/sea/source/terms/formulas/wind_snyder.hpp"

#include <array>

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class WindSnyder : public WindFormulaTerm<WindSnyderFormula> {
public:
    static constexpr std::string_view komen =
        "Komen et al. 1984, doi:10.1175/1520-0485(1984)014<1271:OTEOAF>2.0.CO;2";
    static constexpr auto strength =
        Coefficient("snyder_growth", 0.25, 0, 10, "", "strength of the growth by wind", komen);
    static constexpr auto speed = Coefficient("snyder_speed", 28.0, 1, 100, "",
                                              "wind that the waves feel, over the friction velocity", komen);
    static constexpr std::array coefficients{strength, speed};

    WindSnyder(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : WindFormulaTerm(std::move(grid),
                          {Cutoff(options),
                           static_cast<Real>(options[strength] * options[common::air_density] /
                                             options[common::water_density]),
                           static_cast<Real>(options[speed])}) {}
    std::string_view name() const override { return "wind_snyder"; }
};

SourceTermKind wind_snyder() {
    return describe<WindSnyder>("wind_snyder", {WindSnyder::coefficients, Cutoff::coefficients}, 10);
}

}  // namespace groundswell::sea::terms
