#include "groundswell/sea/spectrum/products.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"

namespace groundswell::sea {

WindOnWaves wind_on(const SpectrumInPlace& spectrum) {
    return {spectrum.wind_speed, spectrum.wind_x, spectrum.wind_y};
}

WavesInWater waves_in(const SpectrumInPlace& spectrum, std::size_t frequency) {
    const Real k = spectrum.wave_number[frequency];
    const double kd = static_cast<double>(k) * spectrum.depth;
    const double sinh_kd = kd < 300.0 ? std::sinh(kd) : 0.0;  // beyond all numbers
    return {k, spectrum.group_speed[frequency], sinh_kd > 0.0 ? 1.0 / (sinh_kd * sinh_kd) : 0.0};
}

WaveProducts wave_products(const ProductSums& sums) {
    WaveProducts products;
    products.eastward_stokes_drift = sums.eastward_drift;
    products.northward_stokes_drift = sums.northward_drift;
    products.eastward_stokes_transport = sums.eastward_transport;
    products.northward_stokes_transport = sums.northward_transport;
    products.mean_square_slope = sums.slope;
    products.eastward_energy_flux = sums.eastward_flux;
    products.northward_energy_flux = sums.northward_flux;
    products.radiation_stress_xx = sums.stress_xx;
    products.radiation_stress_xy = sums.stress_xy;
    products.radiation_stress_yy = sums.stress_yy;
    products.bottom_orbital_velocity = std::sqrt(std::max(sums.bottom, 0.0));
    if (sums.zero >= calm_variance) {
        products.spectral_width =
            std::sqrt(std::max(sums.zero * sums.two / (sums.one * sums.one) - 1.0, 0.0));
        products.peakedness = 2.0 * sums.square / (sums.zero * sums.zero);
    }
    products.wind_sea = wave_part(sums.sea);
    products.swell = wave_part(sums.swell);
    return products;
}

WavePart wave_part(const PartSums& sums) {
    if (!(sums.zero >= calm_variance)) return {std::max(sums.zero, 0.0), 0.0, 0.0};
    return {sums.zero, sums.zero / sums.one, std::atan2(sums.north, sums.east)};
}

WaveProducts integrate_products(const SpectralGrid& grid, const SpectrumInPlace& spectrum) {
    const SumAxes axes = SumAxes::of(grid);
    const WindOnWaves wind = wind_on(spectrum);
    return wave_products(sum_products(
        axes, [&](int i) { return harmonics_of(axes, spectrum.action, i, wind, spectrum.wave_number[i]); },
        [&](int i) { return waves_in(spectrum, static_cast<std::size_t>(i)); }));
}

Drift stokes_drift(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double below) {
    Drift drift;
    const auto add = [&drift](const FrequencyRow& row, double weight) {
        drift.east += weight * row.east;
        drift.north += weight * row.north;
    };
    FrequencyRow row;
    for (int i = 0; i < grid.frequencies; ++i) {
        row = frequency_row(SumAxes::of(grid), spectrum.action, i);
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
