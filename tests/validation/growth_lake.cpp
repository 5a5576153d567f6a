#include <gtest/gtest.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "support/sea/short_channel.hpp"

// A lake of even depth.

namespace groundswell {
namespace {

constexpr double wind = 15.0, depth = 5.0;  // m/s, m

// Breugem & Holthuijsen (2007, doi:10.1061/(ASCE)0733-950X(2007)133:3(219)), Lake George: with H̃ = gH/U²,
// H̃ = 0.24 {tanh(0.343 δ^1.14) tanh[4.41e-4 χ^0.79 / tanh(0.343 δ^1.14)]}^0.572.
double observed_height(double fetch) {
    const double per_wind = base::gravity / (wind * wind);
    const double bottom = std::tanh(0.343 * std::pow(depth * per_wind, 1.14));
    return 0.24 / per_wind *
           std::pow(bottom * std::tanh(4.41e-4 * std::pow(fetch * per_wind, 0.79) / bottom), 0.572);
}

TEST(GrowthInALake, IsWithinAFifthOfLakeGeorge) {
    // Cells of 62.5 m: with cells of 250 m the first one alone mixes the waves of its fetches, and heights at
    // 2 km are 1.3 times those observed.
    const test::ShortChannel lake{80, 62.5, depth, 7.5};
    test::OneCell cell(test::usual_grid(), sea::PhysicsOptions{}, depth);
    cell.set_wind(wind, 0.0);
    const auto now = lake.run(cell, 4500.0);
    ASSERT_EQ(now.size(), 80);
    for (const double fetch : {2000.0, 5000.0}) {
        cell.action = now[static_cast<std::size_t>(fetch / lake.size) - 1];
        const double ratio = cell.height() / observed_height(fetch);
        EXPECT_LT(ratio, 1.2) << fetch << " m";
        EXPECT_GT(ratio, 0.8) << fetch << " m";
    }
}

}  // namespace
}  // namespace groundswell
