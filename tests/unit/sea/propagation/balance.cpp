#include <gtest/gtest.h>

#include <string>

#include "support/sea/schemes.hpp"
#include "support/sea_propagation_case.hpp"

// What the scheme promises for every mesh, depth and step: a constant state stays, action is conserved,
// nothing becomes negative.
namespace groundswell::sea {
namespace {

using namespace test;

class PropagationBalance : public testing::TestWithParam<PropagationOptions> {};

const SpectralGrid deep_grid(3, 36, 0.06, 1.3);

// ∂N/∂t = 0 for N = k/cg: fluxes over the edges and turning cancel cell by cell. Rotated cells share spectra
// out over bins, so near the poles the state is kept to interpolation only (see the next test).
void expect_constant(Case& sea, int steps, double highest_latitude) {
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    sea.fill_constant();
    const std::vector<Real> start = sea.old;
    for (int i = 0; i < steps; ++i) sea.step(dt);
    double worst = 0.0;
    for (int cell = 0; cell < sea.mesh.owned; ++cell) {
        if (std::abs(sea.mesh.lat[cell]) > highest_latitude) continue;
        for (int b = 0; b < sea.grid.bins(); ++b) {
            const std::size_t i = cell * sea.grid.stride() + b;
            worst = std::max(worst, std::abs(sea.old[i] / static_cast<double>(start[i]) - 1.0));
        }
    }
    EXPECT_LT(worst, 40 * steps * rounding);
}

TEST_P(PropagationBalance, ConstantActionInWaveNumberSpaceStaysInDeepWater) {
    Case sea(sphere(24, 5000.0), deep_grid, GetParam());
    // What the poles disturb travels no more than two cells a step.
    expect_constant(sea, 4, 40.0 * base::degree);
}

TEST_P(PropagationBalance, ConstantActionInWaveNumberSpaceStaysOverARoughBottom) {
    Case sea(sphere(24, rough_depth), deep_grid, GetParam());
    expect_constant(sea, 4, 40.0 * base::degree);
}

TEST_P(PropagationBalance, ConstantStateIsNearlyKeptOverThePoles) {
    Case sea(sphere(24, 5000.0), deep_grid, GetParam());
    sea.fill_constant();
    const double constant = sea.at(0, 1, 0);
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    for (int i = 0; i < 10; ++i) sea.step(dt);
    for (int cell = 0; cell < sea.mesh.owned; ++cell)
        for (int d = 0; d < sea.grid.directions; ++d) ASSERT_NEAR(sea.at(cell, 1, d) / constant, 1.0, 0.06);
}

TEST_P(PropagationBalance, ActionIsConservedOnTheWholeSphere) {
    for (const bool deep : {true, false}) {
        Case sea(deep ? sphere(6, 5000.0) : sphere(6, rough_depth), deep_grid, GetParam());
        sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d); });
        const double dt = 0.9 * sea.propagator.longest_step().seconds;
        const int steps = 30;
        std::vector<double> before;
        for (int f = 0; f < sea.grid.frequencies; ++f) before.push_back(sea.action(f));
        for (int i = 0; i < steps; ++i) sea.step(dt);
        for (int f = 0; f < sea.grid.frequencies; ++f)
            EXPECT_NEAR(sea.action(f) / before[f], 1.0, 2 * steps * rounding) << "frequency " << f;
    }
}

TEST_P(PropagationBalance, ActionIsConservedInAClosedBasin) {
    PropagationOptions options = GetParam();
    options.coast = CoastBoundary::closed;
    // Land over a third of the sphere, a pole included.
    Case sea(
        sphere(8, [](double lon,
                     double lat) { return lat > 0.8 || std::cos(lon) > 0.7 ? -1.0 : rough_depth(lon, lat); }),
        deep_grid, options);
    sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d); });
    const double before = sea.action(0), dt = 0.9 * sea.propagator.longest_step().seconds;
    const int steps = 30;
    for (int i = 0; i < steps; ++i) sea.step(dt);
    EXPECT_NEAR(sea.action(0) / before, 1.0, 2 * steps * rounding);
    EXPECT_GE(sea.smallest(), Real(0));
}

TEST_P(PropagationBalance, AnOpenCoastLetsEverythingOutAndNothingIn) {
    Case sea(patch(10, 10, 10e3, [](double, double) { return 100.0; }), deep_grid, GetParam());
    sea.fill([](int, int, int) { return 1.0; });
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    double before = sea.action(0);
    for (int i = 0; i < 5; ++i) {
        sea.step(dt);
        EXPECT_LT(sea.action(0), before);
        before = sea.action(0);
    }
    for (int i = 0; i < 60; ++i) sea.step(dt);
    EXPECT_LT(sea.action(0), 1e-3 * before);
}

TEST_P(PropagationBalance, NothingBecomesNegative) {
    // Single bins in an empty sea, on the steepest bottom, with the longest step.
    Case sea(sphere(6, rough_depth), deep_grid, GetParam());
    sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) > 0.97 ? 1.0 : 0.0; });
    const double dt = 0.999 * sea.propagator.longest_step().seconds;
    for (int i = 0; i < 20; ++i) {
        sea.step(dt);
        ASSERT_GE(sea.smallest(), Real(0)) << "step " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(schemes, PropagationBalance, all_schemes, name_of_scheme);

}  // namespace
}  // namespace groundswell::sea
