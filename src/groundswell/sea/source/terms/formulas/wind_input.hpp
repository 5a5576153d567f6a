#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/air_sea.hpp"
#include "groundswell/sea/source/formulas/cutoff.hpp"
#include "groundswell/sea/source/formulas/gravity_capillary.hpp"
#include "groundswell/sea/source/formulas/swell_dissipation.hpp"
#include "groundswell/sea/source/formulas/wind_sums.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea::terms {

/// Growth of waves by wind, and decay of waves that outrun it.
///
/// S = β E, β = σ (ρa/ρw) (βmax/κ²) Z⁴ e^Z (u*/c)² max(cos, 0)² where Z = ln(k z0) + κ/((u*/c + zα) cos) < 0
/// (Janssen 1991, doi:10.1175/1520-0485(1991)021<1631:QLTOWW>2.0.CO;2, whose eq. 16 is e^Z in deep water without zα;
/// as modified by Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1, section 2),
/// less the swell dissipation. The stress that the waves support reduces what shorter waves feel (sheltering,
/// same section), and sets friction velocity and roughness. Within a step: u* from the stress of the step
/// before, growth, new stress, u* again, growth again; the stress then found is kept for the next step.
/// Where growth is renormalised (GravityCapillary) a row's β is (1 + N sin²)/(1 + N) of that, N = k² cg/(2π κ u*) (ρw/ρa) Σ β E Δθ, with
/// the mean of sin² to the wind by β E.
struct WindInputFormula {
    static constexpr Partner partner = Partner::air;
    AirSea air;
    GravityCapillary capillary;
    SwellDissipation swell;
    Cutoff cutoff;
    double density_ratio = 0;  ///< ρa/ρw
    Real growth = 0, shift = 0, growth_shift = 0,
         sheltering = 0;  ///< (ρa/ρw) βmax/κ², zα, its share in u*/c, s_u

    int passes = 2;  ///< of air and growth, by turns

    /// As WindTerm::meet_air.
    template <class Team>
    constexpr void meet_air(const Team& team, const LaneTables& g, SeaCell& sea, SourceState& state,
                            const CellWork& work) const {
        const double half_phillips = capillary.used() ? half_of_phillips(team, g, sea, work.column_a) : 0.0;
        for (int pass = 0; pass < passes; ++pass) {
            team.once([&] { update_wind(sea, state, half_phillips); });
            team.sync();
            // A block of a device has no registers to spare for both.
            if (Team::alone && !capillary.renormalises())
                grow<false>(team, g, sea, state, work);
            else
                grow<true>(team, g, sea, state, work);
        }
    }
    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const;

    template <class Team>
    static constexpr int scratch_size(const LaneTables& g) {
        return values + 2 * g.lanes;
    }
    static constexpr void arrays(auto& formula, const auto& visit) {
        SwellDissipation::arrays(formula.swell, visit);
    }

private:
    // What the scratch begins with: single numbers, two of them for each of two rows. Then rows of cosine and its reciprocal.
    enum { least_reciprocal, level, across = level + 2, values = lane_multiple };

    // The wind that one frequency feels, and how strongly.
    struct FrequencyWind {
        Real age;         // u*/c, with the shift where the growth has it
        Real reciprocal;  // κ/(u*/c + zα)
        Real log_kz0;     // ln(k z0)
        Real strength;    // σ (ρa/ρw) βmax/κ²
    };
    struct RowSums {
        Real fed, x, y;  // Σ of E where the wind feeds it, of β E cos, of β E sin
    };
    constexpr void update_wind(auto& sea, SourceState& state, double half_phillips) const {
        const double stress = static_cast<double>(state.wave_stress_x) * sea.wind_x +
                              static_cast<double>(state.wave_stress_y) * sea.wind_y;
        const double wind = sea.wind_speed;
        const AirSea::Result found =
            capillary.used() ? capillary.solve(wind, stress, half_phillips, double{state.friction_velocity})
                             : air.solve(wind, stress, double{state.friction_velocity});
        state.friction_velocity = static_cast<Real>(found.friction_velocity);
        state.roughness = static_cast<Real>(found.roughness);
        state.charnock = static_cast<Real>(found.charnock);
        sea.friction_velocity = state.friction_velocity;
    }
    // Growth rates, and the stress of the waves that grow by them.
    template <bool renormalised, class Team>
    constexpr void grow(const Team& team, const LaneTables& g, SeaCell& sea, SourceState& state,
                        const CellWork& work) const;
    template <bool renormalised, class Team>
    constexpr void support(const Team& team, const LaneTables& g, const SeaCell& sea, SourceState& state,
                           const CellWork& work) const;

    // Growth rates of one frequency, and their sums.
    template <class Team>
    static constexpr RowSums grow_row(const Team& team, const LaneTables& g, const FrequencyWind& wind,
                                      const Real* spectrum, const Real* along, const Real* reciprocal,
                                      Real* rates) {
        using Lane = typename Team::Lane;
        using lanes::load;
        typename Team::RowSum fed, x, y;
        const Real *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
        const Real *const energy = team.at(spectrum), *const cosines = team.at(along);
        const Real* const inverse = team.at(reciprocal);
        Real* const rate = team.at(rates);
        const int used = Team::used(g.directions);
        team.with_count(g.directions, [&]<class Count>(Count) {
            for (int i = 0; i < Count::of(used); ++i) {
                const int j = i * Team::width;
                const Lane exponent = lanes::multiply_add(wind.reciprocal, load<Lane>(inverse + j),
                                                          lanes::broadcast<Lane>(wind.log_kz0));
                const auto grows = exponent < 0;
                // Whole registers of directions look into the wind.
                if (!lanes::any(grows)) {
                    lanes::store(rate + j, Lane{});
                    continue;
                }
                const Lane root = exponent * exponent * (wind.age * load<Lane>(cosines + j));
                const Lane beta = exec::lanes::exp_of_each(lanes::minimum(exponent, Lane{})) * (root * root) *
                                  wind.strength;
                const Lane grown = grows ? beta : Lane{}, here = load<Lane>(energy + j);
                const Lane flux = grown * here;
                lanes::store(rate + j, grown);
                fed.add(j, grows ? here : Lane{});
                x.add_product(j, flux, load<Lane>(cosine + j));
                y.add_product(j, flux, load<Lane>(sine + j));
            }
        });
        return {team.total(fed), team.total(x), team.total(y)};
    }
};

template <bool renormalised, class Team>
constexpr void WindInputFormula::grow(const Team& team, const LaneTables& g, SeaCell& sea, SourceState& state,
                                      const CellWork& work) const {
    Real *const log_kz0 = work.column_a, *const fed = work.column_b;
    Real *const flux_x = work.column_c, *const flux_y = work.column_d;
    Real* const along = work.scratch + values;
    Real* const reciprocal = along + g.lanes;
    const Real roughness = state.roughness, u = sea.friction_velocity;
    team.columns(g.frequency_lanes,
                 [&](int i) { log_kz0[i] = exec::lanes::log(sea.wave_number[i] * roughness); });
    team.rows(1, [&](int) {
        work.scratch[least_reciprocal] = align_with_wind(team, sea.wind_x, sea.wind_y, g, along, reciprocal);
    });
    team.sync();
    // ρw g/ρa · k/σ · Δf Δθ turns β E into kinematic stress.
    const Real to_stress = static_cast<Real>(base::gravity / density_ratio) * g.direction_width;
    const double strength = renormalised ? capillary.strength(double{sea.wind_speed}) : 0.0;
    Real felt = u, least = work.scratch[least_reciprocal];
    const auto grow_by = [&](int i) {
        const Real age = felt * sea.inverse_phase_speed[i];
        const FrequencyWind wind{age + growth_shift, static_cast<Real>(base::von_karman) / (age + shift),
                                 log_kz0[i], g.sigma[i] * growth};
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        RowSums sums{};
        if (lanes::multiply_add(wind.reciprocal, least, wind.log_kz0) >= 0) {
            // Waves outrun the wind in all directions.
            team.along(Team::used(g.directions), [&](int j) { work.growth[row + j] = Real(0); });
        } else {
            sums = grow_row(team, g, wind, sea.energy + row, along, reciprocal, work.growth + row);
        }
        fed[i] = sums.fed * g.direction_width;
        Real scale = to_stress * sea.inverse_phase_speed[i];
        if (renormalised && strength > 0.0) {
            const double k = sea.wave_number[i];
            const double n = strength * k * k * sea.group_speed[i] * g.direction_width /
                             (base::two_pi * base::von_karman * density_ratio * felt);
            scale *= renormalise(team, g, sea.energy + row, along, static_cast<Real>(n), work.growth + row);
        }
        flux_x[i] = sums.x * scale;
        flux_y[i] = sums.y * scale;
    };
    if (sheltering > Real(0)) {
        Real taken_x = 0, taken_y = 0;
        team.rows_in_order(g.frequencies, [&](int i) {
            const Real x = u * u * sea.wind_x - sheltering * taken_x;
            const Real y = u * u * sea.wind_y - sheltering * taken_y;
            const Real left = std::sqrt(x * x + y * y);
            felt = std::sqrt(left);
            if (left > Real(0)) least = align_with_wind(team, x / left, y / left, g, along, reciprocal);
            grow_by(i);
            taken_x += flux_x[i] * g.width[i];
            taken_y += flux_y[i] * g.width[i];
        });
    } else {
        team.rows(g.frequencies, grow_by);
    }
    team.sync();
    cutoff.find(team, g, fed, sea);
    support<renormalised>(team, g, sea, state, work);
}

template <bool renormalised, class Team>
constexpr void WindInputFormula::support(const Team& team, const LaneTables& g, const SeaCell& sea,
                                         SourceState& state, const CellWork& work) const {
    const Real *const flux_x = work.column_c, *const flux_y = work.column_d;
    const int last = g.frequencies - 1;
    const double part = sea.cutoff_part;
    team.rows(part > 0.0 ? 2 : 1, [&](int above) {
        work.scratch[level + above] = cubed_along(team, g, sea, sea.cutoff + above);
        if (renormalised && capillary.renormalises())
            work.scratch[across + above] = across_of(team, g, sea, sea.cutoff + above);
    });
    team.sync();
    // At the cutoff, from the values of the rows around it.
    const auto at_cutoff = [&](const auto& value) {
        const auto times_f5 = [&](int above) {
            const double f = g.frequency[sea.cutoff + above];
            return static_cast<double>(value(above)) * g.direction_width * f * f * f * f * f;
        };
        return part > 0.0 ? (1.0 - part) * times_f5(0) + part * times_f5(1) : times_f5(0);
    };
    // Resolved waves up to the cutoff, by the trapezoidal rule, then the tail.
    const std::array resolved =
        team.add_up(std::array{0.0, 0.0}, std::min(sea.cutoff + 1, last) + 1, [&](int i) {
            const double weight = sea.cutoff == last || i < sea.cutoff
                                      ? 1.0
                                      : (i == sea.cutoff ? 0.5 + 0.5 * part : 0.5 * part);
            return std::array{weight * flux_x[i] * g.width[i], weight * flux_y[i] * g.width[i]};
        });
    double x = resolved[0], y = resolved[1];
    const Real u = sea.friction_velocity;
    double direction_x = sea.wind_x, direction_y = sea.wind_y, speed = u;
    if (sheltering > Real(0)) {
        const double left_x = static_cast<double>(u) * u * sea.wind_x - sheltering * x;
        const double left_y = static_cast<double>(u) * u * sea.wind_y - sheltering * y;
        const double left = std::max(std::sqrt(left_x * left_x + left_y * left_y), 1e-10);
        direction_x = left_x / left;
        direction_y = left_y / left;
        speed = std::sqrt(left);
    }
    AirSea::Tail beyond{.level = at_cutoff([&](int above) { return work.scratch[level + above]; })};
    if (capillary.used()) {
        const double end = capillary.first_wave_number(static_cast<double>(u));
        beyond.highest = GravityCapillary::frequency(end);
    }
    if (renormalised && capillary.renormalises()) {
        const double factor = capillary.tail_factor() * capillary.strength(double{sea.wind_speed});
        beyond.across = factor * at_cutoff([&](int above) { return work.scratch[across + above]; });
        beyond.all = factor * at_cutoff([&](int above) {
                         return sea.row_energy[sea.cutoff + above] / g.direction_width;
                     });
    }
    const double tail = air.short_wave_stress(team, speed, static_cast<double>(state.roughness),
                                              cutoff_frequency(g, sea), beyond);
    team.once([&] {
        x += tail * direction_x;
        y += tail * direction_y;
        const double total = std::sqrt(x * x + y * y);
        const double most = AirSea::largest_share * u * u;
        // With gravity-capillary waves the next u* is found from all of the stress.
        const double scale = total > most && !capillary.used() ? most / total : 1.0;
        state.wave_stress_x = static_cast<Real>(x * scale);
        state.wave_stress_y = static_cast<Real>(y * scale);
    });
    team.sync();
}

template <class Team>
constexpr void WindInputFormula::add(const Team& team, const LaneTables& g, const SeaCell& sea,
                                     const SourceSum& sum, const CellWork& work) const {
    using Lane = typename Team::Lane;
    using lanes::load;
    Real *const constant = work.column_a, *const aligned = work.column_b;
    team.sync();
    swell.rates(team, g, sea, sea.friction_velocity, sea.state->roughness, work.scratch, constant, aligned);
    team.sync();
    const Real *const cosine = team.at(g.cosine.data()), *const sine = team.at(g.sine.data());
    team.rows(g.frequencies, [&](int i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real *const energy = team.at(sea.energy + row), *const growth_row = team.at(work.growth + row);
        Real *const source = team.at(sum.source + row), *const derivative = team.at(sum.derivative + row);
        const Real base = constant[i], slope = aligned[i], wind_x = sea.wind_x, wind_y = sea.wind_y;
        for (int j = 0; j < Team::used(g.directions); j += Team::width) {
            const Lane along =
                lanes::multiply_add(wind_x, load<Lane>(cosine + j), wind_y * load<Lane>(sine + j));
            const Lane rate =
                load<Lane>(growth_row + j) - lanes::multiply_add(slope, along, lanes::broadcast<Lane>(base));
            lanes::store(source + j,
                         lanes::multiply_add(rate, load<Lane>(energy + j), load<Lane>(source + j)));
            lanes::store(derivative + j, load<Lane>(derivative + j) + rate);
        }
    });
}

}  // namespace groundswell::sea::terms
