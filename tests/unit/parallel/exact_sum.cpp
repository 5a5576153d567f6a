// ExactSum: the result is the exact sum of the doubles, rounded once, whatever their order and grouping.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "groundswell/parallel/exact_sum.hpp"

namespace {

using groundswell::parallel::ExactSum;

double exact(const std::vector<double>& values) {
    ExactSum sum;
    sum.add(values);
    return sum.value();
}

/// Doubles of any sign and of exponents within ±range.
std::vector<double> random_values(std::size_t n, int range, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-range, range);
    std::vector<double> values(n);
    for (double& value : values) value = std::ldexp(mantissa(random), exponent(random));
    return values;
}

TEST(ExactSum, DoesNotDependOnOrder) {
    std::vector<double> values = random_values(20000, 900, 1);
    const double reference = exact(values);
    std::mt19937_64 random(2);
    for (int trial = 0; trial < 5; ++trial) {
        std::shuffle(values.begin(), values.end(), random);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(exact(values)), std::bit_cast<std::uint64_t>(reference));
    }
}

TEST(ExactSum, DoesNotDependOnGrouping) {
    const std::vector<double> values = random_values(1000, 300, 3);
    for (const std::size_t parts : {2, 3, 7, 1000}) {
        ExactSum total;
        for (std::size_t p = 0; p < parts; ++p) {
            ExactSum part;
            for (std::size_t i = p; i < values.size(); i += parts) part.add(values[i]);
            total.add(part);
        }
        EXPECT_EQ(total.value(), exact(values));
    }
}

// Integers below 2^52 times a power of two add up exactly in an integer, which gives the truth.
TEST(ExactSum, EqualsIntegerArithmetic) {
    std::mt19937_64 random(4);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> values;
        std::int64_t truth = 0;
        for (int i = 0; i < 1000; ++i) {
            const auto n = static_cast<std::int64_t>(random() >> 12) - (std::int64_t{1} << 51);
            truth += n;
            values.push_back(std::ldexp(static_cast<double>(n), -600));
        }
        // The conversion of the truth rounds to nearest even, and so must the sum.
        EXPECT_EQ(exact(values), std::ldexp(static_cast<double>(truth), -600));
    }
}

TEST(ExactSum, AgreesWithLongDouble) {
    const std::vector<double> values = random_values(1000, 5, 5);
    long double truth = 0.0L;
    for (const double value : values) truth += value;
    // 1000 additions of numbers below 32 in 64-bit mantissas, and one rounding to double.
    EXPECT_NEAR(exact(values), static_cast<double>(truth),
                1000 * 32000 * 0x1p-64 + std::abs(truth) * 0x1p-53);
}

TEST(ExactSum, KeepsWhatCancellationLeaves) {
    EXPECT_EQ(exact({1e308, 1.0, -1e308, 1e-300, -1.0}), 1e-300);
    EXPECT_EQ(exact({1e16, 1.0, 1.0}), 1e16 + 2.0);
    EXPECT_EQ(exact({0x1p53, 1.0}), 0x1p53) << "a tie goes to even";
    EXPECT_EQ(exact({0x1p53, 1.0, 0x1p-1074}), 0x1p53 + 2.0) << "just above a tie goes up";
    EXPECT_EQ(exact({-0x1p53, -1.0, -0x1p-1074}), -0x1p53 - 2.0);
    EXPECT_EQ(exact({0x1p53, 1.0, -0x1p-1074}), 0x1p53) << "just below a tie goes down";
}

TEST(ExactSum, ReachesTheEndsOfTheRange) {
    constexpr double least = std::numeric_limits<double>::denorm_min();
    constexpr double most = std::numeric_limits<double>::max();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(exact({}), 0.0);
    EXPECT_EQ(exact({least, least, least}), 3 * least);
    EXPECT_EQ(exact({-least}), -least);
    EXPECT_EQ(exact({most, most, -most}), most) << "no overflow on the way";
    EXPECT_EQ(exact({most, most}), infinity);
    EXPECT_EQ(exact({-most, -most}), -infinity);
    EXPECT_EQ(exact({1.0, infinity}), infinity);
    EXPECT_TRUE(std::isnan(exact({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(exact({1.0, std::nan("")})));
}

}  // namespace
