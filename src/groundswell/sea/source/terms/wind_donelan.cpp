#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/formulas/bulk_drag.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/formulas/cutoff.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/team.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

using lanes::Lane, lanes::load;

namespace {

constexpr double highest_frequency = 10.0;  // Hz, of the waves that take stress

// G √B_n w² with G = 2.8 - (1 + tanh(10 √B_n w² - 11)): the air separates from steep waves that it outruns by much.
Lane sheltered_growth(Real root_saturation, Lane w) {
    const Lane x = root_saturation * w * w;
    const Lane e = exec::lanes::exp_of_each(Real(22) - Real(20) * x);
    return (Real(2.8) - Real(2) / (e + Real(1))) * x;
}

}  // namespace

/// Growth of waves by wind, and decay of waves that run against it or outrun it (Donelan et al. 2006, doi:10.1175/JPO2933.1; Rogers
/// et al. 2012, doi:10.1175/JTECH-D-11-00092.1, section 2; the negative part as in Zieger et al. 2015,
/// doi:10.1016/j.ocemod.2015.07.014):
///   S = (ρa/ρw) σ G √B_n (L W1 - a0 W2) E, W1 = max(0, w)², W2 = min(0, w)², w = Υ u*/c cos - 1.
/// L = min(1, exp(μ (1 - Υ u*/c))) holds the stress of waves of up to 10 Hz, where S ∝ f⁻², and of the air's viscosity
/// (Tsagareli et al. 2010, doi:10.1175/2009JPO4345.1) at that of the wind, by Hwang's drag.
class WindDonelan : public WindTerm {
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

    WindDonelan(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "wind_donelan"; }
    void meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const override;
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    struct Stress {
        double x, y;
    };
    // How much faster than a wave the wind is that it feels: Υ u*/c cos - 1 for a register of directions.
    Lane outrun(const SeaCell& sea, int i, int j) const {
        const LaneGrid& g = *grid_;
        const Real felt = speed_ * sea.friction_velocity * sea.inverse_phase_speed[i];
        const Lane along =
            lanes::multiply_add(sea.wind_x, load(g.cosine.data() + j), sea.wind_y * load(g.sine.data() + j));
        return felt * along - Real(1);
    }
    Stress wave_stress(const SeaCell& sea, double reduction, const Real* flux_x, const Real* flux_y,
                       Stress* slope) const;
    double reduction(const SeaCell& sea, const Real* flux_x, const Real* flux_y) const;

    std::shared_ptr<const LaneGrid> grid_;
    Cutoff cutoff_;
    double drag_, density_ratio_;
    Real speed_, negative_;
    int used_;                 ///< directions rounded up to whole registers
    std::vector<Real> short_;  ///< frequencies of the same series beyond the last one, Hz
};

WindDonelan::WindDonelan(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)),
      cutoff_(options),
      drag_(options[drag]),
      density_ratio_(options[common::air_density] / options[common::water_density]),
      speed_(static_cast<Real>(options[speed])),
      negative_(static_cast<Real>(options[negative])),
      used_(round_up(grid_->directions, lanes::width)) {
    double f = grid_->frequency[grid_->frequencies - 1];
    while ((f *= grid_->ratio) < highest_frequency) short_.push_back(static_cast<Real>(f));
}

// Kinematic stress, and its derivative by μ, with the fluxes of each frequency times L.
WindDonelan::Stress WindDonelan::wave_stress(const SeaCell& sea, double mu, const Real* flux_x,
                                             const Real* flux_y, Stress* slope) const {
    const LaneGrid& g = *grid_;
    const double wind = static_cast<double>(speed_) * sea.friction_velocity;
    Stress all{0, 0};
    *slope = {0, 0};
    const auto take = [&](double inverse_speed, double share, int i) {
        const double exponent = std::min(1.0 - wind * inverse_speed, 0.0);
        const double part = share * exec::lanes::exp(mu * exponent);
        all.x += part * flux_x[i];
        all.y += part * flux_y[i];
        slope->x += exponent * part * flux_x[i];
        slope->y += exponent * part * flux_y[i];
    };
    const int last = g.frequencies - 1;
    // The last frequency stands for a whole interval of the series, as the shorter ones do.
    const double wide = 0.5 * (g.ratio - 1.0 / g.ratio);
    for (int i = 0; i <= last; ++i)
        take(sea.inverse_phase_speed[i], i < last ? g.width[i] : wide * g.frequency[i], i);
    for (const Real f : short_) {
        const double falls = g.frequency[last] / f;
        const double inverse = base::two_pi * f / base::gravity;
        take(inverse, wide * f * falls * falls * inverse / sea.inverse_phase_speed[last], last);
    }
    return all;
}

// μ ≥ 0 at which waves and viscosity take no more than the wind gives; what they take falls with μ, ever more slowly, so
// Newton's steps come from below.
double WindDonelan::reduction(const SeaCell& sea, const Real* flux_x, const Real* flux_y) const {
    const double u = sea.friction_velocity, wind = sea.wind_speed;
    const double all = u * u;
    const double viscous = std::min(std::max(1.1e-3 - 5e-5 * wind, 0.0) * wind * wind, 0.95 * all);
    double mu = 0.0;
    for (int step = 0; step < 30; ++step) {
        Stress slope;
        const Stress waves = wave_stress(sea, mu, flux_x, flux_y, &slope);
        const double x = waves.x + viscous * sea.wind_x, y = waves.y + viscous * sea.wind_y;
        const double size = std::sqrt(x * x + y * y);
        const double falls = (x * slope.x + y * slope.y) / size;
        if (!(size > all * (1.0 + 1e-6)) || !(falls < 0.0)) break;
        mu += (all - size) / falls;
    }
    return mu;
}

void WindDonelan::meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    const double wind = sea.wind_speed;
    set_drag(drag_ * drag_of_hwang(wind), sea, state);
    Real* const saturation = workspace.column_a.data();
    Real* const fed = workspace.column_b.data();
    Real* const flux_x = workspace.column_c.data();
    Real* const flux_y = workspace.column_d.data();
    find_saturation(RegisterTeam{}, g, sea, saturation);
    // ρw g/ρa · k/σ · Δθ turns S into kinematic stress for 1 Hz.
    const Real to_stress = static_cast<Real>(base::gravity / density_ratio_) * g.direction_width;
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real scale = static_cast<Real>(density_ratio_) * g.sigma[i];
        const Real root = std::sqrt(saturation[i]);
        lanes::RowSum sum, x, y;
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane w = lanes::within(j, g.directions, lanes::positive_part(outrun(sea, i, j)));
            const Lane here = load(sea.energy + row + j), rate = scale * sheltered_growth(root, w);
            lanes::store(workspace.growth.data() + row + j, rate);
            sum.add(j, w > 0 ? here : Lane{});
            x.add_product(j, rate * here, load(g.cosine.data() + j));
            y.add_product(j, rate * here, load(g.sine.data() + j));
        }
        fed[i] = sum.total() * g.direction_width;
        flux_x[i] = x.total() * to_stress * sea.inverse_phase_speed[i];
        flux_y[i] = y.total() * to_stress * sea.inverse_phase_speed[i];
    }
    cutoff_.find(RegisterTeam{}, g, fed, sea);
    const double mu = reduction(sea, flux_x, flux_y);
    Stress slope;
    const Stress stress = wave_stress(sea, mu, flux_x, flux_y, &slope);
    state.wave_stress_x = static_cast<Real>(stress.x);
    state.wave_stress_y = static_cast<Real>(stress.y);
    if (mu == 0.0) return;
    for (int i = 0; i < g.frequencies; ++i) {
        const double felt = static_cast<double>(speed_) * sea.friction_velocity * sea.inverse_phase_speed[i];
        const Real factor = static_cast<Real>(exec::lanes::exp(mu * std::min(1.0 - felt, 0.0)));
        Real* const rate = workspace.growth.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
        for (int j = 0; j < used_; j += lanes::width) lanes::store(rate + j, factor * load(rate + j));
    }
}

void WindDonelan::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    Real* const saturation = workspace.column_a.data();
    find_saturation(RegisterTeam{}, g, sea, saturation);
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real scale = negative_ * static_cast<Real>(density_ratio_) * g.sigma[i];
        const Real root = std::sqrt(saturation[i]);
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane w = lanes::negative_part(outrun(sea, i, j));
            const Lane rate = load(workspace.growth.data() + row + j) - scale * sheltered_growth(root, w);
            add_rate(sea, row + j, rate, sum);
        }
    }
}

SourceTermKind wind_donelan() {
    return describe<WindDonelan>("wind_donelan", {WindDonelan::coefficients, Cutoff::coefficients}, 10);
}

}  // namespace groundswell::sea::terms
