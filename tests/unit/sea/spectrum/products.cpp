#include "groundswell/sea/spectrum/products.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"

namespace groundswell::sea {
namespace {

using base::gravity;

/// A spectrum in water of one depth.
struct Water {
    SpectralGrid grid;
    std::vector<Real> action, wave_number, group_speed;
    double depth;

    explicit Water(double depth_of_it, SpectralGrid chosen = SpectralGrid(30, 24, 0.04, 1.1))
        : grid(std::move(chosen)), action(grid.stride()), depth(depth_of_it) {
        for (const double sigma : grid.sigma) {
            const double k = sea::wave_number(sigma, depth);
            wave_number.push_back(static_cast<Real>(k));
            group_speed.push_back(static_cast<Real>(sea::group_speed(sigma, k, depth)));
        }
    }

    /// All variance in one bin, m².
    void put(int i, int j, double variance) {
        action[grid.index(i, j)] =
            static_cast<Real>(variance / (grid.sigma[i] * grid.frequency_width[i] * grid.direction_width));
    }

    WaveProducts products(double wind_speed = 0.0, double wind_direction = 0.0) const {
        return integrate_products(grid, {action.data(), wave_number.data(), group_speed.data(), depth,
                                         wind_speed, std::cos(wind_direction), std::sin(wind_direction)});
    }
};

constexpr double variance = 0.5;
constexpr int at = 8;  // a frequency of 0.086 Hz

// One wave of amplitude a has variance a²/2: its drift, flux, stress and bottom velocity are those of the textbook's wave.
TEST(Products, OneWaveHasThePropertiesOfALinearWave) {
    for (const double depth : {2000.0, 20.0, 1.0}) {
        Water water(depth);
        const int j = 5;  // towards 75° from east
        water.put(at, j, variance);
        const WaveProducts found = water.products();
        const double sigma = water.grid.sigma[at], k = wave_number(sigma, depth), kd = k * depth;
        const double cg = group_speed(sigma, k, depth), n = cg * k / sigma;
        const double east = std::cos(75 * base::degree), north = std::sin(75 * base::degree);
        const double drift = kd > 300 ? 2 * sigma * k * variance
                                      : sigma * k * std::cosh(2 * kd) / std::pow(std::sinh(kd), 2) * variance;
        EXPECT_NEAR(found.eastward_stokes_drift, drift * east, 1e-5 * drift);
        EXPECT_NEAR(found.northward_stokes_drift, drift * north, 1e-5 * drift);
        const double energy = sea_water_density * gravity * variance;
        EXPECT_NEAR(found.northward_energy_flux, energy * cg * north, 1e-5 * energy * cg);
        EXPECT_NEAR(found.radiation_stress_xx, energy * (n * east * east + n - 0.5), 1e-5 * energy);
        EXPECT_NEAR(found.radiation_stress_xy, energy * n * east * north, 1e-5 * energy);
        EXPECT_NEAR(found.radiation_stress_yy, energy * (n * north * north + n - 0.5), 1e-5 * energy);
        EXPECT_NEAR(found.mean_square_slope, k * k * variance, 1e-5 * k * k * variance);
        const double bottom = kd > 300 ? 0.0 : sigma / std::sinh(kd) * std::sqrt(variance);
        EXPECT_NEAR(found.bottom_orbital_velocity, bottom, 1e-5 * std::max(bottom, 1e-6));
        EXPECT_NEAR(found.spectral_width, 0.0, 1e-6);
    }
}

// u(z) = σk cosh 2k(z+d)/sinh² kd · m0, from the bottom to the surface.
TEST(Products, TransportIsTheDriftSummedOverDepth) {
    const double depth = 20.0;
    Water water(depth);
    water.put(at, 0, variance);
    const double sigma = water.grid.sigma[at], k = wave_number(sigma, depth);
    double sum = 0.0;
    const int layers = 20000;
    for (int l = 0; l < layers; ++l) {
        const double above_bottom = (l + 0.5) * depth / layers;
        sum += sigma * k * std::cosh(2 * k * above_bottom) / std::pow(std::sinh(k * depth), 2) * variance *
               depth / layers;
    }
    EXPECT_NEAR(water.products().eastward_stokes_transport, sum, 1e-5 * sum);
}

TEST(Products, TheProfileOfTheDriftBeginsAtTheSurfaceAndItsSumIsTheTransport) {
    Water water(40.0);
    for (int i = 0; i < 30; ++i)
        for (int j = 0; j < 24; ++j) water.put(i, j, 1e-3 * ((7 * i + 11 * j) % 13));
    const SpectrumInPlace spectrum{water.action.data(), water.wave_number.data(), water.group_speed.data(),
                                   water.depth};
    const WaveProducts found = water.products();
    EXPECT_NEAR(stokes_drift(water.grid, spectrum, 0.0).east, found.eastward_stokes_drift,
                1e-9 + 1e-6 * std::abs(found.eastward_stokes_drift));
    EXPECT_NEAR(stokes_drift(water.grid, spectrum, 0.0).north, found.northward_stokes_drift,
                1e-9 + 1e-6 * std::abs(found.northward_stokes_drift));
    // Layers that are thinner above, where the drift of the shortest waves is.
    double east = 0.0, north = 0.0, above = 0.0;
    const int layers = 4000;
    for (int l = 1; l <= layers; ++l) {
        const double below = water.depth * std::pow(static_cast<double>(l) / layers, 3);
        const Drift drift = stokes_drift(water.grid, spectrum, 0.5 * (above + below));
        east += drift.east * (below - above);
        north += drift.north * (below - above);
        above = below;
    }
    const double size = std::hypot(found.eastward_stokes_transport, found.northward_stokes_transport);
    EXPECT_NEAR(east, found.eastward_stokes_transport, 1e-3 * size);
    EXPECT_NEAR(north, found.northward_stokes_transport, 1e-3 * size);
}

// E = A f⁻⁵ exp(−B f⁻⁴): m0 m2/m1² = √π/Γ(¾)², and Goda's peakedness is 2.
TEST(Products, WidthAndPeakednessOfThePiersonMoskowitzFormAreAnalytic) {
    Water water(5000.0, SpectralGrid(90, 24, 0.03, 1.04));
    for (int i = 0; i < water.grid.frequencies; ++i) {
        const double f = water.grid.frequency[i];
        for (int j = 0; j < water.grid.directions; ++j)
            water.action[water.grid.index(i, j)] =
                static_cast<Real>(5e-4 * std::pow(f, -5.0) * std::exp(-1.25e-4 * std::pow(f, -4.0)) /
                                  base::two_pi / water.grid.sigma[i]);
    }
    const WaveProducts found = water.products();
    EXPECT_NEAR(found.spectral_width, std::sqrt(std::sqrt(base::pi) / std::pow(std::tgamma(0.75), 2) - 1.0),
                2e-3);
    EXPECT_NEAR(found.peakedness, 2.0, 4e-3);
    // From all sides alike: nothing flows, and pressure is the same in all directions, ρ g m0/4 in deep water.
    const double pressure = sea_water_density * gravity * found.swell.variance / 4.0;
    EXPECT_NEAR(found.radiation_stress_xx, pressure, 1e-4 * pressure);
    EXPECT_NEAR(found.radiation_stress_yy, pressure, 1e-4 * pressure);
    EXPECT_NEAR(found.radiation_stress_xy, 0.0, 1e-4 * pressure);
    EXPECT_NEAR(found.eastward_stokes_drift, 0.0, 1e-6);
}

TEST(Products, ABinIsWindSeaWhereTheWindAlongItIsFasterThanOnePointSevenTimesItsWaves) {
    const double wind = 12.0, blowing = 30 * base::degree;
    for (int i = 0; i < 30; i += 3)
        for (int j = 0; j < 24; j += 5) {
            Water water(3000.0);
            water.put(i, j, variance);
            const WaveProducts found = water.products(wind, blowing);
            const double speed = gravity / water.grid.sigma[i];
            const bool young = speed < 1.7 * wind * std::cos(water.grid.direction[j] - blowing);
            const WavePart &has = young ? found.wind_sea : found.swell,
                           &not_it = young ? found.swell : found.wind_sea;
            if (i + 1 == 30) continue;  // the last row has a tail
            EXPECT_NEAR(has.variance, variance, 1e-5);
            EXPECT_NEAR(not_it.variance, 0.0, 1e-12);
            EXPECT_NEAR(std::remainder(has.direction - water.grid.direction[j], base::two_pi), 0.0, 1e-5);
            EXPECT_NEAR(has.mean_period, 1.0 / water.grid.frequency[i], 1e-4);
        }
}

TEST(Products, WindSeaAndSwellAreTheWholeSea) {
    Water water(30.0);
    for (int i = 0; i < 30; ++i)
        for (int j = 0; j < 24; ++j) water.put(i, j, 1e-3 * ((7 * i + 11 * j) % 13));
    const WaveProducts found = water.products(15.0, 2.0);
    const SeaParameters whole = integrate_spectrum(water.grid, water.action.data());
    EXPECT_GT(found.wind_sea.variance, 0.05 * whole.m0);
    EXPECT_GT(found.swell.variance, 0.05 * whole.m0);
    EXPECT_NEAR(found.wind_sea.variance + found.swell.variance, whole.m0, 1e-9 * whole.m0);
    EXPECT_EQ(water.products(0.0).wind_sea.variance, 0.0);
}

}  // namespace
}  // namespace groundswell::sea
