#include "groundswell/sea/spectrum/stokes_drift.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/frequency_row.hpp"

namespace groundswell::sea {

Drift stokes_drift(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double below) {
    Drift drift;
    const auto add = [&drift](const FrequencyRow& row, double weight) {
        drift.east += weight * row.east;
        drift.north += weight * row.north;
    };
    FrequencyRow row;
    for (int i = 0; i < grid.frequencies; ++i) {
        row = frequency_row(grid, spectrum.action, i);
        const auto k = static_cast<double>(spectrum.wave_number[i]);
        // cosh 2k(d − z)/sinh² kd without large numbers.
        const double down = std::exp(-2.0 * k * below),
                     up = std::exp(-2.0 * k * (2.0 * spectrum.depth - below));
        const double shallow = -std::expm1(-2.0 * k * spectrum.depth);
        add(row, grid.sigma[i] * k * 2.0 * (down + up) / (shallow * shallow) * grid.frequency_width[i]);
    }
    const double sigma = grid.sigma.back(), k = sigma * sigma / base::gravity, a = 2.0 * k * below;
    add(row, 2.0 * sigma * k * grid.frequency.back() *
                 (std::exp(-a) - std::sqrt(base::pi * a) * std::erfc(std::sqrt(a))));
    return drift;
}

}  // namespace groundswell::sea
