#include "groundswell/sea/spectrum/partitions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/sea/spectrum/catchments.hpp"

namespace groundswell::sea {

namespace {

// Sums over the bins of a system.
struct System {
    double zero = 0.0, one = 0.0, east = 0.0, north = 0.0, wind_sea = 0.0;

    bool counts() const { return 4.0 * std::sqrt(zero) >= lowest_system; }
    WavePart part() const {
        return counts() ? WavePart{zero, zero / one, std::atan2(north, east)} : WavePart{};
    }
};

// Adds the bins of a frequency, the last one's with the tail beyond, each to its system, [directions]. along: what wind sea is told
// by, [directions], m s⁻¹.
void add_row(const SpectralGrid& grid, int frequency, const Real* height, const std::int32_t* of,
             const std::vector<std::int32_t>& whole, const double* along, double wave_number,
             std::vector<System>& systems) {
    const auto i = static_cast<std::size_t>(frequency);
    const bool last = frequency + 1 == grid.frequencies;
    const double f = grid.frequency[i], width = grid.frequency_width[i], least = grid.sigma[i] / wave_number;
    const double zero = grid.direction_width * (width + (last ? f / 4.0 : 0.0)),
                 one = grid.direction_width * f * (width + (last ? f / 3.0 : 0.0));
    const double *const cosine = grid.cosine.data(), *const sine = grid.sine.data();
    for (int first = 0, end = 0; first < grid.directions; first = end) {
        const std::int32_t mine = of[first];
        while (end < grid.directions && of[end] == mine) ++end;
        double energy = 0.0, east = 0.0, north = 0.0, young = 0.0;
#pragma omp simd reduction(+ : energy, east, north, young)
        for (int j = first; j < end; ++j) {
            const auto e = static_cast<double>(height[j]);
            energy += e;
            east += e * cosine[j];
            north += e * sine[j];
            young += along[j] >= least ? e : 0.0;
        }
        System& system = systems[static_cast<std::size_t>(whole[static_cast<std::size_t>(mine)])];
        system.zero += zero * energy;
        system.one += one * energy;
        system.east += zero * east;
        system.north += zero * north;
        system.wind_sea += zero * young;
    }
}

std::vector<System> sum_systems(const SpectralGrid& grid, const SpectrumInPlace& spectrum,
                                const Landscape& land) {
    const Catchments catchments = find_catchments(land);
    const std::vector<std::int32_t> whole =
        join_low_peaks(land, catchments, least_prominence * static_cast<double>(land.highest()));
    const double fastest = wind_sea_factor * spectrum.wind_speed, east = fastest * spectrum.wind_x,
                 north = fastest * spectrum.wind_y;
    std::vector<double> along(static_cast<std::size_t>(grid.directions));
    for (std::size_t d = 0; d < along.size(); ++d) along[d] = east * grid.cosine[d] + north * grid.sine[d];
    std::vector<System> systems(whole.size());
    for (int i = 0; i < grid.frequencies; ++i)
        add_row(grid, i, land.heights(i), catchments.of.data() + land.place(i, 0), whole, along.data(),
                static_cast<double>(spectrum.wave_number[i]), systems);
    return systems;
}

}  // namespace

WaveSystems find_wave_systems(const SpectralGrid& grid, const SpectrumInPlace& spectrum) {
    const Landscape land(grid, spectrum.action);
    WaveSystems found{};
    if (!(land.highest() > 0)) return found;
    System wind_sea;
    std::vector<System> swells;
    for (const System& one : sum_systems(grid, spectrum, land)) {
        if (!(one.zero > 0.0)) continue;
        if (one.wind_sea > wind_sea_share * one.zero) {
            wind_sea.zero += one.zero;
            wind_sea.one += one.one;
            wind_sea.east += one.east;
            wind_sea.north += one.north;
        } else if (one.counts()) {
            swells.push_back(one);
        }
    }
    std::ranges::stable_sort(swells, std::ranges::greater{}, &System::zero);
    found[0] = wind_sea.part();
    for (std::size_t s = 0; s < std::min<std::size_t>(swells.size(), most_swells); ++s)
        found[s + 1] = swells[s].part();
    return found;
}

}  // namespace groundswell::sea
