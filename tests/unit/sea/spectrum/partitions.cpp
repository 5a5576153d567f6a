#include "groundswell/sea/spectrum/partitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"

namespace groundswell::sea {
namespace {

/// Deep water, and systems put into it one by one.
struct Sea {
    SpectralGrid grid{30, 36, 0.035, 1.1};
    std::vector<Real> action = std::vector<Real>(grid.stride()), wave_number, group_speed;

    Sea() {
        for (const double sigma : grid.sigma) {
            wave_number.push_back(static_cast<Real>(sigma * sigma / base::gravity));
            group_speed.push_back(static_cast<Real>(0.5 * base::gravity / sigma));
        }
    }

    /// A hill in ln f and direction, of a significant height; its mean direction and its variance without a tail.
    void add(double height, double peak_frequency, double towards, double width_f = 0.1,
             double width_d = 0.25) {
        std::vector<double> hill(grid.stride());
        double sum = 0.0;
        for (int i = 0; i < grid.frequencies; ++i)
            for (int j = 0; j < grid.directions; ++j) {
                const double x = std::log(grid.frequency[i] / peak_frequency) / width_f;
                const double y = std::remainder(grid.direction[j] - towards, base::two_pi) / width_d;
                const double e = std::exp(-0.5 * (x * x + y * y));
                hill[grid.index(i, j)] = e / grid.sigma[i];
                sum += e * grid.frequency_width[i] * grid.direction_width;
            }
        for (std::size_t k = 0; k < hill.size(); ++k)
            action[k] += static_cast<Real>(hill[k] * height * height / 16.0 / sum);
    }

    WaveSystems systems(double wind_speed = 0.0, double wind_direction = 0.0) const {
        return find_wave_systems(grid, {action.data(), wave_number.data(), group_speed.data(), 5000.0,
                                        wind_speed, std::cos(wind_direction), std::sin(wind_direction)});
    }
};

double height(const WavePart& part) {
    return 4.0 * std::sqrt(part.variance);
}

TEST(Partitions, SystemsFarApartComeBackWithHeightPeriodAndDirection) {
    Sea sea;
    sea.add(2.0, 0.07, 0.1);
    sea.add(1.2, 0.10, 2.5);
    sea.add(0.7, 0.06, -1.6);
    const WaveSystems found = sea.systems();
    const double heights[] = {2.0, 1.2, 0.7}, frequency[] = {0.07, 0.10, 0.06}, towards[] = {0.1, 2.5, -1.6};
    EXPECT_EQ(found[0].variance, 0.0);
    for (int s = 0; s < 3; ++s) {
        EXPECT_NEAR(height(found[s + 1]), heights[s], 0.02 * heights[s]);
        EXPECT_NEAR(found[s + 1].mean_period * frequency[s], 1.0, 0.03);
        EXPECT_NEAR(std::remainder(found[s + 1].direction - towards[s], base::two_pi), 0.0, 0.05);
    }
    EXPECT_EQ(found[4].variance, 0.0);
}

TEST(Partitions, WhatTheWindFeedsIsOneWindSea) {
    Sea sea;
    sea.add(1.5, 0.2, 0.3);
    sea.add(0.8, 0.3, 0.8);
    sea.add(2.0, 0.06, 0.3);
    const WaveSystems found = sea.systems(14.0, 0.3);
    EXPECT_NEAR(height(found[0]), std::hypot(1.5, 0.8), 0.03);
    EXPECT_NEAR(height(found[1]), 2.0, 0.03);
    EXPECT_EQ(found[2].variance, 0.0);
    EXPECT_EQ(sea.systems(14.0, 0.3 + base::pi)[0].variance, 0.0);  // against the wind nothing is
}

TEST(Partitions, TwoPeaksWithHardlyAPassBetweenThemAreOne) {
    Sea apart, together;
    apart.add(1.0, 0.08, 0.0);
    apart.add(1.0, 0.08, 0.9);
    together.add(1.0, 0.08, 0.0);
    together.add(1.0, 0.08, 0.45);
    EXPECT_NEAR(height(apart.systems()[1]), 1.0, 0.1);
    EXPECT_NEAR(height(together.systems()[1]), std::sqrt(2.0), 0.05);
    EXPECT_EQ(together.systems()[2].variance, 0.0);
}

// Ripples of less than a hundredth of the highest bin make no systems, and a turn of all directions changes nothing.
TEST(Partitions, NeitherRipplesNorTheOriginOfDirectionsMakeSystems) {
    Sea sea;
    sea.add(2.0, 0.07, 3.1, 0.2, 0.5);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> ripple(0.0, 0.004);
    double top = 0.0;
    for (int bin = 0; bin < sea.grid.bins(); ++bin)
        top = std::max(top, sea.grid.sigma[bin / sea.grid.directions] * sea.action[bin]);
    for (int bin = 0; bin < sea.grid.bins(); ++bin)
        sea.action[bin] +=
            static_cast<Real>(top * ripple(random) / sea.grid.sigma[bin / sea.grid.directions]);
    const WaveSystems found = sea.systems();
    EXPECT_GT(found[1].variance, 0.0);
    EXPECT_EQ(found[2].variance, 0.0);
    Sea turned = sea;
    for (int i = 0; i < sea.grid.frequencies; ++i)
        for (int j = 0; j < sea.grid.directions; ++j)
            turned.action[sea.grid.index(i, (j + 7) % sea.grid.directions)] =
                sea.action[sea.grid.index(i, j)];
    const WaveSystems again = turned.systems();
    EXPECT_NEAR(again[1].variance, found[1].variance, 1e-9 * found[1].variance);
    EXPECT_NEAR(
        std::remainder(again[1].direction - found[1].direction - 7 * sea.grid.direction_width, base::two_pi),
        0.0, 1e-6);
}

TEST(Partitions, AllSystemsTogetherAreTheSea) {
    Sea sea;
    sea.add(2.0, 0.07, 0.1);
    sea.add(1.2, 0.10, 2.5);
    sea.add(1.0, 0.2, 1.0);
    double sum = 0.0;
    for (const WavePart& part : sea.systems(12.0, 1.0)) sum += part.variance;
    EXPECT_NEAR(sum, integrate_spectrum(sea.grid, sea.action.data()).m0, 1e-5 * sum);
    EXPECT_EQ(Sea().systems()[0].variance + Sea().systems()[1].variance, 0.0);
}

}  // namespace
}  // namespace groundswell::sea
