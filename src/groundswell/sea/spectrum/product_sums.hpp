#pragma once

#include <cstddef>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/sums.hpp"

namespace groundswell::sea {

/// Wind sea is made of bins whose waves are no faster than this times the component of the wind along them (WAVEWATCH III's
/// WSMULT, after Hanson & Phillips 2001, J. Atmos. Oceanic Technol. 18, 277).
inline constexpr double wind_sea_factor = 1.7;
inline constexpr double sea_water_density = 1025.0;  ///< kg m⁻³, of energy flux and radiation stress

/// The wind over a cell.
struct WindOnWaves {
    double speed = 0.0;              ///< m s⁻¹
    double east = 1.0, north = 0.0;  ///< of the unit vector along it
};

/// Waves of one frequency in their water.
struct WavesInWater {
    Real wave_number = 0, group_speed = 0;  ///< rad m⁻¹, m s⁻¹
    double inverse_square = 0.0;            ///< 1/sinh² kd; 0 where that is below all numbers
};

/// ∫ E (1, cos θ, sin θ, cos 2θ, sin 2θ) dθ at one frequency, m² s; and the first three over the bins of the wind sea.
struct Harmonics {
    double energy = 0.0, east = 0.0, north = 0.0, east_twice = 0.0, north_twice = 0.0;
    double sea_energy = 0.0, sea_east = 0.0, sea_north = 0.0;
};

constexpr Harmonics harmonics_of(const SumAxes& axes, const Real* bins, int i, const WindOnWaves& wind,
                                 Real wave_number) {
    const Real* const row = axes.row(bins, i);
    const double *const cosine = axes.cosine.data(), *const sine = axes.sine.data();
    const double sigma = axes.sigma[static_cast<std::size_t>(i)], factor = sigma * axes.direction_width;
    FourSums energy, to_east, to_north, east_twice, north_twice;
    by_four(axes.directions(), [&](int j, int part) {
        const double n = static_cast<double>(row[j]), east = n * cosine[j], north = n * sine[j];
        energy.part[part] += n;
        to_east.part[part] += east;
        to_north.part[part] += north;
        east_twice.part[part] += east * cosine[j] - north * sine[j];
        north_twice.part[part] += 2.0 * east * sine[j];
    });
    Harmonics sums{factor * energy.total(), factor * to_east.total(), factor * to_north.total(),
                   factor * east_twice.total(), factor * north_twice.total()};
    // Wind sea: phase speed ≤ factor · U cos(θ − wind), as a bound for the cosine.
    const double fastest = wind_sea_factor * wind.speed * static_cast<double>(wave_number);
    if (!(fastest > sigma)) return sums;
    const double least = sigma / fastest;
    FourSums sea, sea_east, sea_north;
    by_four(axes.directions(), [&](int j, int part) {
        if (!(cosine[j] * wind.east + sine[j] * wind.north >= least)) return;
        const double n = static_cast<double>(row[j]);
        sea.part[part] += n;
        sea_east.part[part] += n * cosine[j];
        sea_north.part[part] += n * sine[j];
    });
    sums.sea_energy = factor * sea.total();
    sums.sea_east = factor * sea_east.total();
    sums.sea_north = factor * sea_north.total();
    return sums;
}

/// m0, m1 and ∫∫ E (cos θ, sin θ) of a part of a spectrum.
struct PartSums {
    double zero = 0.0, one = 0.0, east = 0.0, north = 0.0;

    constexpr void add(double energy, double to_east, double to_north, double of_width, double of_frequency) {
        zero += energy * of_width;
        one += energy * of_frequency;
        east += to_east * of_width;
        north += to_north * of_width;
    }
};

/// Sums from which WaveProducts are found, in their units. `w0`, `w1` and `w2` are widths for sums over 1, f and f²: of a row all the same, of
/// the tail ∫ (f/f_n)^(p−5) df for f^p.
struct ProductSums {
    double eastward_drift = 0.0, northward_drift = 0.0, eastward_transport = 0.0, northward_transport = 0.0;
    double eastward_flux = 0.0, northward_flux = 0.0;
    double stress_xx = 0.0, stress_xy = 0.0, stress_yy = 0.0;
    double slope = 0.0, zero = 0.0, one = 0.0, two = 0.0, square = 0.0, bottom = 0.0;
    PartSums sea, swell;

    constexpr void add_moments(const Harmonics& row, double f, double w0, double w1, double w2) {
        zero += row.energy * w0;
        one += row.energy * f * w1;
        two += row.energy * f * f * w2;
        sea.add(row.sea_energy, row.sea_east, row.sea_north, w0, f * w1);
        swell.add(row.energy - row.sea_energy, row.east - row.sea_east, row.north - row.sea_north, w0,
                  f * w1);
    }
    constexpr void add_fluxes(const Harmonics& row, double drift, double transport, double flux) {
        eastward_drift += drift * row.east;
        northward_drift += drift * row.north;
        eastward_transport += transport * row.east;
        northward_transport += transport * row.north;
        eastward_flux += flux * row.east;
        northward_flux += flux * row.north;
    }
    constexpr void add_stress(const Harmonics& row, double n, double weight) {
        const double isotropic = (1.5 * n - 0.5) * row.energy, along = 0.5 * n * row.east_twice;
        stress_xx += weight * (isotropic + along);
        stress_yy += weight * (isotropic - along);
        stress_xy += weight * 0.5 * n * row.north_twice;
    }
};

/// `row_of(i)`: Harmonics of each frequency, `waves_of(i)`: its WavesInWater; both asked for once, in order.
template <class RowOf, class WavesOf>
constexpr ProductSums sum_products(const SumAxes& axes, const RowOf& row_of, const WavesOf& waves_of) {
    using base::gravity;
    const double weight = sea_water_density * gravity;
    ProductSums sums;
    Harmonics row;
    for (int i = 0; i < axes.frequencies(); ++i) {
        row = row_of(i);
        const WavesInWater waves = waves_of(i);
        const auto at = static_cast<std::size_t>(i);
        const double f = axes.frequency[at], sigma = axes.sigma[at], width = axes.width[at];
        const double k = static_cast<double>(waves.wave_number), cg = static_cast<double>(waves.group_speed),
                     inverse = waves.inverse_square;
        sums.add_moments(row, f, width, width, width);
        // cosh 2kd/sinh² kd = 2 + 1/sinh² kd
        sums.add_fluxes(row, sigma * k * (2.0 + inverse) * width, gravity * k / sigma * width,
                        weight * cg * width);
        sums.add_stress(row, cg * k / sigma, weight * width);
        sums.square += row.energy * row.energy * f * width;
        sums.bottom += sigma * sigma * inverse * row.energy * width;
        sums.slope += k * k * row.energy * width;
    }
    // The tail: E ∝ f⁻⁵ with the last row's directions, deep water: k = σ²/g, cg = g/2σ, n = ½.
    const double f = axes.frequency.back(), sigma = axes.sigma.back(), k = sigma * sigma / gravity;
    sums.add_moments(row, f, f / 4.0, f / 3.0, f / 2.0);
    sums.add_fluxes(row, 2.0 * sigma * k * f, gravity * k / sigma * f / 3.0,
                    weight * 0.5 * gravity / sigma * f / 5.0);
    sums.add_stress(row, 0.5, weight * f / 4.0);
    sums.square += row.energy * row.energy * f * f / 8.0;
    return sums;
}

}  // namespace groundswell::sea
