#pragma once

#include "groundswell/sea/source/formulas/shallow_water.hpp"

namespace groundswell::sea::terms {

/// Breaking in water too shallow for the waves (Battjes & Janssen 1978, doi:10.1061/9780872621909.034):
/// of the waves a share Q with (1 - Q)/ln Q = -(Hrms/Hm)², Hm = γd, break and lose energy as bores,
/// dm0/dt = -(α/4) Q f̄ Hm² (manual of WAVEWATCH III 7.14, eqs. 2.183 to 2.187), at the same relative rate in every bin
/// (Eldeberky & Battjes 1996). The rate falls steeply with m0, so this ordinary differential equation is followed through the step.
struct DepthBreakingFormula {
    static constexpr Partner partner = Partner::water;
    double gamma = 0, alpha = 0;

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        add_even_decay(team, g, sum, work, [&] {
            const double highest = gamma * gamma * sea.depth * sea.depth;
            return mean_loss(sea.variance, sea.step, [&](double variance) {
                return 0.25 * alpha * breaking_share(8.0 * variance / highest) * sea.first_moment_frequency *
                       highest / variance;
            });
        });
    }
};

}  // namespace groundswell::sea::terms
