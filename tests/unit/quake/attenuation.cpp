// A band of constant Q by a few mechanisms: M(ω) = M (1 − Σ y ωₗ / (ωₗ + iω)), 1/Q = Im M / Re M.
#include "groundswell/quake/attenuation/attenuation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace groundswell::quake;

double omega(double hertz) {
    return 2.0 * std::numbers::pi * hertz;
}

TEST(Attenuation, HasTheQualityAskedForOverTheBand) {
    for (const int mechanisms : {3, 4, 5}) {
        const Attenuation attenuation({mechanisms, 0.1, 10.0, 1.0});
        EXPECT_LT(attenuation.error(), mechanisms == 3 ? 0.04 : 0.025);
        for (const double quality : {20.0, 50.0, 200.0, 1000.0}) {
            const auto y = attenuation.strengths(1.0 / quality);
            for (const double one : y) EXPECT_GE(one, 0.0);
            for (double f = 0.1; f < 10.0; f *= 1.1) {
                const auto m = attenuation.modulus(y, omega(f));
                EXPECT_NEAR(m.imag() / m.real() * quality, 1.0, attenuation.error() + 1e-3) << f;
            }
        }
    }
}

TEST(Attenuation, HasTheSpeedsAtTheReferenceFrequencyAndThoseOfConstantQElsewhere) {
    const Attenuation attenuation({3, 0.1, 10.0, 1.0});
    const Material given{2600.0, 2.7e10, 2.6e10, 1.0 / 120.0, 1.0 / 40.0};
    const Material unrelaxed = attenuation.unrelaxed(given);
    EXPECT_GT(unrelaxed.vp(), given.vp());
    EXPECT_GT(unrelaxed.vs(), given.vs());
    for (const double f : {0.1, 0.3, 1.0, 3.0, 10.0}) {
        const auto [lambda, mu] = attenuation.moduli(unrelaxed, omega(f));
        const double vp = 1.0 / std::real(std::sqrt(2600.0 / (lambda + 2.0 * mu)));
        const double vs = 1.0 / std::real(std::sqrt(2600.0 / mu));
        // E. Kjartansson 1979, doi:10.1029/JB084iB09p04737, equation 29.
        const auto expected = [&](double quality) {
            return std::pow(f, std::atan(1.0 / quality) / std::numbers::pi);
        };
        const double tolerance = f == 1.0 ? 1e-12 : 2e-3;
        EXPECT_NEAR(vp / given.vp() / expected(120.0), 1.0, tolerance) << f;
        EXPECT_NEAR(vs / given.vs() / expected(40.0), 1.0, tolerance) << f;
    }
}

TEST(Attenuation, LeavesRockThatLosesNothingAsItIs) {
    const Attenuation attenuation({3, 0.1, 10.0, 1.0});
    const Material rock{2600.0, 2.7e10, 2.6e10};
    EXPECT_EQ(attenuation.unrelaxed(rock), rock);
    for (const Mechanism& mechanism : attenuation.mechanisms_of(rock)) {
        EXPECT_EQ(mechanism.lambda, 0.0);
        EXPECT_EQ(mechanism.mu, 0.0);
    }
}

TEST(Attenuation, TellsOfABandThatIsTooWide) {
    EXPECT_GT(Attenuation({1, 0.1, 10.0, 1.0}).error(), 0.3);
    EXPECT_GT(Attenuation({3, 0.01, 10.0, 1.0}).error(), 0.1);
}

}  // namespace
