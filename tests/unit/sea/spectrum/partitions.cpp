#include "groundswell/sea/spectrum/partitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
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

/// The definition, bin by bin: heights of all systems without wind, the highest first.
class PlainSearch {
public:
    explicit PlainSearch(const Sea& sea) : grid_(sea.grid) {
        for (int bin = 0; bin < grid_.bins(); ++bin)
            height_.push_back(static_cast<Real>(grid_.sigma[bin / grid_.directions]) * sea.action[bin]);
        for (int bin = 0; bin < grid_.bins(); ++bin) of_.push_back(peak_of(bin));
        join_all(least_prominence * *std::ranges::max_element(height_));
    }
    std::vector<double> variances() const {
        std::map<int, double> sums;
        for (int bin = 0; bin < grid_.bins(); ++bin) {
            const int i = bin / grid_.directions;
            const double tail = i + 1 == grid_.frequencies ? grid_.frequency[i] / 4.0 : 0.0;
            sums[of_[bin]] += grid_.direction_width * (grid_.frequency_width[i] + tail) * height_[bin];
        }
        std::vector<double> all;
        for (const auto& [peak, variance] : sums) all.push_back(variance);
        std::ranges::sort(all, std::ranges::greater{});
        return all;
    }
    /// Peaks that were joined to another.
    int joined = 0;

private:
    bool higher(int one, int other) const {
        return height_[one] != height_[other] ? height_[one] > height_[other] : one < other;
    }
    std::vector<int> around(int bin) const {
        const int n = grid_.directions, i = bin / n, j = bin % n;
        std::vector<int> all;
        for (int row = std::max(i - 1, 0); row <= std::min(i + 1, grid_.frequencies - 1); ++row)
            for (const int column : {(j + n - 1) % n, j, (j + 1) % n})
                if (row * n + column != bin) all.push_back(row * n + column);
        return all;
    }
    int peak_of(int bin) const {
        for (int best = bin;; bin = best) {
            for (const int beside : around(bin))
                if (higher(beside, best)) best = beside;
            if (best == bin) return bin;
        }
    }
    void join_all(double prominence) {
        std::vector<int> peaks;
        for (int bin = 0; bin < grid_.bins(); ++bin)
            if (of_[bin] == bin) peaks.push_back(bin);
        std::ranges::sort(peaks, [this](int one, int other) { return higher(other, one); });
        for (const int low : peaks) {
            Real pass = -1;
            int to = low;
            for (int bin = 0; bin < grid_.bins(); ++bin)
                for (const int beside : around(bin)) {
                    const Real lowest = std::min(height_[bin], height_[beside]);
                    if (of_[bin] != low || of_[beside] == low || !higher(of_[beside], low)) continue;
                    if (lowest > pass || (lowest == pass && higher(of_[beside], to))) {
                        pass = lowest;
                        to = of_[beside];
                    }
                }
            if (to == low || height_[low] - pass >= prominence) continue;
            ++joined;
            std::ranges::replace(of_, low, to);
        }
    }
    const SpectralGrid& grid_;
    std::vector<Real> height_;
    std::vector<int> of_;
};

// Peaks of all heights beside each other, some lower than the least prominence.
TEST(Partitions, RoughSeasHaveTheSystemsOfTheDefinition) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    int joined = 0;
    for (int trial = 0; trial < 20; ++trial) {
        Sea sea;
        for (int hill = 0; hill < 25; ++hill)
            sea.add(0.2 + 2.0 * any(random) * any(random), 0.04 + 0.3 * any(random), 6.28 * any(random),
                    0.05 + 0.2 * any(random), 0.1 + 0.4 * any(random));
        for (Real& bin : sea.action) bin *= static_cast<Real>(1.0 + 0.2 * trial * any(random));
        const PlainSearch plain(sea);
        joined += plain.joined;
        std::vector<double> expected = plain.variances();
        expected.resize(most_swells);
        const WaveSystems found = sea.systems();
        for (int s = 0; s < most_swells; ++s)
            EXPECT_NEAR(found[s + 1].variance,
                        4.0 * std::sqrt(expected[s]) < lowest_system ? 0.0 : expected[s], 1e-6 * expected[0])
                << trial;
    }
    EXPECT_GT(joined, 40);
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
