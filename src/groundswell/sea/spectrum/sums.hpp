#pragma once

#include <cstddef>
#include <span>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

/// Sums over a spectrum, without a function of a library: processors and devices add in one order, so that both have the same bits.
namespace groundswell::sea {

/// Axes of a spectrum as sums take them, wherever these tables of a SpectralGrid lie.
struct SumAxes {
    std::span<const double> frequency, sigma, width;  ///< [frequencies]: frequency, sigma, frequency_width
    std::span<const double> cosine, sine;             ///< [directions]
    double direction_width = 0.0;                     ///< rad

    static SumAxes of(const SpectralGrid& grid) {
        return {grid.frequency, grid.sigma, grid.frequency_width,
                grid.cosine,    grid.sine,  grid.direction_width};
    }
    constexpr void arrays(const auto& visit) const {
        for (const auto* table : {&frequency, &sigma, &width, &cosine, &sine}) visit(*table);
    }
    constexpr int frequencies() const { return static_cast<int>(frequency.size()); }
    constexpr int directions() const { return static_cast<int>(cosine.size()); }
    /// The row of one frequency in a block of bins.
    constexpr const Real* row(const Real* bins, int i) const {
        return bins + static_cast<std::ptrdiff_t>(i) * directions();
    }
};

/// A sum as four, of every fourth number from the first on: what a register of any width can hold.
struct FourSums {
    double part[4] = {0.0, 0.0, 0.0, 0.0};
    constexpr double total() const { return (part[0] + part[2]) + (part[1] + part[3]); }
};

/// Calls add(j, part) for 0 ≤ j < n: number j of a sum belongs to the part that FourSums has for it.
template <class Add>
constexpr void by_four(int n, const Add& add) {
    int first = 0;
    for (; first + 4 <= n; first += 4) {
        for (int part = 0; part < 4; ++part) add(first + part, part);
    }
    for (int part = 0; part < 4; ++part)
        if (first + part < n) add(first + part, part);
}

/// ∫ E (1, cos θ, sin θ) dθ at one frequency, m² s.
struct FrequencyRow {
    double energy = 0.0, east = 0.0, north = 0.0;
};

constexpr FrequencyRow frequency_row(const SumAxes& axes, const Real* bins, int i) {
    const Real* const row = axes.row(bins, i);
    const double *const cosine = axes.cosine.data(), *const sine = axes.sine.data();
    FourSums energy, east, north;
    by_four(axes.directions(), [&](int j, int part) {
        const double n = static_cast<double>(row[j]);
        energy.part[part] += n;
        east.part[part] += n * cosine[j];
        north.part[part] += n * sine[j];
    });
    const double factor = axes.sigma[static_cast<std::size_t>(i)] * axes.direction_width;
    return {energy.total() * factor, east.total() * factor, north.total() * factor};
}

/// Sums from which SeaParameters are found. Beyond the last frequency a tail E ~ f⁻⁵ is part of the moments (see integrate_spectrum()).
struct SpectrumMoments {
    double minus_one = 0.0, zero = 0.0, one = 0.0, two = 0.0;  ///< ∫∫ E f^p, m² s^-p
    double east = 0.0, north = 0.0;                            ///< ∫∫ E (cos θ, sin θ), m²
    double before_peak = 0.0, after_peak = 0.0;  ///< m² s, E(f) of the neighbours of the highest
    FrequencyRow at_peak;
    int peak = 0;  ///< the first frequency of the highest E(f)
};

/// `row_of(i)`: FrequencyRow of each frequency, asked for once, in order.
template <class RowOf>
constexpr SpectrumMoments sum_moments(const SumAxes& axes, const RowOf& row_of) {
    SpectrumMoments sums;
    sums.at_peak.energy = -1.0;
    double previous = 0.0;
    FrequencyRow row;
    for (int i = 0; i < axes.frequencies(); ++i) {
        row = row_of(i);
        const double f = axes.frequency[static_cast<std::size_t>(i)],
                     width = axes.width[static_cast<std::size_t>(i)];
        sums.minus_one += row.energy * width / f;
        sums.zero += row.energy * width;
        sums.one += row.energy * width * f;
        sums.two += row.energy * width * f * f;
        sums.east += row.east * width;
        sums.north += row.north * width;
        if (sums.peak == i - 1) sums.after_peak = row.energy;
        if (row.energy > sums.at_peak.energy) {
            sums.peak = i;
            sums.before_peak = previous;
            sums.at_peak = row;
            sums.after_peak = 0.0;
        }
        previous = row.energy;
    }
    // ∫_{f_n}^∞ E(f_n) (f/f_n)^-5 f^p df = E(f_n) f_n^{p+1}/(4-p)
    const double f_last = axes.frequency.back();
    sums.minus_one += row.energy / 5.0;
    sums.zero += row.energy * f_last / 4.0;
    sums.one += row.energy * f_last * f_last / 3.0;
    sums.two += row.energy * f_last * f_last * f_last / 2.0;
    sums.east += row.east * f_last / 4.0;
    sums.north += row.north * f_last / 4.0;
    return sums;
}

}  // namespace groundswell::sea
