// A random field: mean, variance and autocorrelation are those of its spectrum, and nothing but the seed decides it.
#include "groundswell/quake/values/random_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace groundswell::quake {
namespace {

constexpr double correlation_length = 3e3, shortest = 50.0;

RandomField field(int seed, double hurst) {
    return RandomField({seed, correlation_length, hurst, shortest});
}

// Over many seeds, at places that far apart.
struct Moments {
    double mean = 0.0, variance = 0.0, covariance = 0.0;
};
Moments moments(double hurst, double apart) {
    constexpr int seeds = 200, places = 20;
    Moments m;
    for (int seed = 0; seed < seeds; ++seed) {
        const RandomField random = field(seed, hurst);
        for (int i = 0; i < places; ++i) {
            const double x = 40e3 * i;
            const double here = random.at({x, 100.0, -x}), there = random.at({x, 100.0 + apart, -x});
            m.mean += here / (seeds * places);
            m.variance += here * here / (seeds * places);
            m.covariance += here * there / (seeds * places);
        }
    }
    return m;
}

// With H = ½ von Kármán's is an exponential. Of 4000 nearly independent places the error is about 1/60.
TEST(RandomField, HasTheAutocorrelationOfVonKarman) {
    for (const double apart : {300.0, 1500.0, 3000.0, 9000.0}) {
        const Moments found = moments(0.5, apart);
        EXPECT_NEAR(found.mean, 0.0, 0.05);
        EXPECT_NEAR(found.variance, 1.0, 0.05);
        EXPECT_NEAR(found.covariance, std::exp(-apart / correlation_length), 0.05) << apart;
    }
    // With another H: 2^(1−H)/Γ(H) x^H K_H(x).
    for (const double hurst : {0.25, 0.9}) {
        constexpr double x = 0.5;
        const double expected = std::pow(2.0, 1.0 - hurst) / std::tgamma(hurst) * std::pow(x, hurst) *
                                std::cyl_bessel_k(hurst, x);
        EXPECT_NEAR(moments(hurst, x * correlation_length).covariance, expected, 0.05) << hurst;
    }
}

TEST(RandomField, HasNoWavesShorterThanTheShortest) {
    // Over a twentieth of the shortest wavelength the field changes by no more than that lets it.
    const RandomField random({11, correlation_length, 0.1, 1000.0});
    double steepest = 0.0;
    for (int i = 0; i < 2000; ++i) {
        const double x = 50.0 * i;
        steepest = std::max(steepest, std::abs(random.at({x + 50.0, 0.0, 0.0}) - random.at({x, 0.0, 0.0})));
    }
    EXPECT_LT(steepest, 4.0 * 2.0 * std::numbers::pi / 20.0);
    EXPECT_GT(steepest, 0.2);
}

TEST(RandomField, IsAnotherForAnotherSeed) {
    const std::array<double, 3> place{1e3, 2e3, -3e3};
    EXPECT_EQ(field(3, 0.75).at(place), field(3, 0.75).at(place));
    EXPECT_NE(field(3, 0.75).at(place), field(4, 0.75).at(place));
}

}  // namespace
}  // namespace groundswell::quake
