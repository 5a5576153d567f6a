#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::sea {
namespace {

// E(f, θ) = E(f) · D(θ), D = cos²ˢ-like about `mean`, over the whole circle.
std::vector<Real> make_action(const SpectralGrid& grid, double (*energy)(double), double mean, double power) {
    std::vector<double> spreading;
    double total = 0.0;
    for (double direction : grid.direction) {
        spreading.push_back(std::pow(std::abs(std::cos(0.5 * (direction - mean))), 2.0 * power));
        total += spreading.back() * grid.direction_width;
    }
    std::vector<Real> action(grid.stride());
    for (int i = 0; i < grid.frequencies; ++i)
        for (int j = 0; j < grid.directions; ++j)
            action[grid.index(i, j)] =
                static_cast<Real>(energy(grid.frequency[i]) * spreading[j] / total / grid.sigma[i]);
    return action;
}

// Pierson–Moskowitz form E = A f⁻⁵ exp(−B f⁻⁴): m0 = A/4B, m1 = A Γ(3/4)/(4 B^{3/4}), m2 = A√π/(4√B),
// m₋₁ = A Γ(5/4)/(4 B^{5/4}), peak (4B/5)^{1/4}.
constexpr double a = 5e-4, b = 1.25e-4;
double pierson_moskowitz(double f) {
    return a * std::pow(f, -5.0) * std::exp(-b * std::pow(f, -4.0));
}

TEST(Integrals, MomentsOfThePiersonMoskowitzFormAreAnalytic) {
    const SpectralGrid grid(60, 36, 0.03, 1.06);
    const auto action = make_action(grid, pierson_moskowitz, 1.0, 4.0);
    const SeaParameters sea = integrate_spectrum(grid, action.data());
    ASSERT_FALSE(sea.calm);
    EXPECT_NEAR(sea.m0 / (a / (4.0 * b)), 1.0, 2e-3);
    EXPECT_NEAR(sea.significant_height, 4.0 * std::sqrt(a / (4.0 * b)), 2e-3 * sea.significant_height);
    EXPECT_NEAR(sea.mean_period_m01, 1.0 / (std::tgamma(0.75) * std::pow(b, 0.25)), 0.02);
    EXPECT_NEAR(sea.mean_period_m02, 1.0 / std::sqrt(std::sqrt(base::pi * b)), 0.02);
    EXPECT_NEAR(sea.energy_period, std::tgamma(1.25) / std::pow(b, 0.25), 0.02);
    EXPECT_NEAR(sea.peak_period, 1.0 / std::pow(0.8 * b, 0.25), 0.03);
}

// D ~ cos²ˢ(θ/2): mean direction is the centre, r = s/(s+1), spread √(2(1−r)).
TEST(Integrals, DirectionAndSpreadOfTheCosineFormAreAnalytic) {
    const SpectralGrid grid(40, 72, 0.03, 1.1);
    for (double mean : {0.0, 1.3, -2.9}) {
        const auto action = make_action(grid, pierson_moskowitz, mean, 8.0);
        const SeaParameters sea = integrate_spectrum(grid, action.data());
        EXPECT_NEAR(std::remainder(sea.mean_direction - mean, base::two_pi), 0.0, 1e-5);
        EXPECT_NEAR(std::remainder(sea.peak_direction - mean, base::two_pi), 0.0, 1e-5);
        EXPECT_NEAR(sea.directional_spread, std::sqrt(2.0 / 9.0), 1e-4);
    }
}

TEST(Integrals, NoWavesMeansCalm) {
    const SpectralGrid grid(10, 12, 0.05, 1.1);
    const std::vector<Real> action(grid.stride(), Real(0));
    EXPECT_TRUE(integrate_spectrum(grid, action.data()).calm);
    CellSituation cell;
    EXPECT_EQ(find_field("tp").value(cell), fill_value);
    EXPECT_EQ(find_field("hs").value(cell), 0.0f);
}

// The height asked for comes back from the bins, the bearing and spread from the moments, the period from the
// peak.
TEST(ParametricSea, IntegralsReturnWhatWasAskedFor) {
    const SpectralGrid grid(60, 72, 0.03, 1.06);
    std::vector<Real> action(grid.stride());
    const ParametricSea wanted{3.0, 11.0, 225.0, 25.0, 3.3};
    fill_spectrum(grid, wanted, 1.0, action.data());
    const SeaParameters sea = integrate_spectrum(grid, action.data());
    EXPECT_NEAR(sea.significant_height, 3.0, 1e-5);
    EXPECT_NEAR(sea.peak_period, 11.0, 0.15);
    EXPECT_NEAR(bearing_from(sea.mean_direction), 225.0, 0.01);
    EXPECT_NEAR(sea.directional_spread / base::degree, 25.0, 0.1);
    fill_spectrum(grid, wanted, 0.5, action.data());
    EXPECT_NEAR(integrate_spectrum(grid, action.data()).significant_height, 1.5, 1e-5);
}

// Waves travelling east come from the west (270°), travelling north from the south (180°).
TEST(Fields, BearingsFollowTheNauticalConvention) {
    EXPECT_DOUBLE_EQ(bearing_from(0.0), 270.0);
    EXPECT_DOUBLE_EQ(bearing_from(base::pi / 2), 180.0);
    EXPECT_DOUBLE_EQ(bearing_from(base::pi), 90.0);
    for (double bearing : {0.0, 33.0, 271.0, 359.9})
        EXPECT_NEAR(bearing_from(direction_to(bearing)), bearing, 1e-9);
}

}  // namespace
}  // namespace groundswell::sea
