#include "groundswell/sea/spectrum/products.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"

namespace groundswell::sea {

namespace {

// ∫ E (1, cos θ, sin θ, cos 2θ, sin 2θ) dθ at one frequency, m² s; and the first three over the bins of the wind sea.
struct Harmonics {
    double energy = 0.0, east = 0.0, north = 0.0, east_twice = 0.0, north_twice = 0.0;
    double sea_energy = 0.0, sea_east = 0.0, sea_north = 0.0;
};

// wind_east, wind_north: of a unit vector.
Harmonics harmonics_of(const SpectralGrid& grid, const SpectrumInPlace& spectrum, double wind_east,
                       double wind_north, int i) {
    const Real* row = spectrum.action + grid.index(i, 0);
    const auto f = static_cast<std::size_t>(i);
    const double *cosine = grid.cosine.data(), *sine = grid.sine.data();
    double energy = 0.0, to_east = 0.0, to_north = 0.0, east_twice = 0.0, north_twice = 0.0;
#pragma omp simd reduction(+ : energy, to_east, to_north, east_twice, north_twice)
    for (int j = 0; j < grid.directions; ++j) {
        const double n = static_cast<double>(row[j]), east = n * cosine[j], north = n * sine[j];
        energy += n;
        to_east += east;
        to_north += north;
        east_twice += east * cosine[j] - north * sine[j];
        north_twice += 2.0 * east * sine[j];
    }
    // Wind sea: phase speed ≤ factor · U cos(θ − wind), as a bound for the cosine.
    const double fastest =
        wind_sea_factor * spectrum.wind_speed * static_cast<double>(spectrum.wave_number[f]);
    double sea = 0.0, sea_east = 0.0, sea_north = 0.0;
    if (fastest > grid.sigma[f]) {
        const double least = grid.sigma[f] / fastest;
#pragma omp simd reduction(+ : sea, sea_east, sea_north)
        for (int j = 0; j < grid.directions; ++j) {
            const double n =
                cosine[j] * wind_east + sine[j] * wind_north >= least ? static_cast<double>(row[j]) : 0.0;
            sea += n;
            sea_east += n * cosine[j];
            sea_north += n * sine[j];
        }
    }
    const double factor = grid.sigma[f] * grid.direction_width;
    return {factor * energy,      factor * to_east, factor * to_north, factor * east_twice,
            factor * north_twice, factor * sea,     factor * sea_east, factor * sea_north};
}

// m0, m1 and ∫∫ E (cos θ, sin θ) of a part.
struct PartSums {
    double zero = 0.0, one = 0.0, east = 0.0, north = 0.0;

    void add(double energy, double to_east, double to_north, double width, double width_times_frequency) {
        zero += energy * width;
        one += energy * width_times_frequency;
        east += to_east * width;
        north += to_north * width;
    }

    WavePart part() const {
        if (!(zero >= calm_variance)) return {std::max(zero, 0.0), 0.0, 0.0};
        return {zero, zero / one, std::atan2(north, east)};
    }
};

// Sums over the rows. `width` is that of a row, and of the tail ∫ (f/f_n)^(p−5) df for what grows like f^p beyond the last.
struct Sums {
    WaveProducts products;
    double zero = 0.0, one = 0.0, two = 0.0, square = 0.0, bottom = 0.0;
    PartSums sea, swell;

    void add_moments(const Harmonics& row, double f, double w0, double w1, double w2) {
        zero += row.energy * w0;
        one += row.energy * f * w1;
        two += row.energy * f * f * w2;
        sea.add(row.sea_energy, row.sea_east, row.sea_north, w0, f * w1);
        swell.add(row.energy - row.sea_energy, row.east - row.sea_east, row.north - row.sea_north, w0,
                  f * w1);
    }

    void add_fluxes(const Harmonics& row, double drift, double transport, double flux) {
        products.eastward_stokes_drift += drift * row.east;
        products.northward_stokes_drift += drift * row.north;
        products.eastward_stokes_transport += transport * row.east;
        products.northward_stokes_transport += transport * row.north;
        products.eastward_energy_flux += flux * row.east;
        products.northward_energy_flux += flux * row.north;
    }

    void add_stress(const Harmonics& row, double n, double weight) {
        const double isotropic = (1.5 * n - 0.5) * row.energy, along = 0.5 * n * row.east_twice;
        products.radiation_stress_xx += weight * (isotropic + along);
        products.radiation_stress_yy += weight * (isotropic - along);
        products.radiation_stress_xy += weight * 0.5 * n * row.north_twice;
    }
};

}  // namespace

WaveProducts integrate_products(const SpectralGrid& grid, const SpectrumInPlace& spectrum) {
    using base::gravity;
    const double weight = sea_water_density * gravity;
    const double wind_east = std::cos(spectrum.wind_direction),
                 wind_north = std::sin(spectrum.wind_direction);
    Sums sums;
    Harmonics row;
    for (int i = 0; i < grid.frequencies; ++i) {
        row = harmonics_of(grid, spectrum, wind_east, wind_north, i);
        const auto at = static_cast<std::size_t>(i);
        const double f = grid.frequency[at], sigma = grid.sigma[at], width = grid.frequency_width[at];
        const double k = static_cast<double>(spectrum.wave_number[at]),
                     cg = static_cast<double>(spectrum.group_speed[at]), kd = k * spectrum.depth;
        // 1/sinh² kd, and cosh 2kd/sinh² kd = 2 + 1/sinh² kd; 0 where sinh would be beyond all numbers.
        const double sinh_kd = kd < 300.0 ? std::sinh(kd) : 0.0;
        const double inverse = sinh_kd > 0.0 ? 1.0 / (sinh_kd * sinh_kd) : 0.0;
        sums.add_moments(row, f, width, width, width);
        sums.add_fluxes(row, sigma * k * (2.0 + inverse) * width, gravity * k / sigma * width,
                        weight * cg * width);
        sums.add_stress(row, cg * k / sigma, weight * width);
        sums.square += row.energy * row.energy * f * width;
        sums.bottom += sigma * sigma * inverse * row.energy * width;
        sums.products.mean_square_slope += k * k * row.energy * width;
    }
    // The tail: E ∝ f⁻⁵ with the last row's directions, deep water: k = σ²/g, cg = g/2σ, n = ½.
    const double f = grid.frequency.back(), sigma = grid.sigma.back(), k = sigma * sigma / gravity;
    sums.add_moments(row, f, f / 4.0, f / 3.0, f / 2.0);
    sums.add_fluxes(row, 2.0 * sigma * k * f, gravity * k / sigma * f / 3.0,
                    weight * 0.5 * gravity / sigma * f / 5.0);
    sums.add_stress(row, 0.5, weight * f / 4.0);
    sums.square += row.energy * row.energy * f * f / 8.0;

    WaveProducts& products = sums.products;
    products.bottom_orbital_velocity = std::sqrt(std::max(sums.bottom, 0.0));
    if (sums.zero >= calm_variance) {
        products.spectral_width =
            std::sqrt(std::max(sums.zero * sums.two / (sums.one * sums.one) - 1.0, 0.0));
        products.peakedness = 2.0 * sums.square / (sums.zero * sums.zero);
    }
    products.wind_sea = sums.sea.part();
    products.swell = sums.swell.part();
    return products;
}

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
