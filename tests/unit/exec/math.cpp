#include "groundswell/exec/math.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace groundswell::exec {
namespace {

// The stated relative error of each function, against the C library in double (float) or long double
// (double).
TEST(LaneMath, ExponentialOfFloatIsWithinItsBound) {
    for (double x = -86.9; x < 87.9; x += 0.0137) {
        const float argument = static_cast<float>(x);
        const double exact = std::exp(static_cast<double>(argument));
        EXPECT_LT(std::abs(lanes::exp(argument) / exact - 1.0), 2e-7) << x;
    }
}

TEST(LaneMath, LogarithmOfFloatIsWithinItsBound) {
    for (double e = -37.0; e < 38.0; e += 0.00917) {
        const float argument = static_cast<float>(std::pow(10.0, e));
        const double exact = std::log(static_cast<double>(argument));
        EXPECT_LT(std::abs(lanes::log(argument) - exact), 1e-7 + 2e-7 * std::abs(exact)) << e;
    }
}

TEST(LaneMath, DoubleFunctionsAreWithinTheirBounds) {
    for (double x = -699.0; x < 699.0; x += 0.137)
        EXPECT_LT(std::abs(lanes::exp(x) / std::exp(static_cast<long double>(x)) - 1.0L), 1e-15L) << x;
    for (double e = -300.0; e < 300.0; e += 0.0517) {
        const double x = std::pow(10.0, e);
        const long double exact = std::log(static_cast<long double>(x));
        EXPECT_LT(std::abs(lanes::log(x) - exact), 1e-14L * std::abs(exact) + 1e-16L) << e;
    }
}

TEST(LaneMath, CosineIsWithinItsBoundUpToARightAngle) {
    constexpr int steps = 100000;
    for (int i = 0; i <= steps; ++i) {
        const double x = 1.57079632679489661923 * i / steps, expected = std::cos(x);
        EXPECT_NEAR(lanes::cos(x), expected, 4e-16 * expected);
    }
}

TEST(LaneMath, ClampsKeepResultsFiniteAndPositive) {
    EXPECT_GT(lanes::exp(-1e6f), 0.0f);
    EXPECT_TRUE(std::isfinite(lanes::exp(1e6f)));
    EXPECT_TRUE(std::isfinite(lanes::log(0.0f)));
}

TEST(LaneMath, PowerAndHyperbolicTangentFollowTheLibrary) {
    for (double x = 0.01; x < 50.0; x *= 1.07) {
        EXPECT_NEAR(lanes::pow(static_cast<float>(x), 2.5f) / std::pow(x, 2.5), 1.0, 5e-6);
        EXPECT_NEAR(lanes::tanh(static_cast<float>(x)), std::tanh(x), 3e-7);
    }
}

}  // namespace
}  // namespace groundswell::exec
