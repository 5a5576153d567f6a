#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/sums.hpp"

/// Catchments of a spectrum's peaks, found by the lanes of a block (exec/device/block.hpp): one of a single lane on the processor.
namespace groundswell::sea {

/// The spectrum as a landscape of densities E(f, θ). A bin goes by its place in [frequencies + 2][directions + 2]: each row stands between
/// its cyclic neighbours, and all between two rows that are lower than any bin.
struct Landscape {
    int frequencies, directions;
    Real* height;        ///< [place]
    std::int32_t* of;    ///< [place] the catchment of a bin; -1 before the first row and after the last
    std::int32_t* next;  ///< [place] where an ascent goes on
    std::int32_t* rows;  ///< [frequencies + 1]
    Real* highest;       ///< [frequencies] of each row

    template <class Block>
    constexpr Landscape(Block& block, int frequencies_, int directions_)
        : frequencies(frequencies_), directions(directions_) {
        height = block.template scratch<Real>(places());
        of = block.template scratch<std::int32_t>(places());
        next = block.template scratch<std::int32_t>(places());
        rows = block.template scratch<std::int32_t>(static_cast<std::size_t>(frequencies) + 1);
        highest = block.template scratch<Real>(static_cast<std::size_t>(frequencies));
    }

    constexpr int pitch() const { return directions + 2; }
    constexpr int place(int i, int j) const { return (i + 1) * pitch() + j + 1; }
    constexpr std::size_t places() const {
        return static_cast<std::size_t>(frequencies + 2) * static_cast<std::size_t>(pitch());
    }
    /// No two peaks touch.
    constexpr std::size_t most_peaks() const {
        return static_cast<std::size_t>((frequencies + 1) / 2) * static_cast<std::size_t>(directions / 2 + 1);
    }
    /// The first of bins alike in height is the higher: so an ascent never goes in a circle.
    constexpr bool higher(std::int32_t one, std::int32_t other) const {
        return height[one] > height[other] || (height[one] == height[other] && one < other);
    }
    /// Sets what stands beside a row.
    template <class Value>
    constexpr void close(Value* row) const {
        row[-1] = row[directions - 1];
        row[directions] = row[0];
    }
};

/// Heights of all bins. Sync afterwards.
template <class Block>
constexpr void raise(Block& block, const Landscape& land, const SumAxes& axes, const Real* action) {
    block.lanes(2, [&](int end) {
        const int first = end == 0 ? 0 : land.place(land.frequencies, -1);
        for (int at = first; at < first + land.pitch(); ++at) {
            land.height[at] = Real(-1);
            land.of[at] = -1;
        }
    });
    block.lanes(land.frequencies, [&](int i) {
        const Real sigma = static_cast<Real>(axes.sigma[static_cast<std::size_t>(i)]);
        const Real* const from = axes.row(action, i);
        Real* const to = land.height + land.place(i, 0);
        Real most = 0;
#pragma omp simd reduction(max : most)
        for (int j = 0; j < land.directions; ++j) {
            to[j] = sigma * from[j];
            most = std::max(most, to[j]);
        }
        land.highest[i] = most;
        land.close(to);
    });
}

/// The highest bin, after raise() and a sync; for each lane.
constexpr Real highest_of(const Landscape& land) {
    Real most = 0;
    for (int i = 0; i < land.frequencies; ++i) most = std::max(most, land.highest[i]);
    return most;
}

/// Distance from the middle to the highest of these nine bins, of bins alike the first. Turns: -1, 0 and 1 in the order of the bins that
/// they lead to; `around`: added to a turn that leaves the row, of a turn of -1 and of 1.
template <int first, int second, int third>
constexpr std::int32_t step_up(const Real* middle, int pitch, int around_before, int around_after) {
    Real most = -1;
    std::int32_t way = 0;
    const auto look = [&](int row, int turn) {
        const Real height = middle[row + turn];
        const bool is_higher = height > most;
        most = is_higher ? height : most;
        way = is_higher ? row + turn + (turn < 0 ? around_before : turn > 0 ? around_after : 0) : way;
    };
#pragma GCC unroll 3
    for (int n = -1; n <= 1; ++n) {
        const int row = n * pitch;
        look(row, first);
        look(row, second);
        look(row, third);
    }
    return way;
}

/// Land.next of each bin: the highest of itself and the eight around. Sync afterwards.
template <class Block>
constexpr void find_ways_up(Block& block, const Landscape& land) {
    const int last = land.directions - 1, pitch = land.pitch();
    block.lanes(land.frequencies, [&](int i) {
        const int begin = land.place(i, 0);
        const Real* const middle = land.height + begin;
        std::int32_t* const to = land.next + begin;
#pragma omp simd
        for (int j = 1; j < last; ++j) to[j] = begin + j + step_up<-1, 0, 1>(middle + j, pitch, 0, 0);
        to[0] = begin + step_up<0, 1, -1>(middle, pitch, last + 1, 0);
        to[last] = begin + last + step_up<1, -1, 0>(middle + last, pitch, 0, -last - 1);
    });
}

/// Land.next of each bin: the peak that its ascent ends at. A round doubles how far all have come at least; a lane by itself may go on from
/// what it has just found, and an ascent mostly goes one way through the bins. Sync before; has synced after.
template <class Block>
constexpr void climb(Block& block, const Landscape& land) {
    const auto round = [&](const std::int32_t* from, std::int32_t* to, bool backwards) {
        block.lanes(land.frequencies, [&](int n) {
            const int begin = land.place(backwards ? land.frequencies - 1 - n : n, 0);
            const int turn = backwards ? -1 : 1, first = backwards ? begin + land.directions - 1 : begin;
            std::int32_t climbed = 0;
            for (int j = 0; j < land.directions; ++j) {
                const int at = first + turn * j;
                const std::int32_t before = from[at], after = from[before];
                to[at] = after;
                climbed |= before ^ after;
            }
            land.rows[n] = climbed;
        });
        block.sync();
        std::int32_t climbed = 0;
        for (int i = 0; i < land.frequencies; ++i) climbed |= land.rows[i];
        block.sync();
        return climbed != 0;
    };
    std::int32_t* const other = block.lane_count() == 1 ? land.next : land.of;
    while (round(land.next, other, true) && round(other, land.next, false)) {
    }
}

/// Writes the bins for which is_one(place) into `list`, in their order, of which those of row i begin at land.rows[i]; returns their number,
/// for each lane. Sync before and after.
template <class Block, class IsOne>
constexpr int collect(Block& block, const Landscape& land, std::int32_t* list, const IsOne& is_one) {
    block.lanes(land.frequencies, [&](int i) {
        const int begin = land.place(i, 0);
        std::int32_t count = 0;
#pragma omp simd reduction(+ : count)
        for (int at = begin; at < begin + land.directions; ++at) count += is_one(at) ? 1 : 0;
        land.rows[i + 1] = count;
    });
    block.sync();
    block.lanes(1, [&](int) {
        land.rows[0] = 0;
        for (int i = 0; i < land.frequencies; ++i) land.rows[i + 1] += land.rows[i];
    });
    block.sync();
    block.lanes(land.frequencies, [&](int i) {
        std::int32_t n = land.rows[i];
        if (n == land.rows[i + 1]) return;
        const int begin = land.place(i, 0);
        for (int at = begin; at < begin + land.directions; ++at)
            if (is_one(at)) list[n++] = at;
    });
    return land.rows[land.frequencies];
}

}  // namespace groundswell::sea
