#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/catchments.hpp"
#include "groundswell/sea/spectrum/product_sums.hpp"
#include "groundswell/sea/spectrum/sums.hpp"

namespace groundswell::sea {

inline constexpr int most_swells = 5;
/// A peak stands for a wave system of its own where the lowest bin on the best way to a higher one is lower than it by this share of
/// the spectrum's highest bin: the hundred levels of WAVEWATCH III's watershed.
inline constexpr double least_prominence = 0.01;
/// A system is wind sea where more than this share of its variance is (WAVEWATCH III's WSCUT); all such are one.
inline constexpr double wind_sea_share = 1.0 / 3.0;
/// Systems lower than this are left out, m (WAVEWATCH III's HSPMIN).
inline constexpr double lowest_system = 0.05;

/// The wind sea, and the swells, the highest first; 0 where there is none.
using SystemSums = std::array<PartSums, 1 + most_swells>;

/// Catchments of one spectrum, in the scratch of a block.
class SystemSearch {
public:
    template <class Block>
    constexpr SystemSearch(Block& block, const SumAxes& axes)
        : axes_(axes),
          land_(block, axes.frequencies(), axes.directions()),
          peaks_(block.template scratch<std::int32_t>(land_.most_peaks())),
          whole_(block.template scratch<std::int32_t>(land_.most_peaks())),
          order_(block.template scratch<std::int32_t>(land_.most_peaks())),
          first_row_(block.template scratch<std::int32_t>(land_.most_peaks())),
          last_row_(block.template scratch<std::int32_t>(land_.most_peaks())),
          ways_(block.template scratch<Way>(static_cast<std::size_t>(block.lane_count()))),
          rows_(block.template scratch<System>(axes.frequency.size())),
          found_(block.template scratch<SystemSums>(1)) {}

    static std::size_t scratch_bytes(const SumAxes& axes, int lanes) {
        exec::ScratchCount count(lanes);
        SystemSearch(count, axes);
        return count.bytes();
    }

    /// Sums of its wave systems, for the first lane alone. `wave_number_of(i)`: rad m⁻¹.
    template <class Block, class WaveNumberOf>
    constexpr const SystemSums& find(Block& block, const Real* action, const WindOnWaves& wind,
                                     const WaveNumberOf& wave_number_of) {
        block.lanes(1, [&](int) { *found_ = {}; });
        raise(block, land_, axes_, action);
        block.sync();
        const Real highest = highest_of(land_);
        if (!(highest > 0)) return *found_;
        find_ways_up(block, land_);
        block.sync();
        climb(block, land_);
        number(block);
        join(block, least_prominence * static_cast<double>(highest));
        add_up(block, wind, wave_number_of);
        return *found_;
    }

private:
    /// Over the bins of a system; `young`: its variance that is wind sea.
    struct System {
        PartSums all;
        double young = 0.0;
    };
    /// The height of a pass, and the catchment that it leads to.
    struct Way {
        Real height;
        std::int32_t to;
    };

    // Peaks in the order of their bins, the catchment of each bin by their numbers, and the rows that each catchment lies in.
    template <class Block>
    constexpr void number(Block& block) {
        const std::int32_t* const next = land_.next;
        count_ = collect(block, land_, peaks_, [=](int at) { return next[at] == at; });
        block.sync();
        block.lanes(count_, [&](int p) { land_.of[peaks_[p]] = whole_[p] = p; });
        block.sync();
        block.lanes(land_.frequencies, [&](int i) {
            const int begin = land_.place(i, 0);
            for (int at = begin; at < begin + land_.directions; ++at)
                if (next[at] != at) land_.of[at] = land_.of[next[at]];
            land_.close(land_.of + begin);
        });
        block.sync();
        block.lanes(count_, [&](int p) {
            // A steepest ascent leaves out no row.
            const std::int32_t at = peaks_[p] / land_.pitch() - 1;
            std::int32_t first = at, last = at;
            while (first > 0 && has(first - 1, p)) --first;
            while (last + 1 < land_.frequencies && has(last + 1, p)) ++last;
            first_row_[p] = first;
            last_row_[p] = last;
            int rank = 0;
            for (int other = 0; other < count_; ++other) rank += land_.higher(peaks_[p], peaks_[other]);
            order_[rank] = p;
        });
    }
    constexpr bool has(int row, std::int32_t catchment) const {
        const std::int32_t* const of = land_.of + land_.place(row, 0);
        bool any = false;
        for (int j = 0; j < land_.directions; ++j) any |= of[j] == catchment;
        return any;
    }

    // Joins catchments whose peak rises less than `prominence` above the highest pass with what that leads to, the lowest peak first.
    template <class Block>
    constexpr void join(Block& block, double prominence) {
        const std::int32_t* const of = land_.of;
        const int pitch = land_.pitch();
        std::int32_t* const edge =
            land_.next;  // bins that touch another catchment, behind them or in the next row
        collect(block, land_, edge, [=](int at) {
            const std::int32_t *const here = of + at, *const above = here + pitch;
            return ((*here ^ here[1]) | (*here ^ above[-1]) | (*here ^ above[0]) | (*here ^ above[1])) != 0;
        });
        block.sync();
        for (int n = 0; n + 1 < count_; ++n) {
            const std::int32_t low = order_[n];
            Way best{Real(-1), low};
            const int begin = land_.rows[std::max(first_row_[low] - 1, 0)],
                      end = land_.rows[last_row_[low] + 1];
            block.lanes(end - begin, [&](int k) { look_from(edge[begin + k], low, best); });
            ways_[block.lane()] = best;
            block.sync();
            for (int lane = 0; lane < block.lane_count(); ++lane) take_better(ways_[lane], best);
            if (best.to != low && static_cast<double>(land_.height[peaks_[low]] - best.height) < prominence) {
                block.lanes(count_, [&](int p) { whole_[p] = whole_[p] == low ? best.to : whole_[p]; });
                block.lanes(1, [&](int) {
                    first_row_[best.to] = std::min(first_row_[best.to], first_row_[low]);
                    last_row_[best.to] = std::max(last_row_[best.to], last_row_[low]);
                });
            }
            block.sync();
        }
    }
    // The passes from this bin.
    constexpr void look_from(std::int32_t at, std::int32_t low, Way& best) const {
        const std::int32_t mine = whole_[land_.of[at]];
        const int pitch = land_.pitch();
        for (const int there : {at + 1, at + pitch - 1, at + pitch, at + pitch + 1}) {
            if (land_.of[there] < 0) continue;
            const std::int32_t theirs = whole_[land_.of[there]];
            if (mine == theirs || (mine != low && theirs != low)) continue;
            const std::int32_t beyond = mine == low ? theirs : mine;
            if (land_.higher(peaks_[beyond], peaks_[low]))
                take_better({std::min(land_.height[at], land_.height[there]), beyond}, best);
        }
    }
    // The higher pass, of passes alike that to the higher peak.
    constexpr void take_better(const Way& way, Way& best) const {
        if (way.height > best.height ||
            (way.height == best.height && land_.higher(peaks_[way.to], peaks_[best.to])))
            best = way;
    }

    template <class Block, class WaveNumberOf>
    constexpr void add_up(Block& block, const WindOnWaves& wind, const WaveNumberOf& wave_number_of) {
        block.lanes(land_.frequencies, [&](int i) {
            const int begin = land_.place(i, 0);
            for (int at = begin; at < begin + land_.directions; ++at) land_.of[at] = whole_[land_.of[at]];
        });
        block.sync();
        System wind_sea;
        for (std::int32_t p = 0; p < count_; ++p) {
            if (whole_[p] != p) continue;
            const int first = first_row_[p], rows = last_row_[p] + 1 - first;
            block.lanes(rows, [&](int row) { rows_[row] = sum_row(first + row, p, wind, wave_number_of); });
            block.sync();
            block.lanes(1, [&](int) {
                System system;
                for (int row = 0; row < rows; ++row) add(rows_[row], system);
                if (system.young > wind_sea_share * system.all.zero)
                    add(system, wind_sea);
                else
                    place_swell(system.all);
            });
            block.sync();
        }
        block.lanes(1, [&](int) {
            if (counts(wind_sea.all)) (*found_)[0] = wind_sea.all;
        });
    }
    // The bins that a system has in a row; the last row's with the tail beyond.
    template <class WaveNumberOf>
    constexpr System sum_row(int i, std::int32_t system, const WindOnWaves& wind,
                             const WaveNumberOf& wave_number_of) const {
        if (!has(i, system)) return {};
        const int begin = land_.place(i, 0);
        const Real* const height = land_.height + begin;
        const std::int32_t* const of = land_.of + begin;
        const auto at = static_cast<std::size_t>(i);
        const bool last = i + 1 == land_.frequencies;
        const double f = axes_.frequency[at], width = axes_.width[at];
        // Wind sea: phase speed ≤ factor · U cos(θ − wind).
        const double least = axes_.sigma[at] / static_cast<double>(wave_number_of(i)),
                     fastest = wind_sea_factor * wind.speed, east = fastest * wind.east,
                     north = fastest * wind.north;
        const double *const cosine = axes_.cosine.data(), *const sine = axes_.sine.data();
        FourSums energy, to_east, to_north, young;
        by_four(land_.directions, [&](int j, int part) {
            const double e = of[j] == system ? static_cast<double>(height[j]) : 0.0;
            energy.part[part] += e;
            to_east.part[part] += e * cosine[j];
            to_north.part[part] += e * sine[j];
            young.part[part] += east * cosine[j] + north * sine[j] >= least ? e : 0.0;
        });
        const double zero = axes_.direction_width * (width + (last ? f / 4.0 : 0.0)),
                     one = axes_.direction_width * f * (width + (last ? f / 3.0 : 0.0));
        return {
            {zero * energy.total(), one * energy.total(), zero * to_east.total(), zero * to_north.total()},
            zero * young.total()};
    }
    static constexpr void add(const System& part, System& to) {
        to.all.zero += part.all.zero;
        to.all.one += part.all.one;
        to.all.east += part.all.east;
        to.all.north += part.all.north;
        to.young += part.young;
    }
    // Systems of a significant height of lowest_system.
    static constexpr bool counts(const PartSums& system) {
        return system.zero >= lowest_system * lowest_system / 16.0;
    }
    constexpr void place_swell(PartSums swell) {
        if (!counts(swell)) return;
        for (int s = 1; s <= most_swells; ++s) {
            PartSums& here = (*found_)[static_cast<std::size_t>(s)];
            if (!(swell.zero > here.zero)) continue;
            const PartSums lower = here;
            here = swell;
            swell = lower;
        }
    }

    SumAxes axes_;
    Landscape land_;
    std::int32_t *peaks_, *whole_,
        *order_;                           // [peak] its place; the one whose catchment has its own; by height
    std::int32_t *first_row_, *last_row_;  // [peak]
    Way* ways_;                            // [lane]
    System* rows_;                         // [frequency]
    SystemSums* found_;
    int count_ = 0;  // peaks
};

}  // namespace groundswell::sea
