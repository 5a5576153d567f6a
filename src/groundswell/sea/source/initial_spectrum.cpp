#include "groundswell/sea/source/initial_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::sea {

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
