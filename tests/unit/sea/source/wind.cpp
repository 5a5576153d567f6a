#include <gtest/gtest.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/air_sea.hpp"
#include "groundswell/sea/source/team.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using test::OneCell;
using test::only;
using test::usual_grid;

constexpr double viscous = 0.11 * 1.5e-5;

TEST(SeaSourceAirSea, FrictionVelocityObeysTheLogarithmicProfile) {
    sea::PhysicsOptions options;
    options.set("wave_stress_limit", 1e3);
    options.set("roughness_limit", 0);
    const sea::AirSea air(options);
    for (const double wind : {1.0, 5.0, 10.0, 20.0, 40.0}) {
        for (const double share : {0.0, 0.5, 0.9}) {
            // A stress that is the given share of the total one: by iteration from outside.
            double stress = 0, previous = -1;
            sea::AirSea::Result result{};
            for (int i = 0; i < 200 && std::abs(stress - previous) > 1e-12 * stress; ++i) {
                result = air.solve(wind, stress, 0);
                previous = stress;
                stress = share * result.friction_velocity * result.friction_velocity;
            }
            const double u = result.friction_velocity, length = result.roughness + viscous / u;
            EXPECT_NEAR(u, 0.4 * wind / std::log(10.0 / length), 1e-4 * u) << wind << " m/s, share " << share;
            EXPECT_NEAR(result.charnock, 0.006 / std::sqrt(1 - share), 2e-3 * result.charnock);
        }
    }
}

TEST(SeaSourceAirSea, DragIsAtMostWhatIsMeasuredOrAsked) {
    // (κ/ln(10 m/z0))²: 0.003 as it comes, 0.0025 with the roughness of Donelan et al. (2004).
    sea::PhysicsOptions usual, asked;
    asked.set("roughness_limit", 3.35e-3);
    for (const auto& [options, most] : {std::pair{usual, 0.003}, std::pair{asked, 0.0025}}) {
        const sea::AirSea air(options);
        for (const double share : {0.0, 0.9}) {
            const double u = air.solve(60.0, share * most * 3600.0, 0).friction_velocity;
            EXPECT_LE(u * u / 3600.0, most * 1.001) << share;
            EXPECT_GT(u * u / 3600.0, 0.8 * most) << share;
        }
    }
}

TEST(SeaSourceAirSea, AWaveStressBeyondItsBoundRoughensNoMore) {
    // WAVEWATCH III: 2.2361 m² s⁻² at any wind.
    sea::PhysicsOptions options;
    options.tune("ww3");
    const sea::AirSea air(options);
    const double bound = 2.2361;
    EXPECT_EQ(air.solve(30.0, bound, 1.5).friction_velocity,
              air.solve(30.0, 10 * bound, 1.5).friction_velocity);
    EXPECT_GT(air.solve(30.0, bound, 1.5).friction_velocity,
              air.solve(30.0, 0.9 * bound, 1.5).friction_velocity);
}

TEST(SeaSourceAirSea, StressOfShortWavesIsTheIntegralOfJanssen) {
    // (2π)⁴ L/g² u*² ∫ βmax/κ² Z⁴ e^Z dω/ω up to Z = 0 and y = 1, by a fine midpoint rule.
    const sea::AirSea air(sea::PhysicsOptions{});
    const double u = 0.4, z0 = 3e-4, cutoff = 0.6, directional = 1e-3;
    const int steps = 200000;
    const double first = std::log(2 * base::pi * cutoff), last = std::log(std::sqrt(base::gravity / z0));
    double integral = 0;
    for (int i = 0; i < steps; ++i) {
        const double omega = std::exp(first + (i + 0.5) * (last - first) / steps);
        const double z = std::min(
            std::log(omega * omega * z0 / base::gravity) + 0.4 / (u * omega / base::gravity + 0.008), 0.0);
        integral += std::pow(z, 4) * std::exp(z) * (last - first) / steps;
    }
    const double expected = std::pow(2 * base::pi, 4) * std::pow(cutoff, 5) / std::pow(base::gravity, 2) *
                            directional * u * u * 1.2 / 0.16 * integral;
    const double level = directional * std::pow(cutoff, 5);
    EXPECT_NEAR(air.short_wave_stress(sea::RegisterTeam{}, u, z0, cutoff, {.level = level}), expected,
                0.01 * expected);
}

// With WAVEWATCH III's form the shift stands in the square too.
class SeaSourceGrowth : public testing::TestWithParam<double> {};

TEST_P(SeaSourceGrowth, RateIsThatOfTheFormula) {
    sea::PhysicsOptions options = only({"wind_input"});
    options.set("growth_shift", GetParam());
    options.set("swell_turbulent", 0);
    options.set("swell_viscous", 0);
    OneCell cell(usual_grid(), options, 5000.0);
    sea::fill_wind_sea(cell.grid, {}, 12.0, 0.5, cell.action.data());
    cell.set_wind(12.0, 0.5);
    cell.evaluate("wind_input");
    const double u = cell.state.friction_velocity, z0 = cell.state.roughness;
    for (const int i : {5, 12, 20, 30}) {
        for (const int j : {0, 3, 9, 20}) {
            const double sigma = cell.grid.sigma[i], k = cell.wave_number[i], c = sigma / k;
            const double along = std::cos(cell.grid.direction[static_cast<std::size_t>(j)] - 0.5);
            const double z = std::log(k * z0) + 0.4 / ((u / c + 0.008) * along);
            const double age = u / c + GetParam() * 0.008;
            const double beta = along > 0.01 && z < 0 ? sigma * 1.225 / 1000 * 1.2 / 0.16 * std::exp(z) *
                                                            std::pow(z, 4) * std::pow(age * along, 2)
                                                      : 0.0;
            EXPECT_NEAR(cell.derivative(i, j), beta, 2e-4 * beta + 1e-12) << "bin " << i << ", " << j;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, SeaSourceGrowth, testing::Values(0.0, 1.0));

TEST(SeaSourceWindInput, ALighterWaterOrHeavierAirGrowsFaster) {
    // The rate goes as the ratio of the densities: 1.293/1025 against 1.225/1000.
    sea::PhysicsOptions one = only({"wind_input"}), other = one;
    one.set("swell_turbulent", 0);
    one.set("swell_viscous", 0);
    other = one;
    other.set("air_density", 1.293);
    other.set("water_density", 1025);
    OneCell a(usual_grid(), one, 5000.0), b(usual_grid(), other, 5000.0);
    for (OneCell* cell : {&a, &b}) {
        sea::fill_wind_sea(cell->grid, {}, 12.0, 0.0, cell->action.data());
        cell->set_wind(12.0, 0.0);
        cell->evaluate("wind_input");
    }
    const double drag = std::pow(b.state.friction_velocity / a.state.friction_velocity, 2);
    EXPECT_NEAR(b.derivative(25, 0) / a.derivative(25, 0) / drag, 1.293 / 1025 / 1.225 * 1000, 0.02);
}

TEST(SeaSourceWindInput, WavesSupportPartOfTheStressAndRoughenTheSea) {
    OneCell young(usual_grid(), sea::PhysicsOptions{}, 5000.0);
    sea::fill_wind_sea(young.grid, {3e3}, 10.0, 0.0, young.action.data());
    young.set_wind(10.0, 0.0);
    ASSERT_TRUE(young.run(1800.0, 300.0));
    const double total = std::pow(young.state.friction_velocity, 2);
    EXPECT_GT(young.state.wave_stress_x, 0.3 * total);
    EXPECT_LE(young.state.wave_stress_x, total);
    EXPECT_NEAR(young.state.wave_stress_y, 0.0, 0.01 * total);
    EXPECT_GT(young.state.charnock, 0.015);
    EXPECT_LT(young.state.charnock, 0.12);
}

TEST(SeaSourceWindInput, ShelteringTakesGrowthFromShortWaves) {
    sea::PhysicsOptions open = only({"wind_input"}), sheltered = open;
    sheltered.set("sheltering", 0.3);
    OneCell a(usual_grid(), open, 5000.0), b(usual_grid(), sheltered, 5000.0);
    for (OneCell* cell : {&a, &b}) {
        sea::fill_wind_sea(cell->grid, {}, 15.0, 0.0, cell->action.data());
        cell->set_wind(15.0, 0.0);
        cell->state.friction_velocity = 0.6f;
        cell->evaluate("wind_input");
    }
    const auto per_stress = [](const OneCell& cell, int i) {
        return cell.derivative(i, 0) / std::pow(cell.state.friction_velocity, 2);
    };
    EXPECT_LT(per_stress(b, 30), 0.97 * per_stress(a, 30));
}

TEST(SeaSourceLinearGrowth, RaisesWavesFromCalmDownwindAndShort) {
    sea::PhysicsOptions options;
    options.set("most_substeps", 1);  // after the first evaluation waves interact
    OneCell cell(usual_grid(), options, 5000.0);
    cell.set_wind(10.0, base::pi / 2);
    ASSERT_TRUE(cell.step(300.0));
    const sea::SeaParameters sea = cell.parameters();
    EXPECT_GT(sea.significant_height, 0.005);
    EXPECT_LT(sea.significant_height, 0.3);
    EXPECT_NEAR(sea.mean_direction, base::pi / 2, 0.02);
    for (int j = 0; j < 36; ++j) {
        EXPECT_EQ(cell.energy(0, j), 0.0);  // long waves do not start by themselves
        if (j >= 19) {
            EXPECT_EQ(cell.energy(30, j), 0.0);  // nor waves against the wind
        }
    }
}

}  // namespace
}  // namespace groundswell
