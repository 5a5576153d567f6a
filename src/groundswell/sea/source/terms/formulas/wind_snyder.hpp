#pragma once

#include "groundswell/sea/source/formulas/bulk_drag.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/formulas/cutoff.hpp"

namespace groundswell::sea::terms {

/// Growth of waves that are slower than the wind: S = C (ρa/ρw) max(0, 28 u*/c cos - 1) σ E (Snyder et al. 1981, J. Fluid
/// Mech. 102, 1-59, by friction velocity as in Komen et al. 1984, doi:10.1175/1520-0485(1984)014<1271:OTEOAF>2.0.CO;2; manual of
/// WAVEWATCH III 7.14, eq. 2.69), with the drag of Wu (1982).
struct WindSnyderFormula {
    static constexpr Partner partner = Partner::air;
    Cutoff cutoff;
    Real strength = 0;  ///< C ρa/ρw
    Real speed = 0;     ///< wind that the waves feel, over the friction velocity

    /// As WindTerm::meet_air.
    template <class Team>
    constexpr void meet_air(const Team& team, const LaneTables& g, SeaCell& sea, SourceState& state,
                            const CellWork& work) const {
        using Lane = typename Team::Lane;
        using lanes::load;
        team.once([&] { set_drag(drag_of_wu(sea.wind_speed), sea, state); });
        team.sync();
        Real* const fed = work.column_a;
        const Real *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
        team.rows(g.frequencies, [&](int i) {
            const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
            const Real* const energy = team.at(sea.energy + row);
            Real* const growth = team.at(work.growth + row);
            const Real felt = speed * sea.friction_velocity * sea.inverse_phase_speed[i];
            const Real scale = strength * g.sigma[i];
            typename Team::RowSum sum;
            for (int j = 0; j < Team::used(g.directions); j += Team::width) {
                const Lane along = lanes::multiply_add(sea.wind_x, load<Lane>(cosine + j),
                                                       sea.wind_y * load<Lane>(sine + j));
                const Lane rate = scale * lanes::positive_part(felt * along - Real(1));
                lanes::store(growth + j, rate);
                sum.add(j, rate > 0 ? load<Lane>(energy + j) : Lane{});
            }
            fed[i] = team.total(sum) * g.direction_width;
        });
        team.sync();
        cutoff.find(team, g, fed, sea);
    }
    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        team.sync();
        team.rows(g.frequencies, [&](int i) {
            const RowOfSum row = RowOfSum::of(team, g, sea, sum, i);
            const Real* const growth = team.at(work.growth + static_cast<std::ptrdiff_t>(i) * g.lanes);
            for (int j = 0; j < Team::used(g.directions); j += Team::width)
                row.add_rate(j, lanes::load<typename Team::Lane>(growth + j));
        });
    }
};

}  // namespace groundswell::sea::terms
