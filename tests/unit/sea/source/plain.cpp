// The source terms against their plain forms: in seas of any kind, with every tuning; and a coefficient that is off is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "groundswell/sea/checks/source_checks.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using test::OneCell;
using Checks = std::vector<exec::KernelCheck>;

// A wind sea with noise in every bin, under a wind that has turned.
OneCell rough_sea(const sea::PhysicsOptions& options, int directions, double depth) {
    OneCell cell(sea::SpectralGrid(30, directions, 0.04177, 1.1), options, depth);
    sea::fill_wind_sea(cell.grid, {200e3}, 16.0, 0.7, cell.action.data());
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0.5, 1.5);
    for (int bin = 0; bin < cell.grid.bins(); ++bin)
        cell.action[bin] = static_cast<sea::Real>(cell.action[bin] * unit(random));
    cell.set_wind(14.0, 1.1);
    return cell;
}

void check(OneCell& cell, const sea::PhysicsOptions& options, Checks& checks) {
    if (checks.empty()) checks = sea::source_checks(*cell.package);
    sea::check_source_terms(*cell.package, options, cell.action.data(), cell.conditions, 300.0, cell.state,
                            cell.workspace, checks);
}

double error_of(const exec::KernelCheck& check) {
    return check.apart / check.largest;
}

TEST(SeaSourcePlain, EveryTermAgreesWithItInAnySea) {
    Checks checks;
    for (const std::string& tuning : sea::physics_tunings("st4")) {
        for (const int directions : {36, 24, 13}) {
            for (const double depth : {3.0, 25.0, 4000.0}) {
                sea::PhysicsOptions options;
                options.tune(tuning);
                OneCell cell = rough_sea(options, directions, depth);
                check(cell, options, checks);
            }
        }
    }
    ASSERT_EQ(checks.size(), sea::source_term_names().size() + 1);
    for (const exec::KernelCheck& one : checks) {
        EXPECT_TRUE(one.finite) << one.kernel;
        EXPECT_GT(one.largest, 0.0) << one.kernel;
        EXPECT_EQ(one.cells, 9 * static_cast<std::int64_t>(sea::physics_tunings("st4").size())) << one.kernel;
        EXPECT_LE(error_of(one), one.allowed) << one.kernel;
    }
}

TEST(SeaSourcePlain, ACoefficientThatIsOffByAHundredthIsFound) {
    const std::pair<const char*, const char*> coefficients[] = {
        {"wind_input", "wind_growth"},
        {"linear_growth", "linear_growth"},
        {"whitecapping", "saturation_threshold"},
        {"four_wave", "four_wave"},
        {"bottom_friction", "bottom_friction"},
        {"breaking", "breaking_gamma"},
        {"source", "growth_limiter"},
    };
    const sea::PhysicsOptions right;
    for (const auto& [kernel, coefficient] : coefficients) {
        sea::PhysicsOptions wrong;
        wrong.set(coefficient, 1.01 * right.value(coefficient));
        OneCell cell = rough_sea(right, 36, 4.0);
        Checks checks;
        check(cell, wrong, checks);
        const auto found = std::ranges::find(checks, kernel, &exec::KernelCheck::kernel);
        ASSERT_NE(found, checks.end()) << kernel;
        EXPECT_GT(error_of(*found), found->allowed) << kernel;
    }
}

}  // namespace
}  // namespace groundswell
