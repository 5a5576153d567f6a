// The source terms against their plain forms: in seas of any kind, with every tuning; and a coefficient that is off is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <tuple>

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

// Of all packages and tunings, and terms that stand in the place of theirs.
std::vector<sea::PhysicsOptions> choices() {
    std::vector<sea::PhysicsOptions> all;
    for (const char* package : {"st4", "wam3", "wam4", "st6"}) {
        for (const std::string& tuning : sea::physics_tunings(package)) {
            all.emplace_back().choose(package);
            all.back().tune(tuning);
        }
    }
    all.push_back(test::only({"wind_snyder", "bottom_friction_madsen", "breaking_thornton", "triads"}));
    return all;
}

TEST(SeaSourcePlain, EveryTermAgreesWithItInAnySea) {
    std::vector<std::string> checked;
    for (const sea::PhysicsOptions& options : choices()) {
        Checks checks;
        for (const int directions : {36, 24, 13}) {
            for (const double depth : {3.0, 25.0, 4000.0}) {
                OneCell cell = rough_sea(options, directions, depth);
                check(cell, options, checks);
            }
        }
        ASSERT_EQ(checks.size(), options.terms.size() + 1);
        for (const exec::KernelCheck& one : checks) {
            EXPECT_TRUE(one.finite) << one.kernel;
            EXPECT_GT(one.largest, 0.0) << one.kernel;
            EXPECT_EQ(one.cells, 9) << one.kernel;
            EXPECT_LE(error_of(one), one.allowed)
                << one.kernel << " of " << options.package << ", " << options.tuning;
            checked.push_back(one.kernel);
        }
    }
    for (const std::string& term : sea::source_term_names())
        EXPECT_EQ(std::ranges::count(checked, term) > 0, true) << term;
}

TEST(SeaSourcePlain, ACoefficientThatIsOffByAHundredthIsFound) {
    const std::tuple<const char*, const char*, const char*> coefficients[] = {
        {"st4", "wind_input", "wind_growth"},
        {"st4", "linear_growth", "linear_growth"},
        {"st4", "whitecapping", "saturation_threshold"},
        {"st4", "four_wave", "four_wave"},
        {"st4", "bottom_friction", "bottom_friction"},
        {"st4", "breaking", "breaking_gamma"},
        {"st4", "source", "growth_limiter"},
        {"wam3", "wind_snyder", "snyder_growth"},
        {"wam3", "whitecapping_steepness", "steepness_whitecapping"},
        {"wam4", "whitecapping_steepness", "steepness_short_waves"},
        {"st6", "wind_donelan", "donelan_speed"},
        {"st6", "whitecapping_threshold", "threshold_steepness"},
        {"st6", "swell_turbulence", "swell_turbulence"},
        {"wam3", "bottom_friction_madsen", "bottom_roughness"},
        {"wam3", "breaking_thornton", "thornton_gamma"},
        {"wam3", "triads", "triads"},
    };
    for (const auto& [package, kernel, coefficient] : coefficients) {
        sea::PhysicsOptions right;
        right.choose(package);
        if (std::ranges::count(right.terms, kernel) + (kernel == std::string_view("source")) == 0)
            right.terms = {kernel};
        sea::PhysicsOptions wrong = right;
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
