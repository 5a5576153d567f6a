#include "groundswell/sea/source/budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using test::OneCell;
using test::usual_grid;

sea::SourceBudget budget_of(OneCell& cell) {
    return sea::find_budget(*cell.package, cell.action.data(), cell.conditions, sea::Real(1), cell.state,
                            cell.workspace);
}

sea::OceanExchange exchange_of(OneCell& cell) {
    return cell.package->find_exchange(cell.action.data(), cell.conditions, sea::Real(1), cell.state,
                                       cell.workspace);
}

// ρ_a u*²
double air_stress_of(OneCell& cell) {
    sea::SourceState state = cell.state;
    cell.package->load(cell.action.data(), cell.conditions, sea::Real(1), state, cell.workspace);
    cell.package->meet_air(cell.workspace);
    return 1.225 * std::pow(static_cast<double>(state.friction_velocity), 2);
}

double row_energy(const OneCell& cell, int i) {
    double sum = 0.0;
    for (int j = 0; j < cell.grid.directions; ++j) sum += cell.energy(i, j);
    return sum * cell.grid.direction_width;
}

// dE/dt = Σ S: what is told of the terms is what a short step does, where no limiter acts.
TEST(SeaSourceBudget, TheTermsTogetherAreWhatAShortStepDoes) {
    sea::PhysicsOptions options;
    options.set("growth_limiter", 1.0);
    options.set("substep_change", 10.0);
    OneCell cell(usual_grid(), options, 15.0);
    cell.set_wind(16.0, 0.7);
    sea::fill_wind_sea(cell.grid, {}, 14.0, 0.4, cell.action.data());
    ASSERT_TRUE(cell.run(600.0, 60.0));
    const sea::SourceBudget budget = budget_of(cell);
    std::vector<double> before;
    for (int i = 0; i < 35; ++i) before.push_back(row_energy(cell, i));
    const double seconds = 0.25;
    ASSERT_TRUE(cell.step(seconds));
    double largest = 0.0, compared = 0.0;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < 20; ++i) {  // below the diagnostic tail
            double rate = 0.0;
            for (int term = 0; term < cell.package->terms(); ++term)
                rate += budget.rates[term * 35 + i].energy;
            largest = std::max(largest, std::abs(rate));
            if (pass == 0) continue;
            EXPECT_NEAR((row_energy(cell, i) - before[i]) / seconds, rate, 0.02 * largest) << i;
            compared += std::abs(rate) > 0.1 * largest ? 1.0 : 0.0;
        }
    EXPECT_GE(compared, 4.0);
}

// Transfer between waves gives little away, to those beyond the last frequency; what wind gives is positive, what breaks is lost.
TEST(SeaSourceBudget, EachTermHasItsSign) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, 4000.0);
    cell.set_wind(16.0, 0.0);
    sea::fill_wind_sea(cell.grid, {}, 12.0, 0.0, cell.action.data());
    ASSERT_TRUE(cell.run(1800.0, 300.0));
    const sea::SourceBudget budget = budget_of(cell);
    const auto sum = [&](const std::string& name, bool absolute) {
        double total = 0.0;
        for (int term = 0; term < cell.package->terms(); ++term)
            for (int i = 0; cell.package->term_name(term) == name && i < 35; ++i) {
                const double part = budget.rates[term * 35 + i].energy * cell.grid.frequency_width[i];
                total += absolute ? std::abs(part) : part;
            }
        return total;
    };
    EXPECT_GT(sum("wind_input", false), 0.5 * sum("wind_input", true));
    EXPECT_LT(sum("whitecapping", false), -0.99 * sum("whitecapping", true));
    EXPECT_LT(std::abs(sum("four_wave", false)), 0.25 * sum("four_wave", true));
}

// Without waves the ocean gets all of the air's stress; in a young sea, which keeps some, less; of waves that the wind has
// left, what they lose.
TEST(SeaSourceBudget, WavesKeepPartOfTheStressWhileTheyGrowAndGiveItBackWhenTheyBreak) {
    const double along = 0.7;
    OneCell calm(usual_grid(), sea::PhysicsOptions{}, 4000.0);
    calm.set_wind(15.0, along);
    const sea::OceanExchange none = exchange_of(calm);
    const double air = air_stress_of(calm);
    EXPECT_GT(air, 0.2);
    EXPECT_NEAR(none.eastward_stress, air * std::cos(along), 0.01 * air);
    EXPECT_NEAR(none.northward_stress, air * std::sin(along), 0.01 * air);
    EXPECT_NEAR(none.breaking_energy, 0.0, 1e-6);

    OneCell young(usual_grid(), sea::PhysicsOptions{}, 4000.0);
    young.set_wind(15.0, along);
    sea::fill_wind_sea(young.grid, {}, 15.0, along, young.action.data());
    ASSERT_TRUE(young.run(3600.0, 300.0));
    const double over = air_stress_of(young);
    const sea::OceanExchange growing = exchange_of(young);
    const double given = std::hypot(growing.eastward_stress, growing.northward_stress);
    EXPECT_LT(given, 0.99 * over);
    EXPECT_GT(given, 0.6 * over);
    EXPECT_NEAR(std::atan2(growing.northward_stress, growing.eastward_stress), along, 0.05);
    EXPECT_GT(growing.breaking_energy, 0.1);

    young.set_wind(0.5, along);
    const sea::OceanExchange left = exchange_of(young);
    EXPECT_GT(left.eastward_stress * std::cos(along) + left.northward_stress * std::sin(along), 0.01);
}

// All take energy from waves in shallow water, or move it; the ocean gets what breaks.
TEST(SeaSourceBudget, TheOceanGetsNothingOfWhatTheSeaBedTakesOrWavesMove) {
    const auto of = [](const std::string& term) {
        OneCell cell(usual_grid(), test::only({term}), 4.0);
        sea::fill_wind_sea(cell.grid, {}, 20.0, 0.4, cell.action.data());
        double most = 0.0;
        for (const sea::TermRate& rate : budget_of(cell).rates) most = std::max(most, std::abs(rate.energy));
        EXPECT_GT(most, 0.0) << term;
        return exchange_of(cell);
    };
    for (const char* const term : {"bottom_friction", "bottom_friction_madsen", "four_wave", "triads"}) {
        EXPECT_EQ(of(term).breaking_energy, 0.0) << term;
        EXPECT_EQ(of(term).eastward_stress, 0.0) << term;
    }
    for (const char* const term : {"breaking", "breaking_thornton", "whitecapping"}) {
        EXPECT_GT(of(term).breaking_energy, 0.0) << term;
        EXPECT_GT(of(term).eastward_stress, 0.0) << term;
    }
}

}  // namespace
}  // namespace groundswell
