#pragma once

#include <algorithm>
#include <array>

#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"

namespace groundswell::sea::terms {

/// Dissipation by waves that break where the spectrum is above a threshold, and by longer ones that break (Rogers et al. 2012,
/// doi:10.1175/JTECH-D-11-00092.1, section 2, after Babanin et al. 2010, as in Zieger et al. 2015,
/// doi:10.1016/j.ocemod.2015.07.014; manual of WAVEWATCH III 7.14, eqs. 2.158 to 2.161), with x = max(0, E(f) - E_T(f))/E_T(f), E_T = 2π ε/(cg k³):
///   S = -[a1 f x^p1 + a2 ∫ x^p2 df'] E(f, θ), the integral over frequencies up to f.
/// Of its sum every frequency has half of its width: what a2 was found with (WAVEWATCH III 7.14, ST6).
struct WhitecappingThresholdFormula {
    static constexpr Partner partner = Partner::water;
    double breaking = 0, cumulative = 0, breaking_power = 0, cumulative_power = 0;  ///< a1, a2, p1, p2
    double threshold = 0;                                                           ///< 2π ε

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        Real* const rate = work.column_a;
        team.sync();
        team.add_along(
            g.frequencies,
            [&](int i) {
                const double k = sea.wave_number[i];
                const double excess = sea.row_energy[i] * sea.group_speed[i] * k * k * k / threshold - 1.0;
                if (!(excess > 0.0)) return std::array{0.0, 0.0};
                const double logarithm = exec::lanes::log(excess);
                return std::array{breaking * g.frequency[i] * exec::lanes::exp(breaking_power * logarithm),
                                  0.5 * g.width[i] * exec::lanes::exp(cumulative_power * logarithm)};
            },
            [&](int i, double own, double longer) {
                rate[i] = static_cast<Real>(-std::min(own + cumulative * longer, 1e30));
            });
        add_rates(team, g, sea, rate, sum);
    }
};

}  // namespace groundswell::sea::terms
