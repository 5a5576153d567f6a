#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "support/one_cell.hpp"

// A lake of even depth, so wide that nothing changes along the shore: waves grow with the distance from the
// windward shore.

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
    // 2 km are 1.3 times those observed. Upwind in one dimension, a direction's speed is cg cos θ.
    constexpr int cells = 80;
    constexpr double size = 62.5, step = 7.5, duration = 4500.0;
    test::OneCell cell(test::usual_grid(), sea::PhysicsOptions{}, depth);
    cell.set_wind(wind, 0.0);
    std::vector<std::vector<sea::Real>> now(cells, cell.action), next(now);
    std::vector<sea::SourceState> states(cells);
    for (double t = 0; t < duration - 0.5 * step; t += step) {
        for (int c = 0; c < cells; ++c) {
            const auto n = static_cast<std::size_t>(c);
            for (int i = 0; i < cell.grid.frequencies; ++i) {
                for (int j = 0; j < cell.grid.directions; ++j) {
                    const std::size_t bin = cell.grid.index(i, j);
                    const double courant = cell.group_speed[static_cast<std::size_t>(i)] *
                                           cell.grid.cosine[static_cast<std::size_t>(j)] * step / size;
                    const int from = courant > 0 ? c - 1 : c + 1;
                    const sea::Real up =
                        from < 0 || from == cells ? 0 : now[static_cast<std::size_t>(from)][bin];
                    next[n][bin] =
                        now[n][bin] + static_cast<sea::Real>(std::abs(courant)) * (up - now[n][bin]);
                }
            }
        }
        std::swap(now, next);
        for (std::size_t n = 0; n < cells; ++n) {
            std::swap(cell.action, now[n]);
            std::swap(cell.state, states[n]);
            ASSERT_TRUE(cell.step(step));
            std::swap(cell.action, now[n]);
            std::swap(cell.state, states[n]);
        }
    }
    for (const double fetch : {2000.0, 5000.0}) {
        cell.action = now[static_cast<std::size_t>(fetch / size) - 1];
        const double ratio = cell.height() / observed_height(fetch);
        EXPECT_LT(ratio, 1.2) << fetch << " m";
        EXPECT_GT(ratio, 0.8) << fetch << " m";
    }
}

}  // namespace
}  // namespace groundswell
