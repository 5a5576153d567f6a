#include "groundswell/sea/spectrum/integrals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace groundswell::sea {

namespace {

// Frequency of the maximum of the parabola through three points, equally spaced in ln f.
double peak_frequency(const SpectralGrid& grid, int peak, double below, double at, double above) {
    const double curvature = below - 2.0 * at + above;
    const double shift = curvature < 0.0 ? 0.5 * (below - above) / curvature : 0.0;
    return grid.frequency[peak] * std::pow(grid.ratio, shift);
}

constexpr int lags = 64;    // in a peak period
constexpr int at_once = 8;  // frequencies

using Correlation = std::array<double, lags + 1>;
// Sums over every at_once-th frequency: they do not wait for each other.
using Shares = std::array<std::array<double, at_once>, lags + 1>;

// Adds ∫ E cos 2πfτ df of a few frequencies, cos nδ by cos (n+1)δ = 2 cos δ cos nδ − cos (n−1)δ.
void add_cosines(const std::array<double, at_once>& variance, const std::array<double, at_once>& step,
                 Shares& shares) {
    std::array<double, at_once> now{}, before{}, twice{};
    for (int m = 0; m < at_once; ++m) {
        before[m] = std::cos(step[m]);
        twice[m] = 2.0 * before[m];
        now[m] = 1.0;
    }
    for (std::array<double, at_once>& share : shares) {
#pragma omp simd
        for (int m = 0; m < at_once; ++m) {
            share[m] += variance[m] * now[m];
            const double next = twice[m] * now[m] - before[m];
            before[m] = now[m];
            now[m] = next;
        }
    }
}

// The value at the bottom of the parabola through the lowest lag and its neighbours, over the value at no lag.
double lowest(const Correlation& sum) {
    const auto at = std::clamp<std::ptrdiff_t>(std::ranges::min_element(sum) - sum.begin(), 1, lags - 1);
    const double below = sum[at - 1], middle = sum[at], above = sum[at + 1];
    const double curvature = below - 2.0 * middle + above, slope = 0.5 * (above - below);
    const double bottom = curvature > 0.0 && std::abs(slope) <= curvature
                              ? middle - 0.5 * slope * slope / curvature
                              : std::min({below, middle, above});
    return bottom / sum[0];
}

}  // namespace

SeaParameters integrate_spectrum(const SpectralGrid& grid, const Real* action) {
    double minus_one = 0.0, zero = 0.0, one = 0.0, two = 0.0, east = 0.0, north = 0.0;
    double previous = 0.0, before_peak = 0.0, after_peak = 0.0;
    int peak = 0;
    FrequencyRow row, at_peak{-1.0, 0.0, 0.0};
    for (int i = 0; i < grid.frequencies; ++i) {
        row = frequency_row(grid, action, i);
        const double f = grid.frequency[i], width = grid.frequency_width[i];
        minus_one += row.energy * width / f;
        zero += row.energy * width;
        one += row.energy * width * f;
        two += row.energy * width * f * f;
        east += row.east * width;
        north += row.north * width;
        if (peak == i - 1) after_peak = row.energy;
        if (row.energy > at_peak.energy) {
            peak = i;
            before_peak = previous;
            at_peak = row;
            after_peak = 0.0;
        }
        previous = row.energy;
    }
    // ∫_{f_n}^∞ E(f_n) (f/f_n)^-5 f^p df = E(f_n) f_n^{p+1}/(4-p)
    const double f_last = grid.frequency.back();
    minus_one += row.energy / 5.0;
    zero += row.energy * f_last / 4.0;
    one += row.energy * f_last * f_last / 3.0;
    two += row.energy * f_last * f_last * f_last / 2.0;
    east += row.east * f_last / 4.0;
    north += row.north * f_last / 4.0;

    SeaParameters sea;
    sea.m0 = zero;
    sea.significant_height = 4.0 * std::sqrt(zero > 0.0 ? zero : 0.0);
    sea.calm = !(zero >= calm_variance);
    if (sea.calm) return sea;
    sea.mean_period_m01 = zero / one;
    sea.mean_period_m02 = std::sqrt(zero / two);
    sea.energy_period = minus_one / zero;
    const bool inner = peak > 0 && peak + 1 < grid.frequencies;
    sea.peak_period = 1.0 / (inner ? peak_frequency(grid, peak, before_peak, at_peak.energy, after_peak)
                                   : grid.frequency[peak]);
    sea.mean_direction = std::atan2(north, east);
    sea.peak_direction = std::atan2(at_peak.north, at_peak.east);
    const double resultant = std::sqrt(east * east + north * north) / zero;
    sea.directional_spread = std::sqrt(2.0 * (resultant < 1.0 ? 1.0 - resultant : 0.0));
    return sea;
}

double highest_wave(const SpectralGrid& grid, const Real* action, const SeaParameters& sea) {
    if (sea.calm) return 0.0;
    Shares shares{};
    for (int first = 0; first < grid.frequencies; first += at_once) {
        std::array<double, at_once> variance{}, step{};
        for (int i = first; i < std::min(first + at_once, grid.frequencies); ++i) {
            const Real* const from = action + grid.index(i, 0);
            double row = 0.0;
#pragma omp simd reduction(+ : row)
            for (int j = 0; j < grid.directions; ++j) row += static_cast<double>(from[j]);
            variance[i - first] = row * grid.sigma[i] * grid.frequency_width[i];
            step[i - first] = grid.sigma[i] * sea.peak_period / lags;
        }
        add_cosines(variance, step, shares);
    }
    Correlation sum;
    for (int lag = 0; lag <= lags; ++lag)
        sum[lag] = std::accumulate(shares[lag].begin(), shares[lag].end(), 0.0);
    if (!(sum[0] > 0.0)) return 0.0;
    const double waves = std::max(sea_state_seconds / sea.mean_period_m02, 2.0);
    const double mode = std::sqrt(2.0 * std::log(waves));
    return std::sqrt(sea.m0 * 2.0 * (1.0 - lowest(sum))) * (mode + std::numbers::egamma / mode);
}

}  // namespace groundswell::sea
