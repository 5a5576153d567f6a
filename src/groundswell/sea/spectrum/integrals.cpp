#include "groundswell/sea/spectrum/integrals.hpp"

#include <cmath>

#include "groundswell/sea/spectrum/frequency_row.hpp"

namespace groundswell::sea {

namespace {

// Frequency of the maximum of the parabola through three points, equally spaced in ln f.
double peak_frequency(const SpectralGrid& grid, int peak, double below, double at, double above) {
    const double curvature = below - 2.0 * at + above;
    const double shift = curvature < 0.0 ? 0.5 * (below - above) / curvature : 0.0;
    return grid.frequency[peak] * std::pow(grid.ratio, shift);
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

}  // namespace groundswell::sea
