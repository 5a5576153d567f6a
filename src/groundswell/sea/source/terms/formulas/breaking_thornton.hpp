#pragma once

#include <cmath>

#include "groundswell/sea/source/formulas/shallow_water.hpp"

namespace groundswell::sea::terms {

/// Breaking in water too shallow for the waves, with the observed heights of breakers (Thornton & Guza 1983,
/// doi:10.1029/JC088iC10p05925, eq. 26):
///   dm0/dt = -(3√π/16) B³ f̄ H⁵/(γ² d³) [1 - (1 + (H/γd)²)^(-5/2)], H² = 8 m0,
/// with the mean frequency m1/m0 for f̄, at the same relative rate in every bin. Followed through the step.
struct BreakingThorntonFormula {
    static constexpr Partner partner = Partner::water;
    double gamma = 0, scale = 0;

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        add_even_decay(team, g, sum, work, [&] {
            const double highest = gamma * gamma * sea.depth * sea.depth;
            const double strength = scale * sea.first_moment_frequency / (highest * sea.depth);
            return mean_loss(sea.variance, sea.step, [&](double variance) {
                const double square = 8.0 * variance, part = 1.0 + square / highest;
                const double share = 1.0 - 1.0 / (part * part * std::sqrt(part));
                return 8.0 * strength * square * std::sqrt(square) * share;
            });
        });
    }
};

}  // namespace groundswell::sea::terms
