#include "groundswell/sea/source/formulas/gravity_capillary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/wind_sums.hpp"
#include "groundswell/sea/source/team.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using test::OneCell;
using test::only;
using test::usual_grid;

constexpr double kappa = 0.4, tension = 0.0717e-3, viscosity = 1.5e-5;
constexpr double growth = 1.39 / (kappa * kappa), shift = 0.008;

sea::PhysicsOptions with_capillary_waves() {
    sea::PhysicsOptions options;
    options.tune("capillary");
    return options;
}
sea::GravityCapillary air_of(const sea::PhysicsOptions& options, int directions = 36) {
    return {options, directions};
}

// ∫ ω β F(k) k dk of Janssen & Bidlot's spectrum, by a fine midpoint rule and their formulas as they stand.
double plain_stress(double u, double z0, double half_phillips, double strength) {
    const auto omega = [](double k) { return std::sqrt(base::gravity * k + tension * k * k * k); };
    const auto group = [&](double k) { return (base::gravity + 3 * tension * k * k) / (2 * omega(k)); };
    const double first = std::sqrt(base::gravity / tension) / (1.48 + 2.05 * u);
    const auto curvature = [&](double k) { return std::sqrt(group(k)) / std::pow(omega(k) / k, 2); };
    const double lambda = 1 + 0.25 * std::tanh(4 * std::pow(u, 4));
    const int steps = 20000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        const double k = first * std::pow(2e4 / first, (i + 0.5) / steps);
        const double dk = k * std::log(2e4 / first) / steps;
        const double age = u / (omega(k) / k), mu = k * z0 * std::exp(kappa / (age + shift));
        const double logarithm = std::min(std::log(mu / lambda), 0.0);
        const double beta = growth * std::pow(logarithm, 4) * std::min(mu, lambda) * age * age *
                            std::pow(omega(k), 3) / (base::gravity * k);
        const double b = half_phillips * curvature(k) / curvature(first);
        const double n = strength * 0.75 / kappa * beta * b / (k * u);
        sum += omega(k) * beta * b / (k * k * k) * dk * (1 + 0.25 * n) / (1 + n);
    }
    return (0.35 + 0.65 * std::tanh(3 * u * u)) * sum;
}

TEST(SeaSourceGravityCapillary, StressIsTheIntegralOverTheirSpectrum) {
    const sea::GravityCapillary air = air_of(with_capillary_waves());
    for (const double u : {0.15, 0.4, 1.0, 2.0}) {
        for (const double z0 : {2e-5, 3e-4, 3e-3}) {
            for (const double strength : {0.0, 1.0, 2.2}) {
                const double wanted =
                    std::max(plain_stress(u, z0, 0.006, strength), std::pow(u * 1e-6 / z0, 2));
                EXPECT_NEAR(air.stress(u, z0, 0.006, strength), wanted, 5e-3 * wanted)
                    << u << " m/s, " << z0 << " m, " << strength;
            }
        }
    }
}

TEST(SeaSourceGravityCapillary, FrictionVelocityBalancesTheStressesInTheProfile) {
    const sea::GravityCapillary air = air_of(with_capillary_waves());
    for (const double wind : {0.05, 1.0, 3.0, 7.0, 12.0, 20.0, 27.0, 35.0, 50.0, 70.0}) {
        for (const double share : {0.0, 0.4, 0.8}) {
            for (const auto& [half, guess] :
                 {std::pair{0.0, 0.0}, std::pair{0.002, 0.3}, std::pair{0.012, 5.0}}) {
                const double felt = std::max(wind, 0.1);
                // The most that ecWAM holds possible.
                const double most = std::max(
                    -0.21339 + 0.093698 * felt - 0.0020944 * felt * felt + 5.5091e-5 * felt * felt * felt,
                    0.03);
                const double given = share * 1.5e-3 * felt * felt, stress = std::min(given, most * most);
                const sea::AirSea::Result found = air.solve(wind, given, half, guess);
                const double u = found.friction_velocity, z0 = found.roughness;
                EXPECT_NEAR(z0, std::max(10 / (std::exp(std::min(kappa * felt / u, 50.0)) - 1), 1e-6),
                            1e-9 * z0);
                EXPECT_NEAR(found.charnock, base::gravity * z0 / (u * u), 1e-9 * found.charnock);
                const double least = 1e-4 + 0.0054 * 0.5 * (1 + std::tanh(28 - felt));
                const double low = least * u * u / base::gravity / z0;
                const double high = 0.11 * u * u / base::gravity / z0;
                const double background = std::clamp(air.stress(u, z0, half, air.strength(felt)),
                                                     low * low * u * u, high * high * u * u);
                const double viscous = 0.04 * viscosity * u / (kappa * z0);
                EXPECT_NEAR((stress + viscous + background) / (u * u), 1, 1e-4)
                    << wind << " m/s, share " << share << ", half of Phillips' " << half;
            }
        }
    }
}

TEST(SeaSourceGravityCapillary, TwentyFourDirectionsHaveTheirOwnSpreading) {
    // ecWAM: 0.40 + 0.60 tanh(3 u*²) up to 24 directions, 0.35 + 0.65 tanh(3 u*²) beyond.
    const double u = 0.2, few = 0.4 + 0.6 * std::tanh(3 * u * u), many = 0.35 + 0.65 * std::tanh(3 * u * u);
    const sea::PhysicsOptions options = with_capillary_waves();
    EXPECT_NEAR(air_of(options, 24).stress(u, 1e-4, 0.006, 0) / air_of(options, 25).stress(u, 1e-4, 0.006, 0),
                few / many, 1e-6);
}

TEST(SeaSourceGravityCapillary, PhillipsParameterIsTheSlopeOverTheLogarithmOfTheFrequencies) {
    // E = α g² (2π)⁻⁴ f⁻⁵ from fp on: the mean square slope up to f is α ln(f/fp), the mean frequency 1.25 fp.
    const sea::PhysicsOptions options = only({"wind_input"});
    OneCell cell(usual_grid(), options, 5000.0);
    const sea::LaneTables& g = cell.package->grid();
    const double alpha = 0.009, peak = 0.15, last = g.frequency[g.frequencies - 1];
    for (int i = 0; i < g.frequencies; ++i) {
        const double f = g.frequency[i],
                     level = alpha * 9.81 * 9.81 / std::pow(2 * base::pi, 4) / std::pow(f, 5);
        for (int j = 0; j < g.directions; ++j) {
            const double along = std::cos(2 * base::pi * j / g.directions);
            const double spread = along > 0 ? 2 / base::pi * along * along : 0;
            cell.set_energy(i, j, f < peak ? 0 : level * spread);
        }
    }
    cell.set_wind(10.0, 0.0);
    cell.evaluate("wind_input");
    std::vector<sea::Real> ahead(static_cast<std::size_t>(g.frequency_lanes));
    const double half = sea::half_of_phillips(sea::RegisterTeam{}, g, cell.workspace.sea, ahead.data());
    const double wanted = alpha * std::log(last / peak) / std::log(last / (1.25 * peak));
    EXPECT_NEAR(2 * half, wanted, 0.03 * wanted);
}

TEST(SeaSourceGravityCapillary, ATailThatEndsLeavesTheRestToOthers) {
    // Of the integral over the tail the parts below and beyond a frequency add up to the whole.
    const sea::AirSea air(sea::PhysicsOptions{});
    const sea::RegisterTeam team;
    const double u = 0.5, z0 = 5e-4, level = 1e-4, middle = 2 * base::pi * 2.0;
    const double whole = air.short_wave_stress(team, u, z0, 0.6, {.level = level});
    const double low = air.short_wave_stress(team, u, z0, 0.6, {.level = level, .highest = middle});
    const double high = air.short_wave_stress(team, u, z0, 2.0, {.level = level});
    EXPECT_NEAR(low + high, whole, 0.01 * whole);
    EXPECT_EQ(air.short_wave_stress(team, u, z0, 3.0, {.level = level, .highest = middle}), 0.0);
}

TEST(SeaSourceGravityCapillary, SteepSeasGrowMoreSlowly) {
    // Σ β E of a row is (1 + N sin²)/(1 + N) of that without renormalisation, N = k² cg/(2π κ u*) (ρw/ρa) Σ β E Δθ.
    sea::PhysicsOptions plain = only({"wind_input"}), renormalised = plain;
    renormalised.set("growth_renormalisation", 1);
    OneCell a(usual_grid(), plain, 5000.0), b(usual_grid(), renormalised, 5000.0);
    for (OneCell* cell : {&a, &b}) {
        sea::fill_wind_sea(cell->grid, {}, 15.0, 0.5, cell->action.data());
        cell->set_wind(15.0, 0.5);
        cell->state.friction_velocity = sea::Real(0.6);
        cell->evaluate("wind_input");
    }
    const sea::LaneTables& g = b.package->grid();
    // Both with the same air: that of the second.
    const double u = b.state.friction_velocity, z0 = b.state.roughness;
    for (const int i : {12, 18, 24, 30}) {
        const double sigma = b.grid.sigma[static_cast<std::size_t>(i)];
        const double k = b.wave_number[static_cast<std::size_t>(i)],
                     cg = b.group_speed[static_cast<std::size_t>(i)];
        double sum = 0, across = 0, found = 0;
        for (int j = 0; j < g.directions; ++j) {
            const double along = std::cos(2 * base::pi * j / g.directions - 0.5);
            const double energy = b.energy(i, j);
            const double z = std::log(k * z0) + kappa / ((u * k / sigma + shift) * std::max(along, 0.01));
            const double rate = along > 0.01 && z < 0 ? sigma * 1.225e-3 * 1.2 / 0.16 * std::pow(z, 4) *
                                                            std::exp(z) * std::pow(u * k / sigma * along, 2)
                                                      : 0;
            sum += rate * energy;
            across += rate * energy * (1 - along * along);
            found += b.workspace.growth[static_cast<std::size_t>(i * g.lanes + j)] * energy;
        }
        const double n = k * k * cg / (2 * base::pi * kappa * u) / 1.225e-3 * 2 * base::pi / g.directions;
        const double wanted = sum * (1 + n * across) / (1 + n * sum);
        EXPECT_NEAR(found, wanted, 1e-3 * wanted) << "frequency " << i;
        EXPECT_LT(wanted, (i == 30 ? 0.95 : 1.0) * sum) << "frequency " << i;
    }
    EXPECT_LT(b.state.wave_stress_x, a.state.wave_stress_x);
}

}  // namespace
}  // namespace groundswell
