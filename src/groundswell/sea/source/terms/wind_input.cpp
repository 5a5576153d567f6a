#include "groundswell/sea/source/terms/formulas/wind_input.hpp"

#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class WindInput : public WindFormulaTerm<WindInputFormula> {
public:
    static constexpr auto growth_shift = Coefficient(
        "growth_shift", 0.0, 0, 1, "", "share of z_alpha in the factor (u*/c)^2 of the growth too",
        "WAVEWATCH III 7.14, ST4: 1; ecWAM: 0");
    static constexpr auto sheltering =
        Coefficient("sheltering", 0.0, 0, 1, "",
                    "s_u, share of the stress of longer waves taken from shorter ones", AirSea::ardhuin);
    static constexpr std::array coefficients{growth_shift, sheltering};

    WindInput(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : WindFormulaTerm(grid, formula(options, grid->directions)) {}
    std::string_view name() const override { return "wind_input"; }

private:
    static WindInputFormula formula(const PhysicsOptions& options, int directions) {
        WindInputFormula all{AirSea(options), GravityCapillary(options, directions),
                             SwellDissipation(options), Cutoff(options)};
        all.density_ratio = options[common::air_density] / options[common::water_density];
        all.growth = static_cast<Real>(options[AirSea::growth] / (base::von_karman * base::von_karman) *
                                       all.density_ratio);
        all.shift = static_cast<Real>(options[AirSea::wave_age_shift]);
        all.growth_shift = static_cast<Real>(options[growth_shift] * options[AirSea::wave_age_shift]);
        all.sheltering = static_cast<Real>(options[sheltering]);
        return all;
    }
};

SourceTermKind wind_input() {
    return describe<WindInput>("wind_input",
                               {AirSea::coefficients, GravityCapillary::coefficients, WindInput::coefficients,
                                SwellDissipation::coefficients, Cutoff::coefficients},
                               10);
}

}  // namespace groundswell::sea::terms
