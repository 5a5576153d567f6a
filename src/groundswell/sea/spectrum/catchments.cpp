#include "groundswell/sea/spectrum/catchments.hpp"

#include <array>
#include <numeric>

namespace groundswell::sea {

namespace {

// Sets to[first … last) of a row, to the highest bin of itself and the eight around, of bins alike the
// first.
void step_up(const Landscape& land, int frequency, int first, int last, std::int32_t* to) {
    const Real* const middle = land.heights(frequency);
    const std::int32_t bin = frequency * land.directions;
    const int pitch = land.pitch, n = land.directions;
#pragma omp simd
    for (int j = first; j < last; ++j) {
        Real most = -1;
        std::int32_t way = 0;
#pragma GCC unroll 3
        for (int row = -1; row <= 1; ++row) {
            const Real* const height = middle + row * pitch + j;
            // In the order of the bins, so that of those alike the first stays.
#pragma GCC unroll 3
            for (int turn = -1; turn <= 1; ++turn) {
                const bool higher = height[turn] > most;
                most = higher ? height[turn] : most;
                way = higher ? row * n + turn : way;
            }
        }
        to[j] = bin + j + way;
    }
}

// The same at one end of a row; `turns`: -1, 0 and 1 in the order of the bins that they lead to.
std::int32_t step_up_at_the_end(const Landscape& land, int frequency, int direction,
                                const std::array<int, 3>& turns) {
    const int n = land.directions;
    Real most = -1;
    int best = 0;
    for (int row = -1; row <= 1; ++row)
        for (const int turn : turns) {
            const Real height = land.heights(frequency)[row * land.pitch + direction + turn];
            if (!(height > most)) continue;
            most = height;
            const int there = direction + turn;
            best = (frequency + row) * n + (there < 0 ? n - 1 : there == n ? 0 : there);
        }
    return best;
}

// The peak that each bin's steepest ascent over the eight around ends at.
std::vector<std::int32_t> find_peaks(const Landscape& land) {
    std::vector<std::int32_t> next(static_cast<std::size_t>(land.frequencies * land.directions));
    std::int32_t* to = next.data();
    const int last = land.directions - 1;
    for (int i = 0; i < land.frequencies; ++i, to += land.directions) {
        step_up(land, i, 1, last, to);
        to[0] = step_up_at_the_end(land, i, 0, {0, 1, -1});
        to[last] = step_up_at_the_end(land, i, last, {1, -1, 0});
    }
    // An ascent mostly goes one way through the bins: a pass against that way leads each bin of it to its end.
    std::int32_t* const up = next.data();
    const auto climb = [up](std::int32_t bin) {
        const std::int32_t before = up[bin], after = up[before];
        up[bin] = after;
        return before ^ after;
    };
    const auto bins = static_cast<std::int32_t>(next.size());
    for (bool backwards = true;; backwards = !backwards) {
        std::int32_t climbed = 0;
        if (backwards)
            for (std::int32_t bin = bins; bin-- > 0;) climbed |= climb(bin);
        else
            for (std::int32_t bin = 0; bin < bins; ++bin) climbed |= climb(bin);
        if (climbed == 0) break;
    }
    return next;
}

}  // namespace

Catchments find_catchments(const Landscape& land) {
    std::vector<std::int32_t> number = find_peaks(land);
    Catchments found;
    found.of.resize(static_cast<std::size_t>((land.frequencies + 2) * land.pitch), -1);
    std::vector<std::int32_t> of_peak(number.size());
    for (std::size_t bin = 0; bin < number.size(); ++bin)
        if (number[bin] == static_cast<std::int32_t>(bin)) {
            of_peak[bin] = static_cast<std::int32_t>(found.peaks.size());
            found.peaks.push_back(static_cast<std::int32_t>(bin));
        }
    for (int i = 0, bin = 0; i < land.frequencies; ++i) {
        std::int32_t* const row = found.of.data() + land.place(i, 0);
        for (int j = 0; j < land.directions; ++j, ++bin)
            row[j] = of_peak[static_cast<std::size_t>(number[static_cast<std::size_t>(bin)])];
        land.close(found.of, i);
    }
    found.passes.reserve(static_cast<std::size_t>(8 * land.directions));
    std::vector<std::int32_t> ends(static_cast<std::size_t>(land.directions));
    for (int i = 0; i < land.frequencies; ++i) {
        const std::int32_t* const row = found.of.data() + land.place(i, 0);
        const std::int32_t* const above = row + land.pitch;
        std::int32_t* const end = ends.data();
        std::int32_t some = 0;
#pragma omp simd reduction(| : some)
        for (int j = 0; j < land.directions; ++j) {
            end[j] = (row[j] ^ row[j + 1]) | (row[j] ^ above[j - 1]) | (row[j] ^ above[j]) |
                     (row[j] ^ above[j + 1]);
            some |= end[j];
        }
        if (some == 0) continue;
        const Real* const height = land.heights(i);
        for (int j = 0; j < land.directions; ++j) {
            if (end[j] == 0) continue;
            for (const int at : {j + 1, j + land.pitch - 1, j + land.pitch, j + land.pitch + 1})
                if (row[at] != row[j] && row[at] >= 0)
                    found.passes.push_back({row[j], row[at], std::min(height[j], height[at])});
        }
    }
    return found;
}

std::vector<std::int32_t> join_low_peaks(const Landscape& land, const Catchments& found, double prominence) {
    const std::vector<std::int32_t>& peaks = found.peaks;
    std::vector<std::int32_t> whole(peaks.size()), order;
    std::iota(whole.begin(), whole.end(), 0);
    order = whole;
    const auto peak_of = [&](std::int32_t one) { return peaks[static_cast<std::size_t>(one)]; };
    std::ranges::sort(order, [&](int one, int other) { return land.higher(peak_of(other), peak_of(one)); });
    for (const std::int32_t low : order) {
        Real pass = -1;
        std::int32_t to = low;
        for (const Catchments::Pass& one : found.passes) {
            const std::int32_t a = whole[static_cast<std::size_t>(one.one)],
                               b = whole[static_cast<std::size_t>(one.other)];
            if (a == b || (a != low && b != low) || one.height < pass) continue;
            const std::int32_t beyond = a == low ? b : a;
            if (!land.higher(peak_of(beyond), peak_of(low))) continue;
            if (one.height > pass || land.higher(peak_of(beyond), peak_of(to))) {
                pass = one.height;
                to = beyond;
            }
        }
        if (to != low && static_cast<double>(land.height(peak_of(low)) - pass) < prominence)
            std::ranges::replace(whole, low, to);
    }
    return whole;
}

}  // namespace groundswell::sea
