#include "groundswell/sea/spectrum/parametric_sea.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"

namespace groundswell::sea {

double jonswap_shape(double relative_frequency, double peak_enhancement) {
    const double width = relative_frequency <= 1.0 ? 0.07 : 0.09;
    const double nearness = std::exp(-0.5 * std::pow((relative_frequency - 1.0) / width, 2));
    return std::pow(relative_frequency, -5.0) * std::exp(-1.25 * std::pow(relative_frequency, -4.0)) *
           std::pow(peak_enhancement, nearness);
}

void fill_spectrum(const SpectralGrid& grid, const ParametricSea& sea, double height_factor, Real* action) {
    const double spread = sea.spread * base::degree;
    const double s = 2.0 / (spread * spread) - 1.0;
    const double mean = direction_to(sea.bearing);

    std::vector<double> over_direction, over_frequency;
    double direction_sum = 0.0, variance = 0.0;
    for (const double direction : grid.direction) {
        over_direction.push_back(std::pow(std::abs(std::cos(0.5 * (direction - mean))), 2.0 * s));
        direction_sum += over_direction.back() * grid.direction_width;
    }
    for (int i = 0; i < grid.frequencies; ++i) {
        over_frequency.push_back(jonswap_shape(grid.frequency[i] * sea.peak_period, sea.peak_enhancement));
        variance += over_frequency.back() * grid.frequency_width[i];
    }
    variance +=
        over_frequency.back() * grid.frequency.back() / 4.0;  // the f⁻⁵ tail that integrate_spectrum() adds
    const double wanted = std::pow(0.25 * sea.significant_height * height_factor, 2);
    // A peak far below or above the grid leaves nothing to scale: then there is no sea.
    const double scale = variance > 0.0 && direction_sum > 0.0 ? wanted / (variance * direction_sum) : 0.0;
    for (int i = 0; i < grid.frequencies; ++i)
        for (int j = 0; j < grid.directions; ++j)
            action[grid.index(i, j)] =
                static_cast<Real>(scale * over_frequency[i] * over_direction[j] / grid.sigma[i]);
}

double jonswap(double frequency, double peak_frequency, double alpha, const FetchSea& sea) {
    return alpha * base::gravity * base::gravity / std::pow(base::two_pi, 4) / std::pow(peak_frequency, 5) *
           jonswap_shape(frequency / peak_frequency, sea.peak_enhancement);
}

void fill_wind_sea(const SpectralGrid& grid, const FetchSea& sea, double wind_speed, double wind_direction,
                   Real* action) {
    std::fill(action, action + grid.stride(), Real(0));
    constexpr double calm = 0.1;  // m s⁻¹: below, the peak would lie far beyond any grid
    if (wind_speed < calm) return;

    const double per_wind = wind_speed / base::gravity;  // makes frequencies dimensionless
    const double fetch = base::gravity * sea.fetch / (wind_speed * wind_speed);
    const double peak =
        std::min(std::max(2.84 * std::pow(fetch, -0.3), 0.13), per_wind * sea.highest_peak_frequency);
    const double alpha = std::max(0.033 * std::pow(peak, 2.0 / 3.0), 0.0081);

    double sum = 0.0;
    for (double direction : grid.direction) {
        const double cosine = std::max(std::cos(direction - wind_direction), 0.0);
        sum += cosine * cosine * grid.direction_width;
    }
    for (int i = 0; i < grid.frequencies; ++i) {
        const double density = jonswap(grid.frequency[i], peak / per_wind, alpha, sea) / grid.sigma[i];
        for (int j = 0; j < grid.directions; ++j) {
            const double cosine = std::max(std::cos(grid.direction[j] - wind_direction), 0.0);
            action[grid.index(i, j)] = static_cast<Real>(density * cosine * cosine / sum);
        }
    }
}

}  // namespace groundswell::sea
