#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "groundswell/sea/source/integration.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea {

/// The step of a cell for all its terms together, whoever computes it: what SourcePackage says of it.
class CellStep {
public:
    explicit CellStep(const PhysicsOptions& options)
        : integration_(options),
          spectrum_limit_(options[SourceIntegration::spectrum_limit]),
          height_limit_(options[SourceIntegration::height_limit]) {}

    /// Advances the cell by `step` seconds in place; `evaluate()` lets all terms add to what load() has made ready. False, with
    /// action and state as they were, if the outcome is not sane.
    template <class Team, class Evaluate>
    constexpr bool integrate(const Team& team, const LaneTables& g, Real* action,
                             const CellConditions& conditions, Real step, const CellMemory& m,
                             const Evaluate& evaluate) const;

    // The parts of that.
    template <class Team>
    constexpr void load(const Team& team, const LaneTables& g, const Real* action,
                        const CellConditions& conditions, Real step, const CellMemory& m) const;
    template <class Team>
    constexpr SourceIntegration::Change advance(const Team& team, const LaneTables& g,
                                                const CellMemory& m) const {
        return integration_.advance(team, g, *m.sea, m.sum, m.energy, m.work);
    }
    int parts(const SeaCell& sea, const SourceIntegration::Change& change) const {
        return integration_.parts(sea, change);
    }
    template <class Team>
    constexpr bool store(const Team& team, const LaneTables& g, Real* action, const CellMemory& m) const;

private:
    template <class Team>
    static constexpr void find_means(const Team& team, const LaneTables& g, const CellMemory& m);

    SourceIntegration integration_;
    double spectrum_limit_, height_limit_;  // 0: none
};

/// Σ of a row over directions.
template <class Team>
constexpr Real row_sum(const Team& team, const LaneTables& g, const Real* values) {
    typename Team::RowSum sum;
    const Real* const row = team.at(values);
    team.with_count(g.directions, [&]<class Count>(Count) {
        for (int n = 0; n < Count::of(Team::used(g.directions)); ++n) {
            const int j = n * Team::width;
            sum.add(j, team.within(j, g.directions, lanes::load<typename Team::Lane>(row + j)));
        }
    });
    return team.total(sum);
}

/// ∬ of the bins' values over frequency and direction, without the tail beyond the last frequency; uses a column.
template <class Team>
constexpr double sum_over_bins(const Team& team, const LaneTables& g, const Real* values, Real* column) {
    team.rows(g.frequencies, [&](int i) {
        column[i] = row_sum(team, g, values + static_cast<std::ptrdiff_t>(i) * g.lanes);
    });
    team.sync();
    return team.add_up(std::array{0.0}, g.frequencies, [&](int i) {
        return std::array{static_cast<double>(g.width[i]) * column[i]};
    })[0] * g.direction_width;
}

template <class Team>
constexpr void CellStep::load(const Team& team, const LaneTables& g, const Real* action,
                              const CellConditions& conditions, Real step, const CellMemory& m) const {
    team.columns(g.frequencies, [&](int i) {
        m.wave_number[i] = conditions.wave_number[i];
        m.group_speed[i] = conditions.group_speed[i];
        m.inverse_phase_speed[i] = conditions.wave_number[i] / g.sigma[i];
        m.sum.decay[i] = Real(0);
    });
    team.rows(g.frequencies, [&](int i) {
        const Real* const from = action + static_cast<std::ptrdiff_t>(i) * g.directions;
        Real* const to = m.energy + static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real sigma = g.sigma[i];
        team.along(g.directions, [&](int j) { to[j] = from[j] * sigma; });
        m.row_energy[i] = row_sum(team, g, to) * g.direction_width;
    });
    team.columns(g.padded_bins(), [&](int bin) {
        m.sum.source[bin] = Real(0);
        m.sum.derivative[bin] = Real(0);
    });
    team.once([&] {
        SeaCell& sea = *m.sea;
        sea.energy = m.energy;
        sea.row_energy = m.row_energy;
        sea.wave_number = m.wave_number;
        sea.group_speed = m.group_speed;
        sea.inverse_phase_speed = m.inverse_phase_speed;
        sea.depth = conditions.depth;
        sea.step = step;
        sea.wind_speed = conditions.wind_speed;
        sea.wind_x = conditions.wind_x;
        sea.wind_y = conditions.wind_y;
        // What holds unless a wind input finds otherwise.
        sea.friction_velocity = std::max(m.state->friction_velocity, Real(1e-3));
        sea.windsea_mean_frequency = Real(0);
        sea.cutoff = g.frequencies - 1;
        sea.cutoff_part = Real(0);
        sea.state = m.state;
    });
    team.sync();
    find_means(team, g, m);
    team.sync();
}

template <class Team>
constexpr void CellStep::find_means(const Team& team, const LaneTables& g, const CellMemory& m) {
    const int last = g.frequencies - 1;
    // Beyond the last frequency E ∝ f⁻⁵: ∫E df = E f/4, ∫E/f df = E/5, ∫E f df = E f²/3; k ∝ f² there.
    const double end = m.row_energy[last], highest = g.frequency[last];
    const double root = std::sqrt(static_cast<double>(m.wave_number[last]));
    const std::array tail{0.25 * highest * end, 0.2 * end, highest * highest * end / 3.0,
                          0.2 * highest * end / root};
    const std::array sums = team.add_up(tail, g.frequencies, [&](int i) {
        const double part = static_cast<double>(g.width[i]) * m.row_energy[i];
        return std::array{part, part / g.frequency[i], part * g.frequency[i],
                          part / std::sqrt(static_cast<double>(m.wave_number[i]))};
    });
    const double variance = sums[0], period = sums[1], first = sums[2], length = sums[3];
    const bool waves = variance > 1e-30;
    team.once([&] {
        SeaCell& sea = *m.sea;
        sea.variance = static_cast<Real>(variance);
        sea.mean_frequency = static_cast<Real>(waves ? variance / period : highest);
        sea.first_moment_frequency = static_cast<Real>(waves ? first / variance : highest);
        sea.mean_wave_number =
            static_cast<Real>(waves ? variance * variance / (length * length) : root * root);
    });
}

template <class Team>
constexpr bool CellStep::store(const Team& team, const LaneTables& g, Real* action,
                               const CellMemory& m) const {
    Real* const energy = m.energy;
    if (spectrum_limit_ > 0.0) bound_spectrum(team, g, spectrum_limit_, energy);
    team.sync();
    continue_tail(team, g, *m.sea, energy);
    team.sync();
    const SourceState& state = *m.state;
    const Real of_state =
        state.friction_velocity + state.roughness + state.wave_stress_x + state.wave_stress_y;
    const double variance = sum_over_bins(team, g, energy, m.work.column_a);
    if (!std::isfinite(of_state) || !(variance < largest_variance)) return false;
    const double highest = height_limit_ * m.sea->depth / 4.0;
    const bool bounded = height_limit_ > 0.0 && variance > highest * highest;
    const Real kept = bounded ? static_cast<Real>(highest * highest / variance) : Real(1);
    team.rows(g.frequencies, [&](int i) {
        const Real* const from = energy + static_cast<std::ptrdiff_t>(i) * g.lanes;
        Real* const to = action + static_cast<std::ptrdiff_t>(i) * g.directions;
        const Real inverse = Real(1) / g.sigma[i];
        if (bounded)
            team.along(g.directions, [&](int j) { to[j] = from[j] * kept * inverse; });
        else
            team.along(g.directions, [&](int j) { to[j] = from[j] * inverse; });
    });
    return true;
}

template <class Team, class Evaluate>
constexpr bool CellStep::integrate(const Team& team, const LaneTables& g, Real* action,
                                   const CellConditions& conditions, Real step, const CellMemory& m,
                                   const Evaluate& evaluate) const {
    const auto restore_state = [&] { team.once([&] { *m.state = *m.before; }); };
    team.once([&] { *m.before = *m.state; });
    const auto copy = [&](const Real* from, Real* to) {
        team.rows(g.frequencies, [&](int i) {
            const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.directions;
            team.along(g.directions, [&](int j) { to[row + j] = from[row + j]; });
        });
    };
    int parts = 0;  // not known before the terms are
    for (int part = 0; part < std::max(parts, 1);) {
        load(team, g, action, conditions, step / static_cast<Real>(std::max(parts, 1)), m);
        evaluate();
        const SourceIntegration::Change change = advance(team, g, m);
        if (parts == 0) {
            parts = integration_.parts(*m.sea, change);
            if (parts > 1) {
                // Once more, and in parts.
                restore_state();
                copy(action, m.whole);
                team.sync();
                continue;
            }
        }
        if (!store(team, g, action, m)) {
            if (parts > 1) copy(m.whole, action);
            restore_state();
            return false;
        }
        ++part;
        team.sync();
    }
    return true;
}

}  // namespace groundswell::sea
