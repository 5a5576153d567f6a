#include <array>
#include <cmath>

#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Decay of waves that do not break, by turbulence that they make in the water (Babanin 2011; Zieger et al. 2015,
/// doi:10.1016/j.ocemod.2015.07.014, section on swell): S = -⅔ b σ √B_n E with b = B 2√m0 k_p, where the wave number of the
/// peak is the mean of k with the weights E(f)⁴ (Young 1999).
class SwellTurbulence : public SourceTerm {
public:
    static constexpr auto strength =
        Coefficient("swell_turbulence", 4.1e-3, 0, 10, "", "B_1, decay of swell by turbulence in the water",
                    "WAVEWATCH III 7.14, ST6; form: Zieger et al. 2015, doi:10.1016/j.ocemod.2015.07.014");
    static constexpr std::array coefficients{strength};

    SwellTurbulence(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)), strength_(options[strength]) {}
    std::string_view name() const override { return "swell_turbulence"; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double strength_;
};

void SwellTurbulence::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    double weights = 0.0, peak = 0.0;
    for (int i = 0; i < g.frequencies; ++i) {
        const double square = static_cast<double>(sea.row_energy[i]) * sea.row_energy[i];
        weights += square * square * g.width[i];
        peak += square * square * g.width[i] * sea.wave_number[i];
    }
    if (!(weights > 0.0)) return;
    Real* const saturation = workspace.column_a.data();
    find_saturation(g, sea, saturation);
    const double steepness = 2.0 * std::sqrt(static_cast<double>(sea.variance)) * peak / weights;
    const Real scale = static_cast<Real>(2.0 / 3.0 * strength_ * steepness);
    for (int i = 0; i < g.frequencies; ++i) sum.decay[i] += scale * g.sigma[i] * std::sqrt(saturation[i]);
}

SourceTermKind swell_turbulence() {
    return describe<SwellTurbulence>("swell_turbulence", {SwellTurbulence::coefficients}, 35);
}

}  // namespace groundswell::sea::terms
