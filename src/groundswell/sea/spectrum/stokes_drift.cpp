#include "groundswell/sea/spectrum/stokes_drift.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

namespace {

Drift momentum_of_row(const SpectralGrid& grid, const Real* action, int i) {
    Drift sum;
    for (int j = 0; j < grid.directions; ++j) {
        const auto n = static_cast<double>(action[grid.index(i, j)]);
        sum.east += n * grid.cosine[j];
        sum.north += n * grid.sine[j];
    }
    const double factor = grid.sigma[i] * grid.direction_width;
    return {sum.east * factor, sum.north * factor};
}

}  // namespace

Drift stokes_drift(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double below) {
    Drift drift;
    const auto add = [&drift](const Drift& row, double weight) {
        drift.east += weight * row.east;
        drift.north += weight * row.north;
    };
    Drift row;
    for (int i = 0; i < grid.frequencies; ++i) {
        row = momentum_of_row(grid, spectrum.action, i);
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
