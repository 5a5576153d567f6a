#pragma once

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea::terms {

/// Waves of shallow water that give energy to those of twice their frequency, in each direction by itself: the lumped triad
/// approximation (Eldeberky 1996, dissertation, Delft University of Technology, as in SWAN, its technical documentation, section
/// on triads; manual of WAVEWATCH III 7.14, eqs. 2.188 to 2.193):
///   S⁺(f) = max(0, α c cg J² |sin β| [E²(f/2) - 2 E(f/2) E(f)]), S⁻(f) = -2 S⁺(2f),
/// J = k²(g d + 2c²)/(K d (g d + 2/15 g d³ K² - 2/5 σ² d²)) with k and c at f/2, K, c and cg at f, σ = 2πf (Madsen & Sørensen 1993,
/// Ocean Engineering 20, 359-388, the ratio of their eqs. 5.4a and 5.4f); β = -π/2 + π/2 tanh(0.2/Ur),
/// Ur = g Hs/(8√2) (T/(π d))². Not where Ur is below a threshold, nor above a multiple of the mean frequency. E(f/2) is linear between
/// two frequencies, and what they lose is shared out likewise, so that energy is conserved.
struct TriadsFormula {
    static constexpr Partner partner = Partner::waves;
    double strength = 0;            ///< α
    double highest = 0, least = 0;  ///< that multiple, and the threshold
    int down = 0;                   ///< f/2 lies between rows i - down and the next
    Real first = 0, second = 0;     ///< weights of those two rows

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& /*work*/) const {
        const double depth = sea.depth;
        const double height = 4.0 * std::sqrt(static_cast<double>(sea.variance));
        const double ratio = 1.0 / (sea.first_moment_frequency * base::pi * depth);
        const double ursell = base::gravity * height / (8.0 * std::sqrt(2.0)) * ratio * ratio;
        if (!(ursell > least)) return;
        // sin(π/2 tanh - π/2) = -cos(π/2 tanh)
        const double sine = exec::lanes::cos(0.5 * base::pi * exec::lanes::tanh(0.2 / ursell));
        int end = down;
        while (end < g.frequencies && !(g.frequency[end] > highest * sea.first_moment_frequency)) ++end;
        team.sync();
        // Each takes from rows that others add to.
        team.rows_in_order(end - down, [&](int half) { add_pair(team, g, sea, sum, half, sine); });
    }

private:
    // For the frequency whose half lies above row `half`.
    template <class Team>
    constexpr void add_pair(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                            int half, double sine) const {
        using Lane = typename Team::Lane;
        using lanes::load;
        const int i = half + down;
        const double depth = sea.depth, gd = base::gravity * depth;
        const double k = first * sea.wave_number[half] + second * sea.wave_number[half + 1];
        const double slow = 0.5 * g.sigma[i] / k, other = sea.wave_number[i];
        const double sigma = g.sigma[i];
        const double coupling =
            k * k * (gd + 2.0 * slow * slow) /
            (other * depth *
             (gd + 2.0 / 15.0 * gd * depth * depth * other * other - 0.4 * sigma * sigma * depth * depth));
        const Real scale =
            static_cast<Real>(strength * sine * coupling * coupling * sigma / other * sea.group_speed[i]);
        // Widths of the series: two frequencies lose 2 S⁺ between them, each as its width is to that of this one.
        const Real below = Real(2) * first, above = Real(2) * second;
        const Real lost_below = first * g.frequency[i] / g.frequency[half];
        const Real lost_above = second * g.frequency[i] / g.frequency[half + 1];
        const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(half) * g.lanes;
        const Real* const energy = team.at(sea.energy);
        Real *const sources = team.at(sum.source), *const derivatives = team.at(sum.derivative);
        for (int j = 0; j < Team::used(g.directions); j += Team::width) {
            const Lane e = load<Lane>(energy + to + j), low = load<Lane>(energy + from + j),
                       high = load<Lane>(energy + from + g.lanes + j);
            const Lane mean = first * low + second * high;
            const Lane wanted = mean * (mean - Real(2) * e);
            const Lane gives = wanted > 0 ? lanes::broadcast<Lane>(scale) : Lane{};
            const Lane gain = gives * wanted, slope = gives * (mean - e);
            const auto add_to = [&](std::ptrdiff_t place, Lane source, Lane derivative) {
                lanes::store(sources + place + j, load<Lane>(sources + place + j) + source);
                lanes::store(derivatives + place + j, load<Lane>(derivatives + place + j) + derivative);
            };
            add_to(to, gain, Real(-2) * gives * mean);
            add_to(from, -lost_below * gain, -lost_below * below * slope);
            add_to(from + g.lanes, -lost_above * gain, -lost_above * above * slope);
        }
    }
};

}  // namespace groundswell::sea::terms
