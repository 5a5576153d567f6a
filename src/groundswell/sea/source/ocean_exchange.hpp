#pragma once

#include <array>
#include <cstddef>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea {

/// Momentum and energy that air and waves together give to the water. East and north are components.
struct OceanExchange {
    /// N m⁻²: the stress of the air, less what waves take up, with what they lose to the water:
    /// ρ_a u*² − ρ_w g ∫∫ k/σ (S_air + S_water) (cos θ, sin θ), S_air of the terms whose partner is the air
    /// (Breivik et al. 2015, J. Geophys. Res. Oceans 120, 2973, doi:10.1002/2014JC010565).
    double eastward_stress = 0.0, northward_stress = 0.0;
    double breaking_energy = 0.0;  ///< W m⁻²: −ρ_w g ∫∫ S_water

    /// For a share of the sea.
    constexpr void scale(double share) {
        eastward_stress *= share, northward_stress *= share, breaking_energy *= share;
    }
};

/// kg m⁻³; those of the terms, so that what the waves take from the air is what it gives.
struct Densities {
    double water = 0.0, air = 0.0;
};

/// Σ S (1, cos θ, sin θ) over the directions of a frequency, of all terms that have added to the sum, m² rad⁻¹.
struct RowRate {
    Real energy, east, north;
};
template <class Team>
constexpr RowRate row_rate(const Team& team, const LaneTables& g, const CellMemory& m, int frequency) {
    using Lane = typename Team::Lane;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(frequency) * g.lanes;
    const Real *const source = team.at(m.sum.source + row), *const energy = team.at(m.energy + row),
                      *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
    const Lane decay = lanes::broadcast<Lane>(m.sum.decay[frequency]);
    typename Team::RowSum all, east, north;
    team.with_count(g.directions, [&]<class Count>(Count) {
        for (int n = 0; n < Count::of(Team::used(g.directions)); ++n) {
            const int j = n * Team::width;
            const Lane rate = team.within(j, g.directions,
                                          lanes::multiply_subtract(decay, lanes::load<Lane>(energy + j),
                                                                   lanes::load<Lane>(source + j)));
            all.add(j, rate);
            east.add_product(j, rate, lanes::load<Lane>(cosine + j));
            north.add_product(j, rate, lanes::load<Lane>(sine + j));
        }
    });
    return {team.total(all), team.total(east), team.total(north)};
}

/// The terms from here on add up from 0.
template <class Team>
constexpr void begin_sum(const Team& team, const LaneTables& g, const SourceSum& sum) {
    team.sync();
    team.columns(g.padded_bins(), [&](int bin) { sum.source[bin] = Real(0); });
    team.columns(g.frequencies, [&](int i) { sum.decay[i] = Real(0); });
    team.sync();
}

/// A partner that compilers know.
template <Partner partner>
struct KnownPartner {
    static constexpr Partner value = partner;
    constexpr operator Partner() const { return partner; }
};

/// The exchange of a cell that CellStep::load() has made ready and that has met the air, for each member of the team. `evaluate(partner)`
/// lets the terms of a KnownPartner add.
template <class Team, class Evaluate>
constexpr OceanExchange find_exchange(const Team& team, const LaneTables& g, const CellMemory& m,
                                      const Densities& density, const Evaluate& evaluate) {
    // ∫∫ S (1, k/σ cos θ, k/σ sin θ) of the terms of a partner.
    const auto rates_of = [&](auto partner) {
        begin_sum(team, g, m.sum);
        evaluate(partner);
        team.sync();
        team.rows(g.frequencies, [&](int i) {
            const RowRate rate = row_rate(team, g, m, i);
            m.work.column_a[i] = rate.energy, m.work.column_b[i] = rate.east, m.work.column_c[i] = rate.north;
        });
        team.sync();
        return team.add_up(std::array{0.0, 0.0, 0.0}, g.frequencies, [&](int i) {
            const double width = static_cast<double>(g.direction_width) * g.width[i],
                         over_speed = width * m.inverse_phase_speed[i];
            return std::array{width * m.work.column_a[i], over_speed * m.work.column_b[i],
                              over_speed * m.work.column_c[i]};
        });
    };
    const std::array by_air = rates_of(KnownPartner<Partner::air>{}),
                     by_water = rates_of(KnownPartner<Partner::water>{});
    const double friction_velocity = m.state->friction_velocity,
                 air = density.air * (friction_velocity * friction_velocity),
                 weight = density.water * base::gravity;
    return {air * m.sea->wind_x - weight * (by_air[1] + by_water[1]),
            air * m.sea->wind_y - weight * (by_air[2] + by_water[2]),
            0.0 - weight * by_water[0]};  // no negative 0
}

}  // namespace groundswell::sea
