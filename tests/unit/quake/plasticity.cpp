// Rock that yields, at one place: the exact fall of stress with time, in any number of steps, and what it leaves alone.
#include "groundswell/quake/plasticity/yield.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace groundswell::quake {
namespace {

double tau_of(const YieldingRock<double>& place, const double* change) {
    double s[6];
    for (int i = 0; i < 6; ++i) s[i] = place.stress[i] + change[i];
    const double mean = (s[0] + s[1] + s[2]) / 3.0;
    double half = 0.0;
    for (int i = 0; i < 3; ++i) half += 0.5 * (s[i] - mean) * (s[i] - mean) + s[3 + i] * s[3 + i];
    return std::sqrt(half);
}

constexpr YieldingRock<double> stressed{{-60e6, -120e6, -70e6, 40e6, 5e6, -3e6}, 4e6, 0.3};

TEST(QuakeYielding, StressBeyondTheStrengthFadesExponentiallyWhateverTheSteps) {
    const double mean = (stressed.stress[0] + stressed.stress[1] + stressed.stress[2]) / 3.0;
    const double strength = stressed.cohesion - mean * stressed.friction, duration = 0.04, relaxation = 0.03;
    for (const int steps : {1, 7}) {
        double change[6] = {}, added[6], tau = 0.0;
        const double first = tau_of(stressed, change);
        ASSERT_GT(first, 1.2 * strength);
        for (int i = 0; i < steps; ++i) {
            EXPECT_LT(yield(stressed, change, -std::expm1(-duration / steps / relaxation), added, tau), 0.0);
            for (int j = 0; j < 6; ++j) change[j] += added[j];
        }
        EXPECT_NEAR(tau_of(stressed, change),
                    strength + (first - strength) * std::exp(-duration / relaxation), 1e-6 * first);
        EXPECT_NEAR(change[0] + change[1] + change[2], 0.0, 1.0);
    }
}

TEST(QuakeYielding, RockBelowItsStrengthIsLeftAsItIs) {
    YieldingRock<double> strong = stressed;
    strong.cohesion = 100e6;
    const double change[6] = {1e6, 2e6, -3e6, 4e6, -5e6, 6e6};
    double added[6], tau = 0.0;
    EXPECT_EQ(yield(strong, change, 0.5, added, tau), 0.0);
    for (const double one : added) EXPECT_EQ(one, 0.0);
    EXPECT_NEAR(tau, tau_of(strong, change), 1.0);
}

TEST(QuakeYielding, RockUnderTensionBearsNoShear) {
    YieldingRock<double> loose = stressed;
    for (int i = 0; i < 3; ++i) loose.stress[i] += 300e6;
    const double nothing[6] = {};
    double added[6], tau = 0.0;
    yield(loose, nothing, 1.0, added, tau);
    EXPECT_NEAR(tau_of(loose, added), 0.0, 1.0);
}

}  // namespace
}  // namespace groundswell::quake
