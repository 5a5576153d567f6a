#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/sea_propagation_case.hpp"

// What the limiter of the second order leaves alone.
namespace groundswell::sea {
namespace {

using namespace test;

// Rows of hexagons, M = 0, 1, 3, 6, 10 … in them, and waves that run along, to where M is larger: no face that they leave by has less
// than its cell, so that the limiter has no reason to act. With steps near the longest a profile that falls below 0 behind must not count.
TEST(PropagationLimiter, LeavesWhatGrowsAlongTheWayAlone) {
    constexpr double spacing = 1000.0;
    const SpectralGrid eight(3, 8, 0.1, 1.1);
    const int north = 2;
    std::vector<std::vector<Real>> results;
    for (const bool limiter : {true, false}) {
        PropagationOptions options = with_scheme(PropagationScheme::second_order);
        options.limiter = limiter;
        Case sea(patch(21, 12, spacing, [](double, double) { return 1000.0; }), eight, options);
        const double lowest = *std::ranges::min_element(sea.mesh.lat);
        const auto row = [&](int cell) {
            return std::round(base::earth_radius * (sea.mesh.lat[cell] - lowest) /
                              (spacing * std::sqrt(0.75)));
        };
        sea.fill([&](int cell, int f, int d) {
            return f == 0 && d == north ? 0.5 * row(cell) * (row(cell) + 1) : 0.0;
        });
        sea.step(0.99 * sea.propagator.longest_step().seconds);
        std::vector<Real> middle;
        for (int cell = 0; cell < sea.mesh.owned; ++cell)
            if (row(cell) >= 2 && row(cell) <= 9 &&
                std::abs(base::earth_radius * sea.mesh.lon[cell]) < 5 * spacing)
                middle.push_back(sea.at(cell, 0, north));
        ASSERT_GT(middle.size(), 50U);
        results.push_back(middle);
    }
    // On a sphere rows are not quite straight: the square of a cell's part of its radius, 2e-8.
    constexpr double within =
        std::max(20 * rounding, spacing * spacing / (base::earth_radius * base::earth_radius));
    for (std::size_t i = 0; i < results[0].size(); ++i)
        EXPECT_NEAR(results[0][i] / results[1][i], 1.0, within) << i;
}

}  // namespace
}  // namespace groundswell::sea
