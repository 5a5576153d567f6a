#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/circular_row.hpp"

namespace groundswell::sea::terms {

/// Σ_d weight[|d|] row[d], |d| ≤ reach, for a register of places.
template <class Lane>
constexpr Lane convolve(int reach, const Real* weight, const Real* row) {
    const auto pair = [row](int d) { return lanes::load<Lane>(row - d) + lanes::load<Lane>(row + d); };
    Lane sum = weight[0] * lanes::load<Lane>(row), other{};
    int d = 1;
    for (; d + 1 <= reach; d += 2) {
        sum = lanes::multiply_add(weight[d], pair(d), sum);
        other = lanes::multiply_add(weight[d + 1], pair(d + 1), other);
    }
    if (d <= reach) sum = lanes::multiply_add(weight[d], pair(d), sum);
    return sum + other;
}

/// Dissipation by breaking in deep water, from the saturation of the spectrum (Ardhuin et al. 2010,
/// doi:10.1175/2010JPO4324.1, section 2; manual of WAVEWATCH III 7.14, eqs. 2.133 to 2.135 and, for the cumulative term, 2.136 to 2.143):
///   B(f, θ) = k³ cg/(2π) ∫_{θ-Δ}^{θ+Δ} cos²(θ-θ') E(f, θ') dθ',
///   S = C σ E { δ [max(0, max_θ B/B_r - 1)]² + (1-δ) [max(0, B/B_r - 1)]² }, C < 0,
/// and, where asked for, the cumulative term: waves of frequency f are wiped out by breakers of less than
/// half of f that overtake them, at the rate C_cu Σ |c - c'| Λ(k') dk' dθ', Λ dk dθ from √B - √B_r.
struct WhitecappingFormula {
    static constexpr Partner partner = Partner::water;
    Real strength = 0, threshold = 0, isotropy = 0;
    int reach = 0;                   ///< directions on each side that the sector holds, the last one in part
    std::span<const Real> weight{};  ///< [reach + 1] Δθ cos² of the distance
    Real cumulative = 0;             ///< with the density of crests; 0: none
    Real end_weight = 0;             ///< of the first and last frequency of breakers in the cumulative sum
    int frequency_gap = 0;           ///< breakers are at least this many frequencies below
    std::span<const Real> distance{};  ///< [lanes] cosine of j directions
    std::span<const Real> ends{};      ///< [lanes] share of the direction j away that counts on each side

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        team.sync();
        saturate(team, g, sea, work);
        team.sync();
        for_bins(team, 0, g.frequencies, circular_rows<Team>(g, reach),
                 [&](int i, const auto& places) { break_row(places, g, sea, sum, work, i); });
        team.sync();
        if (cumulative != Real(0)) add_cumulative(team, g, sea, sum, work);
    }
    template <class Team>
    constexpr int scratch_size(const LaneTables& g) const {
        const int framed = (Team::alone ? 2 : g.frequencies) * circular_rows<Team>(g, reach).pitch;
        return cumulative == Real(0) ? framed : std::max(framed, cumulative_memory<Team>(g).size());
    }
    static constexpr void arrays(auto& formula, const auto& visit) {
        visit(formula.weight);
        visit(formula.distance);
        visit(formula.ends);
    }

private:
    // B, and its largest value of each frequency (column_a).
    template <class Team>
    constexpr void saturate(const Team& team, const LaneTables& g, const SeaCell& sea,
                            const CellWork& work) const {
        const CircularRows rows = circular_rows<Team>(g, reach);
        const auto frame = [&](int i, Real* row, const auto& places) {
            const Real* const energy = sea.energy + start(g, i);
            places.each([&](int j) { places.store(row, j, places.load(energy + j)); });
            places.close(row);
        };
        if constexpr (Team::alone) {
            // Framed one row ahead: what was just written is slow to read at another place.
            const auto row_of = [&](int i) { return rows.row(work.scratch, i % 2); };
            const AnyRegisters places(rows);
            frame(0, row_of(0), places);
            for (int i = 0; i < g.frequencies; ++i) {
                if (i + 1 < g.frequencies) frame(i + 1, row_of(i + 1), places);
                work.column_a[i] = lanes::largest(saturate_row(places, g, sea, work, i, row_of(i)));
            }
        } else {
            const auto row_of = [&](int i) { return rows.row(work.scratch, i); };
            for_bins(team, 0, g.frequencies, rows, [&](int i, const auto& at) { frame(i, row_of(i), at); });
            team.sync();
            for_bins(team, 0, g.frequencies, rows,
                     [&](int i, const auto& at) { saturate_row(at, g, sea, work, i, row_of(i)); });
            team.sync();
            team.rows(g.frequencies, [&](int i) {
                const Real* const saturation = team.at(work.saturation + start(g, i));
                Real most = 0;
                for (int j = 0; j < Team::used(g.directions); j += Team::width)
                    most = lanes::maximum(team.within(j, g.directions, saturation[j]), most);
                work.column_a[i] = team.largest(most);
            });
        }
    }
    // The largest value of each place in its registers.
    template <class Places>
    constexpr typename Places::Lane saturate_row(const Places& places, const LaneTables& g,
                                                 const SeaCell& sea, const CellWork& work, int i,
                                                 const Real* row) const {
        using Lane = typename Places::Lane;
        const Real k = sea.wave_number[i];
        const Real scale = k * k * k * sea.group_speed[i] * static_cast<Real>(1.0 / base::two_pi);
        Real* const saturation = work.saturation + start(g, i);
        Lane most{};
        places.each([&](int j) {
            const Lane value = places.within(j, scale * convolve<Lane>(reach, weight.data(), row + j));
            lanes::store(saturation + j, value);
            most = lanes::maximum(value, most);
        });
        return most;
    }
    template <class Places>
    constexpr void break_row(const Places& places, const LaneTables& g, const SeaCell& sea,
                             const SourceSum& sum, const CellWork& work, int i) const {
        using Lane = typename Places::Lane;
        const Real inverse = Real(1) / threshold;
        const Real above = work.column_a[i] * inverse - Real(1);
        if (above <= Real(0)) return;  // nothing breaks in any direction
        const Real isotropic = strength * g.sigma[i] * isotropy * above * above;
        const Real directional = strength * g.sigma[i] * (Real(1) - isotropy);
        const Real* const saturation = work.saturation + start(g, i);
        const Real* const energy = sea.energy + start(g, i);
        Real *const source = sum.source + start(g, i), *const derivative = sum.derivative + start(g, i);
        places.each([&](int j) {
            const Lane excess =
                lanes::multiply_add(inverse, places.load(saturation + j), lanes::broadcast<Lane>(Real(-1)));
            const Lane bounded = lanes::positive_part(excess);
            const Lane rate =
                lanes::multiply_add(directional * bounded, bounded, lanes::broadcast<Lane>(isotropic));
            lanes::store(source + j,
                         lanes::multiply_add(rate, places.load(energy + j), places.load(source + j)));
            lanes::store(derivative + j, places.load(derivative + j) + rate);
        });
    }

    // Working memory of the cumulative term: (√B - √B_r)² in circular rows, rates, and speeds by the directions between: of one
    // row of the rates, or of all for two frequencies of breakers.
    struct CumulativeMemory {
        CircularRows rows;
        int frequencies, rate_pitch, speed_pitch, speed_rows;
        constexpr int rates() const { return frequencies * rows.pitch; }
        constexpr int speeds() const { return rates() + frequencies * rate_pitch; }
        constexpr int size() const { return speeds() + speed_rows * speed_pitch; }
    };
    template <class Team>
    constexpr CumulativeMemory cumulative_memory(const LaneTables& g) const {
        const CircularRows rows = circular_rows<Team>(g, g.directions / 2);
        if constexpr (Team::alone)
            return {rows, g.frequencies, g.lanes, g.lanes, 1};
        else
            return {rows, g.frequencies, g.directions, g.directions / 2 + 1, 2 * g.frequencies};
    }

    template <class Team>
    constexpr void add_cumulative(const Team& team, const LaneTables& g, const SeaCell& sea,
                                  const SourceSum& sum, const CellWork& work) const {
        const CumulativeMemory memory = cumulative_memory<Team>(g);
        const int breakers = std::max(g.frequencies - frequency_gap, 0);
        const auto rate_row = [&](int i) { return work.scratch + memory.rates() + i * memory.rate_pitch; };
        // The factors of a breaker's frequency; 0: it is skipped.
        Real* const felled = work.column_b;
        team.columns(breakers, [&](int m) {
            felled[m] = work.column_a[m] > threshold ? cumulative * g.sigma[m] / sea.group_speed[m] : Real(0);
        });
        const Real root_threshold = std::sqrt(threshold);
        for_bins(team, 0, g.frequencies, memory.rows, [&](int i, const auto& places) {
            const Real* const saturation = work.saturation + start(g, i);
            Real *const row = memory.rows.row(work.scratch, i), *const rate = rate_row(i);
            places.each([&](int j) {
                const auto excess = lanes::square_root(places.load(saturation + j)) - root_threshold;
                const auto bounded = lanes::positive_part(excess);
                places.store(row, j, bounded * bounded);
                lanes::store(rate + j, decltype(bounded - bounded){});
            });
            places.close(row);
        });
        team.sync();
        int done = 0;
        for (int m = 0; m < breakers; ++m) {
            if (felled[m] == Real(0)) continue;
            const auto speeds_of = [&](int i) {
                const int row = Team::alone ? 0 : done % 2 * g.frequencies + i;
                return work.scratch + memory.speeds() + row * memory.speed_pitch;
            };
            const auto find_speeds = [&](int i, const auto& places) {
                weigh_speeds(places, g, sea, m, i, felled[m], speeds_of(i));
            };
            const auto add_rates = [&](int i, const auto& places) {
                using Lane = typename std::remove_cvref_t<decltype(places)>::Lane;
                const Real *const speeds = speeds_of(i), *const row = memory.rows.row(work.scratch, m);
                Real* const rate = rate_row(i);
                places.each([&](int j) {
                    lanes::store(rate + j,
                                 places.load(rate + j) + convolve<Lane>(g.directions / 2, speeds, row + j));
                });
            };
            if constexpr (Team::alone) {
                for_bins(team, m + frequency_gap, g.frequencies, memory.rows, [&](int i, const auto& places) {
                    find_speeds(i, places);
                    add_rates(i, places);
                });
            } else {
                for_bins(team, m + frequency_gap, g.frequencies, memory.rows, find_speeds);
                team.sync();
                for_bins(team, m + frequency_gap, g.frequencies, memory.rows, add_rates);
            }
            ++done;
        }
        team.sync();
        for_bins(team, frequency_gap, g.frequencies, memory.rows, [&](int i, const auto& places) {
            const Real* const rate = rate_row(i);
            Real *const source = sum.source + start(g, i), *const derivative = sum.derivative + start(g, i);
            const Real* const energy = sea.energy + start(g, i);
            places.each([&](int j) {
                lanes::store(source + j,
                             places.load(source + j) + places.load(rate + j) * places.load(energy + j));
                lanes::store(derivative + j, places.load(derivative + j) + places.load(rate + j));
            });
        });
        team.sync();
    }
    // C_cu |c - c'| Λ for a frequency of breakers and a row, by the directions between them.
    template <class Places>
    constexpr void weigh_speeds(const Places& places, const LaneTables& g, const SeaCell& sea, int breaker,
                                int i, Real felled, Real* speeds) const {
        const int half = g.directions / 2, last = i - frequency_gap;
        const Real c = Real(1) / sea.inverse_phase_speed[i],
                   other = Real(1) / sea.inverse_phase_speed[breaker];
        const Real squares = c * c + other * other, twice = Real(2) * c * other;
        const Real share = last >= 2 && (breaker == 0 || breaker == last) ? end_weight : Real(1);
        const Real weight_of_all = share * felled;
        places.first(half + 1, [&](int j) {
            const auto square = squares - twice * places.load(distance.data() + j);
            lanes::store(speeds + j, weight_of_all * places.load(ends.data() + j) *
                                         lanes::square_root(lanes::positive_part(square)));
        });
    }
    static constexpr std::ptrdiff_t start(const LaneTables& g, int i) {
        return static_cast<std::ptrdiff_t>(i) * g.lanes;
    }
};

}  // namespace groundswell::sea::terms
