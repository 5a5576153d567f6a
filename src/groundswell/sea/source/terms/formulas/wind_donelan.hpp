#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/bulk_drag.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/formulas/cutoff.hpp"

namespace groundswell::sea::terms {

/// Growth of waves by wind, and decay of waves that run against it or outrun it (Donelan et al. 2006, doi:10.1175/JPO2933.1, eq. 3; Rogers
/// et al. 2012, doi:10.1175/JTECH-D-11-00092.1, eq. 6 for W1; the negative part as in Zieger et al. 2015, eq. 11,
/// doi:10.1016/j.ocemod.2015.07.014):
///   S = (ρa/ρw) σ G √B_n (L W1 - a0 W2) E, W1 = max(0, w)², W2 = min(0, w)², w = Υ u*/c cos - 1.
/// L = min(1, exp(μ (1 - Υ u*/c))) holds the stress of waves of up to 10 Hz, where S ∝ f⁻², and of the air's viscosity
/// (Tsagareli et al. 2010, doi:10.1175/2009JPO4345.1; manual of WAVEWATCH III 7.14, eqs. 2.155 and 2.157) at that of the wind, by Hwang's drag.
struct WindDonelanFormula {
    static constexpr Partner partner = Partner::air;
    Cutoff cutoff;
    double drag = 0, density_ratio = 0;  ///< factor of Hwang's drag, ρa/ρw
    Real speed = 0, negative = 0;        ///< Υ, a0
    std::span<const Real> shorter = {};  ///< frequencies of the same series beyond the last one, Hz

    /// As WindTerm::meet_air.
    template <class Team>
    constexpr void meet_air(const Team& team, const LaneTables& g, SeaCell& sea, SourceState& state,
                            const CellWork& work) const;
    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const;

    static constexpr void arrays(auto& formula, const auto& visit) { visit(formula.shorter); }

private:
    struct Stress {
        double x, y, slope_x, slope_y;  // m² s⁻², and derivatives by μ
    };
    // How much faster than waves of a frequency the wind is that they feel: Υ u*/c cos - 1 for a register of directions.
    template <class Lane>
    static constexpr Lane outrun(const SeaCell& sea, Real felt, const Real* cosine, const Real* sine) {
        const Lane along =
            lanes::multiply_add(sea.wind_x, lanes::load<Lane>(cosine), sea.wind_y * lanes::load<Lane>(sine));
        return felt * along - Real(1);
    }
    constexpr Real felt(const SeaCell& sea, int i) const {
        return speed * sea.friction_velocity * sea.inverse_phase_speed[i];
    }
    // G √B_n w² with G = 2.8 - (1 + tanh(10 √B_n w² - 11)): the air separates from steep waves that it outruns by much.
    template <class Lane>
    static constexpr Lane sheltered_growth(Real root_saturation, Lane w) {
        const Lane x = root_saturation * w * w;
        const Lane e = exec::lanes::exp_of_each(Real(22) - Real(20) * x);
        return (Real(2.8) - Real(2) / (e + Real(1))) * x;
    }

    // Kinematic stress of the waves with the fluxes of each frequency times L.
    template <class Team>
    constexpr Stress wave_stress(const Team& team, const LaneTables& g, const SeaCell& sea, double mu,
                                 const CellWork& work) const {
        const Real *const flux_x = work.column_c, *const flux_y = work.column_d;
        const double wind = static_cast<double>(speed) * sea.friction_velocity;
        const auto part = [&](double inverse_speed, double share, int i) {
            const double exponent = std::min(1.0 - wind * inverse_speed, 0.0);
            const double here = share * exec::lanes::exp(mu * exponent);
            return std::array{here * flux_x[i], here * flux_y[i], exponent * here * flux_x[i],
                              exponent * here * flux_y[i]};
        };
        const int last = g.frequencies - 1, beyond = static_cast<int>(shorter.size());
        // The last frequency stands for a whole interval of the series, as the shorter ones do.
        const double wide = 0.5 * (g.ratio - 1.0 / g.ratio);
        team.sync();
        std::array all = team.add_up(std::array{0.0, 0.0, 0.0, 0.0}, g.frequencies, [&](int i) {
            return part(sea.inverse_phase_speed[i], i < last ? g.width[i] : wide * g.frequency[i], i);
        });
        // No more at once than there are frequencies, which a team has room for.
        for (int begin = 0; begin < beyond; begin += g.frequencies) {
            team.sync();
            all = team.add_up(all, std::min(g.frequencies, beyond - begin), [&](int i) {
                const Real f = shorter[static_cast<std::size_t>(begin + i)];
                const double falls = g.frequency[last] / f;
                const double inverse = base::two_pi * f / base::gravity;
                return part(inverse, wide * f * falls * falls * inverse / sea.inverse_phase_speed[last],
                            last);
            });
        }
        return {all[0], all[1], all[2], all[3]};
    }

    // μ ≥ 0 at which waves and viscosity take no more than the wind gives; what they take falls with μ, ever more slowly, so
    // Newton's steps come from below.
    template <class Team>
    constexpr double reduction(const Team& team, const LaneTables& g, const SeaCell& sea,
                               const CellWork& work) const {
        const double u = sea.friction_velocity, wind = sea.wind_speed;
        const double all = u * u;
        const double viscous = std::min(std::max(1.1e-3 - 5e-5 * wind, 0.0) * wind * wind, 0.95 * all);
        double mu = 0.0;
        for (int step = 0; step < 30; ++step) {
            const Stress waves = wave_stress(team, g, sea, mu, work);
            const double x = waves.x + viscous * sea.wind_x, y = waves.y + viscous * sea.wind_y;
            const double size = std::sqrt(x * x + y * y);
            if (!(size > all * (1.0 + 1e-6))) break;
            const double falls = (x * waves.slope_x + y * waves.slope_y) / size;
            if (!(falls < 0.0)) break;
            mu += (all - size) / falls;
        }
        return mu;
    }
};

template <class Team>
constexpr void WindDonelanFormula::meet_air(const Team& team, const LaneTables& g, SeaCell& sea,
                                            SourceState& state, const CellWork& work) const {
    using Lane = typename Team::Lane;
    using lanes::load;
    team.once([&] { set_drag(drag * drag_of_hwang(sea.wind_speed), sea, state); });
    team.sync();
    Real *const saturation = work.column_a, *const fed = work.column_b;
    Real *const flux_x = work.column_c, *const flux_y = work.column_d;
    find_saturation(team, g, sea, saturation);
    // ρw g/ρa · k/σ · Δθ turns S into kinematic stress for 1 Hz.
    const Real to_stress = static_cast<Real>(base::gravity / density_ratio) * g.direction_width;
    const Real *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
    team.rows(g.frequencies, [&](int i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* const energy = team.at(sea.energy + row);
        Real* const growth = team.at(work.growth + row);
        const Real scale = static_cast<Real>(density_ratio) * g.sigma[i], wind = felt(sea, i);
        const Real root = std::sqrt(saturation[i]);
        typename Team::RowSum sum, x, y;
        for (int j = 0; j < Team::used(g.directions); j += Team::width) {
            const Lane w = team.within(j, g.directions,
                                       lanes::positive_part(outrun<Lane>(sea, wind, cosine + j, sine + j)));
            const Lane here = load<Lane>(energy + j), rate = scale * sheltered_growth(root, w);
            lanes::store(growth + j, rate);
            sum.add(j, w > 0 ? here : Lane{});
            x.add_product(j, rate * here, load<Lane>(cosine + j));
            y.add_product(j, rate * here, load<Lane>(sine + j));
        }
        fed[i] = team.total(sum) * g.direction_width;
        flux_x[i] = team.total(x) * to_stress * sea.inverse_phase_speed[i];
        flux_y[i] = team.total(y) * to_stress * sea.inverse_phase_speed[i];
    });
    team.sync();
    cutoff.find(team, g, fed, sea);
    const double mu = reduction(team, g, sea, work);
    const Stress stress = wave_stress(team, g, sea, mu, work);
    team.once([&] {
        state.wave_stress_x = static_cast<Real>(stress.x);
        state.wave_stress_y = static_cast<Real>(stress.y);
    });
    if (mu == 0.0) return;
    team.rows(g.frequencies, [&](int i) {
        const double wind = static_cast<double>(speed) * sea.friction_velocity * sea.inverse_phase_speed[i];
        const Real factor = static_cast<Real>(exec::lanes::exp(mu * std::min(1.0 - wind, 0.0)));
        Real* const rate = team.at(work.growth + static_cast<std::ptrdiff_t>(i) * g.lanes);
        for (int j = 0; j < Team::used(g.directions); j += Team::width)
            lanes::store(rate + j, factor * load<Lane>(rate + j));
    });
}

template <class Team>
constexpr void WindDonelanFormula::add(const Team& team, const LaneTables& g, const SeaCell& sea,
                                       const SourceSum& sum, const CellWork& work) const {
    using Lane = typename Team::Lane;
    Real* const saturation = work.column_a;
    team.sync();
    find_saturation(team, g, sea, saturation);
    const Real *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
    team.rows(g.frequencies, [&](int i) {
        const RowOfSum row = RowOfSum::of(team, g, sea, sum, i);
        const Real* const growth = team.at(work.growth + static_cast<std::ptrdiff_t>(i) * g.lanes);
        const Real scale = negative * static_cast<Real>(density_ratio) * g.sigma[i], wind = felt(sea, i);
        const Real root = std::sqrt(saturation[i]);
        for (int j = 0; j < Team::used(g.directions); j += Team::width) {
            const Lane w = lanes::negative_part(outrun<Lane>(sea, wind, cosine + j, sine + j));
            row.add_rate(j, lanes::load<Lane>(growth + j) - scale * sheltered_growth(root, w));
        }
    });
}

}  // namespace groundswell::sea::terms
