#pragma once

#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"

namespace groundswell::sea::terms {

/// Dissipation by breaking in deep water, from the steepness of the whole sea (Komen et al. 1984,
/// doi:10.1175/1520-0485(1984)014<1271:OTEOAF>2.0.CO;2, by wave numbers as in WAMDI Group 1988,
/// doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2; the square of k/k̄ after Janssen 1991;
/// manual of WAVEWATCH III 7.14, eqs. 2.71 to 2.73 and 2.121 to 2.123):
///   S = -C σ̄ (k̄² m0/α)² [(1 - δ) k/k̄ + δ (k/k̄)²] E.
/// k̄ and σ̄ are power means, of √k and σ, or of 1/√k and 1/σ.
struct WhitecappingSteepnessFormula {
    static constexpr Partner partner = Partner::water;
    double strength = 0, reference = 0, square = 0;
    int first = 0;  ///< 1: means of √k and σ

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        if (!(sea.variance > Real(1e-30))) return;
        team.sync();
        const double mean = first ? mean_of_root(team, g, sea) : sea.mean_wave_number;
        const double frequency = first ? sea.first_moment_frequency : sea.mean_frequency;
        const double steepness = mean * mean * sea.variance / reference;
        const double scale = -strength * base::two_pi * frequency * steepness * steepness;
        Real* const rate = work.column_a;
        team.columns(g.frequencies, [&](int i) {
            const double ratio = sea.wave_number[i] / mean;
            rate[i] = static_cast<Real>(scale * ratio * ((1.0 - square) + square * ratio));
        });
        team.sync();
        add_rates(team, g, sea, rate, sum);
    }

private:
    // (∫ E √k/m0)², beyond the last frequency E ∝ f⁻⁵ and k ∝ f²; rad m⁻¹.
    template <class Team>
    constexpr double mean_of_root(const Team& team, const LaneTables& g, const SeaCell& sea) const {
        const auto root = [&](int i) { return std::sqrt(static_cast<double>(sea.wave_number[i])); };
        const int last = g.frequencies - 1;
        const std::array tail{root(last) * sea.row_energy[last] * g.frequency[last] / 3.0};
        const auto sum = team.add_up(
            tail, g.frequencies, [&](int i) { return std::array{root(i) * sea.row_energy[i] * g.width[i]}; });
        const double mean = sum[0] / sea.variance;
        return mean * mean;
    }
};

}  // namespace groundswell::sea::terms
