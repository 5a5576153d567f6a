#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include "groundswell/sea/source/formulas/shallow_water.hpp"

namespace groundswell::sea::terms {

/// Friction at a rough sea bed (Madsen, Poon & Graber 1988, doi:10.1061/9780872626874.035): decay at the rate 2C k/(g sinh 2kd),
/// C = f_w g U/√2, U² = Σ E σ²/sinh² kd, with the friction factor of Jonsson (1966, doi:10.1061/9780872620087.008),
///   1/(4√f_w) + log10 1/(4√f_w) = -0.08 + log10 a/K, a² = 2 Σ E/sinh² kd; 0.3 where a/K < 1.57.
/// The -0.08 is that of Jonsson & Carlsen (1976), as in SWAN (its subroutine SBOT; technical documentation 41.51, eqs. 2.61 to 2.64).
struct BottomFrictionMadsenFormula {
    static constexpr Partner partner = Partner::bottom;
    double roughness = 0;

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        team.sync();
        const auto [speed, amplitude] =  // squares
            team.add_up(std::array{0.0, 0.0}, g.frequencies, [&](int i) {
                const double argument = static_cast<double>(sea.wave_number[i]) * sea.depth;
                if (argument > 20.0) return std::array{0.0, 0.0};  // no such wave feels the bottom
                const double growing = exec::lanes::exp(argument), sinh = 0.5 * (growing - 1.0 / growing);
                const double part = sea.row_energy[i] * g.width[i] / (sinh * sinh);
                return std::array{part * g.sigma[i] * g.sigma[i], part};
            });
        if (!(amplitude > 0.0)) return;
        team.once([&, speed = speed, amplitude = amplitude] {
            const double factor = friction_factor(std::sqrt(2.0 * amplitude) / roughness);
            work.column_a[0] = static_cast<Real>(std::sqrt(2.0 * speed) * factor);
        });
        team.sync();
        add_bottom_decay(team, g, sea, work.column_a[0], sum.decay);
    }

private:
    static constexpr double log10_of(std::same_as<double> auto x) {
        return 0.43429448190325182 * exec::lanes::log(x);
    }
    // Newton from above on x + log10 x = c, x = 1/(4√f): concave, so that from its right side it comes down.
    template <std::same_as<double> Number>
    static constexpr Number friction_factor(Number amplitude_over_roughness) {
        if (amplitude_over_roughness < 1.57) return 0.3;
        const double c = -0.08 + log10_of(amplitude_over_roughness);
        double x = std::max(c, 0.3);
        for (int iteration = 0; iteration < 20; ++iteration) {
            const double change = (x + log10_of(x) - c) / (1.0 + 0.43429448190325182 / x);
            x -= change;
            if (std::abs(change) < 1e-9) break;
        }
        return 1.0 / (16.0 * x * x);
    }
};

}  // namespace groundswell::sea::terms
