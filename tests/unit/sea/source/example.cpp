// The source term that docs/how-to/add-a-source-term.md shows, compiled from the very file that the page prints.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "../../../../docs/examples/ice_damping.cpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using sea::terms::IceDamping;
using test::OneCell;
using test::only;
using test::usual_grid;

OneCell sea_under_ice(double depth) {
    OneCell cell(usual_grid(), only({}), depth);
    cell.package->append(std::make_unique<IceDamping>(std::make_shared<const sea::LaneGrid>(cell.grid),
                                                      sea::PhysicsOptions{}));
    cell.workspace = cell.package->make_workspace();
    for (int i = 0; i < cell.grid.frequencies; ++i)
        for (int j = 0; j < cell.grid.directions; ++j) cell.set_energy(i, j, 1.0 + 0.1 * i + 0.01 * j);
    return cell;
}

TEST(SeaSourceExample, IsMadeByItsKind) {
    const auto grid = std::make_shared<const sea::LaneGrid>(usual_grid());
    EXPECT_EQ(sea::terms::ice_damping().make(grid, {})->name(), sea::terms::ice_damping().name);
}

TEST(SeaSourceExample, EnergyFallsAsTheAnalyticExponential) {
    // E(t) = E(0) exp(-c (a f² + b f⁴) cg t), c the share of ice
    const double depth = 50.0, duration = 3600.0;
    OneCell cell = sea_under_ice(depth);
    const OneCell before = sea_under_ice(depth);
    ASSERT_TRUE(cell.run(duration, 300.0));
    for (int i = 0; i < cell.grid.frequencies; ++i) {
        const double f = cell.grid.frequency[static_cast<std::size_t>(i)];
        const double alpha = 2.12e-3 * f * f + 4.59e-2 * std::pow(f, 4);
        const double speed = cell.group_speed[static_cast<std::size_t>(i)];
        const double expected = std::exp(-0.5 * alpha * speed * duration);
        for (const int j : {0, 17, 35})
            EXPECT_NEAR(cell.energy(i, j) / before.energy(i, j), expected, 2e-5 * expected + 1e-12)
                << "frequency " << i << ", direction " << j;
    }
}

TEST(SeaSourceExample, ResultDoesNotDependOnTheStep) {
    OneCell coarse = sea_under_ice(1000.0), fine = sea_under_ice(1000.0);
    ASSERT_TRUE(coarse.run(3600.0, 1800.0));
    ASSERT_TRUE(fine.run(3600.0, 60.0));
    EXPECT_NEAR(coarse.height(), fine.height(), 1e-5 * fine.height());
}

TEST(SeaSourceExample, TakesLongWavesLeast) {
    OneCell cell = sea_under_ice(1000.0);
    cell.evaluate("ice_damping");
    for (int i = 1; i < cell.grid.frequencies; ++i)
        EXPECT_GT(cell.workspace.decay[static_cast<std::size_t>(i)],
                  cell.workspace.decay[static_cast<std::size_t>(i - 1)]);
}

}  // namespace
}  // namespace groundswell
