#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "groundswell/sea/source/team.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Friction at a rough sea bed (Madsen, Poon & Graber 1988, doi:10.1061/9780872626874.035): decay at the rate 2C k/(g sinh 2kd),
/// C = f_w g U/√2, U² = Σ E σ²/sinh² kd, with the friction factor of Jonsson (1966, doi:10.1061/9780872620087.008),
///   1/(4√f_w) + log10 1/(4√f_w) = -0.08 + log10 a/K, a² = 2 Σ E/sinh² kd; 0.3 where a/K < 1.57.
class BottomFrictionMadsen : public SourceTerm {
public:
    static constexpr auto roughness =
        Coefficient("bottom_roughness", 0.05, 1e-5, 1, "m", "K_N, roughness length of the sea bed",
                    "Madsen, Poon & Graber 1988, doi:10.1061/9780872626874.035; SWAN: 0.05");
    static constexpr std::array coefficients{roughness};

    BottomFrictionMadsen(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)), roughness_(options[roughness]) {}
    std::string_view name() const override { return "bottom_friction_madsen"; }
    Partner partner() const override { return Partner::bottom; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double roughness_;
};

namespace {

// Newton from above on x + log10 x = c, x = 1/(4√f): concave, so that from its right side it comes down.
double friction_factor(double amplitude_over_roughness) {
    if (amplitude_over_roughness < 1.57) return 0.3;
    const double c = -0.08 + std::log10(amplitude_over_roughness);
    double x = std::max(c, 0.3);
    for (int iteration = 0; iteration < 20; ++iteration) {
        const double change = (x + std::log10(x) - c) / (1.0 + 0.43429448190325182 / x);
        x -= change;
        if (std::abs(change) < 1e-9) break;
    }
    return 1.0 / (16.0 * x * x);
}

}  // namespace

void BottomFrictionMadsen::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    const LaneGrid& g = *grid_;
    double speed = 0.0, amplitude = 0.0;  // squares
    for (int i = 0; i < g.frequencies; ++i) {
        const double argument = static_cast<double>(sea.wave_number[i]) * sea.depth;
        if (argument > 20.0) break;  // no shorter wave feels the bottom
        const double growing = exec::lanes::exp(argument), sinh = 0.5 * (growing - 1.0 / growing);
        const double part = sea.row_energy[i] * g.width[i] / (sinh * sinh);
        speed += part * g.sigma[i] * g.sigma[i];
        amplitude += part;
    }
    if (!(amplitude > 0.0)) return;
    const double factor = friction_factor(std::sqrt(2.0 * amplitude) / roughness_);
    add_bottom_decay(RegisterTeam{}, g, sea, static_cast<Real>(std::sqrt(2.0 * speed) * factor), sum.decay);
}

SourceTermKind bottom_friction_madsen() {
    return describe<BottomFrictionMadsen>("bottom_friction_madsen", {BottomFrictionMadsen::coefficients}, 50);
}

}  // namespace groundswell::sea::terms
