#include <algorithm>
#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Dissipation by waves that break where the spectrum is above a threshold, and by longer ones that break (Rogers et al. 2012,
/// doi:10.1175/JTECH-D-11-00092.1, section 2, after Babanin et al. 2010, as in Zieger et al. 2015,
/// doi:10.1016/j.ocemod.2015.07.014), with x = max(0, E(f) - E_T(f))/E_T(f), E_T = 2π ε/(cg k³):
///   S = -[a1 f x^p1 + a2 ∫ x^p2 df'] E(f, θ), the integral over frequencies up to f.
/// Of its sum every frequency has half of its width: what a2 was found with (WAVEWATCH III 7.14, ST6).
class WhitecappingThreshold : public SourceTerm {
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
        : grid_(std::move(grid)),
          breaking_(options[breaking]),
          cumulative_(options[cumulative]),
          breaking_power_(options[breaking_power]),
          cumulative_power_(options[cumulative_power]),
          threshold_(base::two_pi * options[steepness] * options[steepness]) {}
    std::string_view name() const override { return "whitecapping_threshold"; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double breaking_, cumulative_, breaking_power_, cumulative_power_, threshold_;
};

void WhitecappingThreshold::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    Real* const rate = workspace.column_a.data();
    double longer = 0.0;
    for (int i = 0; i < g.frequencies; ++i) {
        const double k = sea.wave_number[i];
        const double excess = sea.row_energy[i] * sea.group_speed[i] * k * k * k / threshold_ - 1.0;
        double own = 0.0;
        if (excess > 0.0) {
            const double logarithm = exec::lanes::log(excess);
            own = breaking_ * g.frequency[i] * exec::lanes::exp(breaking_power_ * logarithm);
            longer += 0.5 * g.width[i] * exec::lanes::exp(cumulative_power_ * logarithm);
        }
        rate[i] = static_cast<Real>(-std::min(own + cumulative_ * longer, 1e30));
    }
    add_rates(RegisterTeam{}, g, sea, rate, sum);
}

SourceTermKind whitecapping_threshold() {
    return describe<WhitecappingThreshold>("whitecapping_threshold", {WhitecappingThreshold::coefficients},
                                           30);
}

}  // namespace groundswell::sea::terms
