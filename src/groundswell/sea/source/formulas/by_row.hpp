#pragma once

#include <cstddef>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/team.hpp"

/// Sums over the directions of each frequency, and rates that are the same in all of them.
namespace groundswell::sea {

/// Phillips' saturation, with the directions' narrowness A: B_n = A k³ F(k) = k³ cg/(2π) max_θ E(f, θ), as in Rogers et al. 2012
/// (doi:10.1175/JTECH-D-11-00092.1, section 2); 1/A = ∫ E dθ/max_θ E. Writes [f].
template <class Team>
constexpr void find_saturation(const Team& team, const LaneTables& g, const SeaCell& sea, Real* saturation) {
    using Lane = typename Team::Lane;
    team.rows(g.frequencies, [&](int i) {
        const Real* const energy = team.at(sea.energy + static_cast<std::ptrdiff_t>(i) * g.lanes);
        Lane most{};
        for (int j = 0; j < Team::used(g.directions); j += Team::width)
            most = lanes::maximum(lanes::load<Lane>(energy + j), most);
        const Real k = sea.wave_number[i];
        saturation[i] =
            k * k * k * sea.group_speed[i] * static_cast<Real>(1.0 / base::two_pi) * team.largest(most);
    });
}

/// Rows of one frequency where a member of a team has its registers: its waves, and what terms add to.
struct RowOfSum {
    const Real* energy;
    Real *source, *derivative;

    template <class Team>
    static constexpr RowOfSum of(const Team& team, const LaneTables& g, const SeaCell& sea,
                                 const SourceSum& sum, int frequency) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(frequency) * g.lanes;
        return {team.at(sea.energy + row), team.at(sum.source + row), team.at(sum.derivative + row)};
    }
    /// Adds S = rate E, and the rate to its derivative, for the register of bins at place `j`.
    template <class Lane>
    constexpr void add_rate(int j, Lane rate) const {
        lanes::store(source + j,
                     lanes::multiply_add(rate, lanes::load<Lane>(energy + j), lanes::load<Lane>(source + j)));
        lanes::store(derivative + j, lanes::load<Lane>(derivative + j) + rate);
    }
};

/// The same in all directions of each frequency. [f] rate, s⁻¹.
template <class Team>
constexpr void add_rates(const Team& team, const LaneTables& g, const SeaCell& sea, const Real* rates,
                         const SourceSum& sum) {
    using Lane = typename Team::Lane;
    team.rows(g.frequencies, [&](int i) {
        const RowOfSum row = RowOfSum::of(team, g, sea, sum, i);
        const Lane rate = lanes::broadcast<Lane>(rates[i]);
        for (int j = 0; j < Team::used(g.directions); j += Team::width) row.add_rate(j, rate);
    });
}

}  // namespace groundswell::sea
