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

SpectrumMoments sum_spectrum(const SpectralGrid& grid, const Real* action) {
    const SumAxes axes = SumAxes::of(grid);
    return sum_moments(axes, [&](int i) { return frequency_row(axes, action, i); });
}

SeaParameters sea_parameters(const SpectralGrid& grid, const SpectrumMoments& sums) {
    SeaParameters sea;
    sea.m0 = sums.zero;
    sea.significant_height = 4.0 * std::sqrt(sums.zero > 0.0 ? sums.zero : 0.0);
    sea.calm = !(sums.zero >= calm_variance);
    if (sea.calm) return sea;
    sea.mean_period_m01 = sums.zero / sums.one;
    sea.mean_period_m02 = std::sqrt(sums.zero / sums.two);
    sea.energy_period = sums.minus_one / sums.zero;
    const bool inner = sums.peak > 0 && sums.peak + 1 < grid.frequencies;
    sea.peak_period =
        1.0 / (inner ? peak_frequency(grid, sums.peak, sums.before_peak, sums.at_peak.energy, sums.after_peak)
                     : grid.frequency[sums.peak]);
    sea.mean_direction = std::atan2(sums.north, sums.east);
    sea.peak_direction = std::atan2(sums.at_peak.north, sums.at_peak.east);
    const double resultant = std::sqrt(sums.east * sums.east + sums.north * sums.north) / sums.zero;
    sea.directional_spread = std::sqrt(2.0 * (resultant < 1.0 ? 1.0 - resultant : 0.0));
    return sea;
}

SeaParameters integrate_spectrum(const SpectralGrid& grid, const Real* action) {
    return sea_parameters(grid, sum_spectrum(grid, action));
}

std::vector<double> frequency_spectrum(const SpectralGrid& grid, const Real* action) {
    const SumAxes axes = SumAxes::of(grid);
    std::vector<double> density(static_cast<std::size_t>(grid.frequencies));
    for (int i = 0; i < grid.frequencies; ++i) density[i] = frequency_row(axes, action, i).energy;
    return density;
}

double highest_wave(const SpectralGrid& grid, const Real* action, const SeaParameters& sea) {
    return sea.calm ? 0.0 : highest_wave(grid, frequency_spectrum(grid, action), sea);
}

double highest_wave(const SpectralGrid& grid, std::span<const double> density, const SeaParameters& sea) {
    if (sea.calm) return 0.0;
    Shares shares{};
    for (int first = 0; first < grid.frequencies; first += at_once) {
        std::array<double, at_once> variance{}, step{};
        for (int i = first; i < std::min(first + at_once, grid.frequencies); ++i) {
            variance[i - first] = density[i] * grid.frequency_width[i];
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
