#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../support/one_cell.hpp"
#include "groundswell/base/constants.hpp"

// Growth of waves with time under a constant wind, one cell of deep water: no propagation, all source terms.

namespace groundswell {
namespace {

using test::OneCell;
using test::usual_grid;

constexpr double hour = 3600.0, deep = 5000.0;

struct Point {
    double hours, height, period;  // h, m, s
};

// Figures from running two peer models on this very set-up (U10 = 10 m/s, 36 directions, 35 frequencies from
// 0.04177 Hz × 1.1): WAVEWATCH III 7.14 (ST4, from calm) and FVWAM (form of WAM cycle 6, from a short-fetch
// JONSWAP sea, 300 s steps).
constexpr std::array wavewatch{Point{3, 0.903, 3.85},  Point{6, 1.234, 4.73},  Point{12, 1.610, 5.70},
                               Point{24, 1.991, 6.70}, Point{48, 2.371, 7.63}, Point{72, 2.584, 8.29}};
constexpr std::array fvwam{Point{3, 0.823, 3.58},  Point{6, 1.145, 4.60},  Point{12, 1.485, 5.59},
                           Point{24, 1.852, 6.51}, Point{48, 2.223, 7.61}, Point{72, 2.415, 8.21}};

// From three hours on not below 0.93 × the lower nor above 1.07 × the higher of the two.
void expect_between_peers(OneCell& cell, double step) {
    double time = 0;
    for (std::size_t n = 0; n < wavewatch.size(); ++n) {
        const Point &a = wavewatch[n], &b = fvwam[n];
        ASSERT_TRUE(cell.run(a.hours * hour - time, step));
        time = a.hours * hour;
        const sea::SeaParameters sea = cell.parameters();
        EXPECT_GT(sea.significant_height, 0.93 * std::min(a.height, b.height)) << a.hours << " h";
        EXPECT_LT(sea.significant_height, 1.07 * std::max(a.height, b.height)) << a.hours << " h";
        EXPECT_GT(sea.peak_period, 0.93 * std::min(a.period, b.period)) << a.hours << " h";
        EXPECT_LT(sea.peak_period, 1.07 * std::max(a.period, b.period)) << a.hours << " h";
    }
}

TEST(Growth, FromAShortFetchSeaItLiesBetweenPeerModels) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, deep);
    sea::fill_wind_sea(cell.grid, {500.0, 1.0}, 10.0, 0.3, cell.action.data());
    cell.set_wind(10.0, 0.3);
    expect_between_peers(cell, 300.0);
}

TEST(Growth, FromCalmItLiesBetweenPeerModels) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, deep);
    cell.set_wind(10.0, 1.0);
    expect_between_peers(cell, 300.0);
}

TEST(Growth, WithTheOtherTuningItLiesBetweenPeerModels) {
    sea::PhysicsOptions options;
    sea::set_tuning(options, "ww3");
    OneCell cell(usual_grid(), options, deep);
    cell.set_wind(10.0, 0.0);
    expect_between_peers(cell, 300.0);
}

TEST(Growth, DependsLittleOnTheStep) {
    OneCell coarse(usual_grid(), sea::PhysicsOptions{}, deep),
        fine(usual_grid(), sea::PhysicsOptions{}, deep);
    for (OneCell* cell : {&coarse, &fine}) {
        sea::fill_wind_sea(cell->grid, {2e3, 1.0}, 15.0, 0.0, cell->action.data());
        cell->set_wind(15.0, 0.0);
    }
    ASSERT_TRUE(coarse.run(12 * hour, 600.0));
    ASSERT_TRUE(fine.run(12 * hour, 30.0));
    EXPECT_NEAR(coarse.height(), fine.height(), 0.03 * fine.height());
    EXPECT_NEAR(coarse.parameters().peak_period, fine.parameters().peak_period,
                0.03 * fine.parameters().peak_period);
}

TEST(Growth, AStrongWindEndsNearPiersonAndMoskowitz) {
    // ε = g²m0/U⁴ = 3.64e-3, ν = U fp/g = 0.13 (Pierson & Moskowitz 1964): 9.84 m, 15.7 s at 20 m/s.
    // Third-generation models approach it slowly and go on growing a little; two days are compared within a
    // fifth.
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, deep);
    cell.set_wind(20.0, 0.0);
    ASSERT_TRUE(cell.run(48 * hour, 300.0));
    EXPECT_NEAR(cell.height(), 9.84, 0.2 * 9.84);
    EXPECT_NEAR(cell.parameters().peak_period, 15.7, 0.2 * 15.7);
    // The drag of a developed sea is that of observations, 1.5 … 2.5e-3 (e.g. Large & Pond 1981).
    const double drag = std::pow(cell.state.friction_velocity / 20.0, 2);
    EXPECT_GT(drag, 1.5e-3);
    EXPECT_LT(drag, 2.5e-3);
}

TEST(Growth, FollowsTheThreeHalvesPowerLawOfToba) {
    // g Hs/u*² = 0.062 (g Ts/u*)^1.5 along growth (Toba 1972), Ts = 0.95 Tp.
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, deep);
    cell.set_wind(12.0, 0.0);
    for (int hours = 3; hours <= 24; hours += 3) {
        ASSERT_TRUE(cell.run(3 * hour, 300.0));
        const double u = cell.state.friction_velocity;
        const double height = base::gravity * cell.height() / (u * u);
        const double period = base::gravity * 0.95 * cell.parameters().peak_period / u;
        EXPECT_NEAR(height / (0.062 * std::pow(period, 1.5)), 1.0, 0.25) << hours << " h";
    }
}

TEST(Growth, ASeaTurnsWithTheWind) {
    // Wind of 15 m/s turns by 90° at once (van Vledder & Holthuijsen 1993): the mean direction follows
    // without swinging past, short waves first, and the sea has turned most of the way after half a day.
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, deep);
    cell.set_wind(15.0, 0.0);
    ASSERT_TRUE(cell.run(6 * hour, 300.0));
    cell.set_wind(15.0, base::pi / 2);
    double before = cell.parameters().mean_direction;
    for (int hours = 1; hours <= 12; ++hours) {
        ASSERT_TRUE(cell.run(hour, 300.0));
        const double direction = cell.parameters().mean_direction;
        EXPECT_GT(direction, before - 0.01) << hours << " h";
        EXPECT_LT(direction, base::pi / 2 + 0.02) << hours << " h";
        before = direction;
        if (hours == 2) {
            const auto heading = [&cell](int i) {
                double x = 0, y = 0;
                for (std::size_t j = 0; j < 36; ++j) {
                    x += cell.energy(i, static_cast<int>(j)) * cell.grid.cosine[j];
                    y += cell.energy(i, static_cast<int>(j)) * cell.grid.sine[j];
                }
                return std::atan2(y, x);
            };
            EXPECT_GT(heading(22), heading(12) + 0.2);  // 0.34 Hz ahead of 0.13 Hz
        }
    }
    EXPECT_GT(before, 60 * base::degree);
}

TEST(Growth, ShallowWaterLimitsIt) {
    // Young & Verhagen (1996, doi:10.1016/S0378-3839(96)00006-3): for long fetch ε = 3.64e-3 tanh(A)^1.74,
    // A = 0.493 δ^0.75, δ = g d/U². Models and data scatter by a third in Hs.
    const double wind = 15.0;
    double before = 1e9;
    for (const double depth : {20.0, 10.0, 5.0}) {
        OneCell cell(usual_grid(), sea::PhysicsOptions{}, depth);
        cell.set_wind(wind, 0.0);
        ASSERT_TRUE(cell.run(24 * hour, 300.0));
        const double a = 0.493 * std::pow(base::gravity * depth / (wind * wind), 0.75);
        const double m0 =
            3.64e-3 * std::pow(std::tanh(a), 1.74) * std::pow(wind, 4) / std::pow(base::gravity, 2);
        EXPECT_NEAR(cell.height(), 4 * std::sqrt(m0), 0.35 * 4 * std::sqrt(m0)) << depth << " m";
        EXPECT_LT(cell.height(), before);
        before = cell.height();
    }
}

}  // namespace
}  // namespace groundswell
