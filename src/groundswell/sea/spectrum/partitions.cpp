#include "groundswell/sea/spectrum/partitions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace groundswell::sea {

namespace {

// The spectrum as a landscape of densities E(f, θ), with what is around each bin: directions close a circle.
class Landscape {
public:
    Landscape(const SpectralGrid& grid, const Real* action) : grid_(grid), height_(grid.bins()) {
        for (int i = 0; i < grid.frequencies; ++i)
            for (int j = 0; j < grid.directions; ++j) {
                const auto bin = static_cast<std::size_t>(grid.index(i, j));
                height_[bin] = grid.sigma[static_cast<std::size_t>(i)] * static_cast<double>(action[bin]);
            }
    }

    double height(int bin) const { return height_[static_cast<std::size_t>(bin)]; }
    double highest() const { return *std::max_element(height_.begin(), height_.end()); }

    // Calls visit(neighbour) for the bins around, up to eight.
    template <class Visit>
    void around(int bin, Visit visit) const {
        const int i = bin / grid_.directions, j = bin % grid_.directions;
        for (int row = std::max(i - 1, 0); row <= std::min(i + 1, grid_.frequencies - 1); ++row)
            for (int turn = -1; turn <= 1; ++turn)
                if (row != i || turn != 0)
                    visit(grid_.index(row, (j + turn + grid_.directions) % grid_.directions));
    }

    // The first of bins alike in height is the higher: so an ascent never goes in a circle.
    bool higher(int one, int other) const {
        return height(one) > height(other) || (height(one) == height(other) && one < other);
    }

private:
    const SpectralGrid& grid_;
    std::vector<double> height_;
};

// The peak that each bin's steepest ascent ends at.
std::vector<int> find_peaks(const Landscape& land, int bins) {
    std::vector<int> next(static_cast<std::size_t>(bins));
    for (int bin = 0; bin < bins; ++bin) {
        int best = bin;
        land.around(bin, [&](int other) {
            if (land.higher(other, best)) best = other;
        });
        next[static_cast<std::size_t>(bin)] = best;
    }
    for (int bin = 0; bin < bins; ++bin) {
        int peak = bin;
        while (next[static_cast<std::size_t>(peak)] != peak) peak = next[static_cast<std::size_t>(peak)];
        for (int step = bin; step != peak;) step = std::exchange(next[static_cast<std::size_t>(step)], peak);
    }
    return next;
}

// Joins catchments whose peak is hardly a peak with the neighbour that the highest pass leads to, the lowest peak first.
void join_low_peaks(const Landscape& land, std::vector<int>& peak_of) {
    const int bins = static_cast<int>(peak_of.size());
    std::vector<int> peaks;
    for (int bin = 0; bin < bins; ++bin)
        if (peak_of[static_cast<std::size_t>(bin)] == bin) peaks.push_back(bin);
    std::ranges::sort(peaks, [&](int one, int other) { return land.higher(other, one); });
    const double prominence = least_prominence * land.highest();
    for (const int peak : peaks) {
        double pass = -1.0;
        int to = peak;
        for (int bin = 0; bin < bins; ++bin) {
            if (peak_of[static_cast<std::size_t>(bin)] != peak) continue;
            land.around(bin, [&](int other) {
                const int beyond = peak_of[static_cast<std::size_t>(other)];
                const double level = std::min(land.height(bin), land.height(other));
                if (beyond == peak || !land.higher(beyond, peak)) return;
                if (level > pass || (level == pass && land.higher(beyond, to))) {
                    pass = level;
                    to = beyond;
                }
            });
        }
        if (to != peak && land.height(peak) - pass < prominence)
            for (int& of : peak_of)
                if (of == peak) of = to;
    }
}

// Sums over the bins of a system.
struct System {
    double zero = 0.0, one = 0.0, east = 0.0, north = 0.0, wind_sea = 0.0;

    void add(const System& other) {
        zero += other.zero;
        one += other.one;
        east += other.east;
        north += other.north;
        wind_sea += other.wind_sea;
    }
    bool counts() const { return 4.0 * std::sqrt(zero) >= lowest_system; }
    WavePart part() const {
        return counts() ? WavePart{zero, zero / one, std::atan2(north, east)} : WavePart{};
    }
};

// One bin, with the tail beyond it where it is of the last frequency.
System bin_of(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double density, int bin) {
    const auto f = static_cast<std::size_t>(bin / grid.directions),
               d = static_cast<std::size_t>(bin % grid.directions);
    const bool last = static_cast<int>(f) + 1 == grid.frequencies;
    const double frequency = grid.frequency[f], width = grid.frequency_width[f];
    const double energy = density * grid.direction_width,
                 whole = energy * (width + (last ? frequency / 4.0 : 0.0));
    const double along =
        wind_sea_factor * spectrum.wind_speed * std::cos(grid.direction[d] - spectrum.wind_direction);
    const bool young = grid.sigma[f] <= along * static_cast<double>(spectrum.wave_number[f]);
    return {whole, energy * frequency * (width + (last ? frequency / 3.0 : 0.0)), whole * grid.cosine[d],
            whole * grid.sine[d], young ? whole : 0.0};
}

}  // namespace

WaveSystems find_wave_systems(const SpectralGrid& grid, const SpectrumInPlace& spectrum) {
    const Landscape land(grid, spectrum.action);
    WaveSystems found{};
    if (!(land.highest() > 0.0)) return found;
    std::vector<int> peak_of = find_peaks(land, grid.bins());
    join_low_peaks(land, peak_of);
    std::vector<System> of_peak(peak_of.size());
    for (int bin = 0; bin < grid.bins(); ++bin)
        of_peak[static_cast<std::size_t>(peak_of[static_cast<std::size_t>(bin)])].add(
            bin_of(grid, spectrum, land.height(bin), bin));
    System wind_sea;
    std::vector<System> swells;
    for (const System& one : of_peak) {
        if (!(one.zero > 0.0)) continue;
        if (one.wind_sea > wind_sea_share * one.zero)
            wind_sea.add(one);
        else if (one.counts())
            swells.push_back(one);
    }
    std::ranges::stable_sort(swells, std::ranges::greater{}, &System::zero);
    found[0] = wind_sea.part();
    for (std::size_t s = 0; s < std::min<std::size_t>(swells.size(), most_swells); ++s)
        found[s + 1] = swells[s].part();
    return found;
}

}  // namespace groundswell::sea
