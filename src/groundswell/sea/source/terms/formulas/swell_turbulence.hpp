#pragma once

#include <array>
#include <cmath>

#include "groundswell/sea/source/formulas/by_row.hpp"

namespace groundswell::sea::terms {

/// Decay of waves that do not break, by turbulence that they make in the water (Babanin 2011, section 7.5; Zieger et al. 2015,
/// doi:10.1016/j.ocemod.2015.07.014, eq. 23 with the b of eq. 28): S = -⅔ b σ √B_n E with b = B 2√m0 k_p, where the wave number of
/// the peak is the mean of k with the weights E(f)⁴ (Young 1999, p. 239, so for f).
struct SwellTurbulenceFormula {
    static constexpr Partner partner = Partner::water;
    double strength = 0;

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        team.sync();
        const auto [weights, peak] = team.add_up(std::array{0.0, 0.0}, g.frequencies, [&](int i) {
            const double square = static_cast<double>(sea.row_energy[i]) * sea.row_energy[i];
            const double weight = square * square * g.width[i];
            return std::array{weight, weight * sea.wave_number[i]};
        });
        if (!(weights > 0.0)) return;
        Real* const saturation = work.column_a;
        find_saturation(team, g, sea, saturation);
        team.sync();
        const double steepness = 2.0 * std::sqrt(static_cast<double>(sea.variance)) * peak / weights;
        const Real scale = static_cast<Real>(2.0 / 3.0 * strength * steepness);
        team.columns(g.frequencies,
                     [&](int i) { sum.decay[i] += scale * g.sigma[i] * std::sqrt(saturation[i]); });
    }
};

}  // namespace groundswell::sea::terms
