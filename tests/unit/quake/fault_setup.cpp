// What acts on a fault at a place: frame and signs, weights, and the stress of two benchmarks by their own formulas.
#include "groundswell/quake/fault/setup.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {
namespace {

using Taper = FaultRegion::Taper;

ValueByDepth constant(double value) {
    return {{{0.0, value}}};
}

FaultEntry shear(double value) {
    FaultEntry entry;
    entry.stress[3] = constant(value);
    return entry;
}

FaultOptions options(const char* law, std::vector<FaultEntry> entries) {
    FaultOptions all;
    all.law = law;
    all.entries = std::move(entries);
    all.episodes = {{0.0, 1.0}};
    all.stated_at = "case.toml:7";
    return all;
}

// A law whose numbers are all given.
FaultOptions weakening(std::vector<FaultEntry> entries) {
    FaultEntry first;
    for (std::size_t i = 0; i < 3; ++i) first.parameter.emplace_back(i, constant(0.5));
    entries.insert(entries.begin(), first);
    return options("linear-slip-weakening", std::move(entries));
}

constexpr double stiff = 3e10;  // shear modulus, Pa

double shear_at(const FaultOptions& fault, const tetra::Point& place, double mu = stiff) {
    // The normal is along y: strike is x.
    return fault.at({place, frame_of({0.0, 1.0, 0.0}), mu, 3}).traction[1];
}

TEST(FaultSetup, FramesAreRightHandedAndDipGoesDown) {
    const double half = std::sqrt(0.5);
    for (const std::array<double, 3> n :
         {std::array{0.0, 1.0, 0.0}, std::array{0.0, -1.0, 0.0}, std::array{0.6, 0.0, 0.8},
          std::array{-0.6, 0.48, -0.64}, std::array{half, 0.0, -half}}) {
        const FaultFrame frame = frame_of(n);
        EXPECT_EQ(frame.strike[2], 0.0);
        EXPECT_LE(frame.dip[2], 0.0);
        double along = 0.0, down = 0.0, both = 0.0, size = 0.0;
        for (int i = 0; i < 3; ++i) {
            along += n[i] * frame.strike[i];
            down += n[i] * frame.dip[i];
            both += frame.strike[i] * frame.dip[i];
            size += frame.dip[i] * frame.dip[i];
        }
        EXPECT_NEAR(along, 0.0, 1e-15);
        EXPECT_NEAR(down, 0.0, 1e-15);
        EXPECT_NEAR(both, 0.0, 1e-15);
        EXPECT_NEAR(size, 1.0, 1e-15);
    }
    EXPECT_EQ(frame_of({0.0, 0.0, 1.0}).strike, (std::array{1.0, 0.0, 0.0}));
    EXPECT_EQ(frame_of({0.0, 1.0, 0.0}).strike, (std::array{1.0, 0.0, 0.0}));
    EXPECT_EQ(frame_of({0.0, 1.0, 0.0}).dip[2], -1.0);
}

TEST(FaultSetup, ATensorBecomesATractionWithItsSigns) {
    FaultEntry entry;
    entry.stress = {constant(-1e6), constant(-120e6), constant(-3e6),
                    constant(70e6), constant(5e6),    constant(7e6)};
    entry.traction[2] = constant(1e6);
    const auto point = weakening({entry}).at({{0.0, 0.0, 0.0}, frame_of({0.0, 1.0, 0.0}), stiff, 3});
    EXPECT_NEAR(point.traction[0], -120e6, 1e-6);
    EXPECT_NEAR(point.traction[1], 70e6, 1e-6);
    EXPECT_NEAR(point.traction[2], -5e6 + 1e6, 1e-6);  // σ_yz along −z, and what is given
}

TEST(FaultSetup, ValuesGoInStraightLinesAndKeepTheirEnds) {
    const ValueByDepth value{{{-10e3, 4.0}, {-2e3, 8.0}, {0.0, 6.0}}};
    EXPECT_EQ(value.at(-20e3), 4.0);
    EXPECT_EQ(value.at(-6e3), 6.0);
    EXPECT_EQ(value.at(-1e3), 7.0);
    EXPECT_EQ(value.at(1e3), 6.0);
}

// The stress of TPV33, as its description has it: it falls linearly over 10 km with the distance from a rectangle, and there
// is a bump with a cosine's flank where rupture begins.
TEST(FaultSetup, ABoxTapersAndABumpIsAdded) {
    FaultEntry background = shear(30e6);
    background.where.shape = FaultRegion::Shape::box;
    background.where.lowest = {-9800.0, -1e9, -8000.0};
    background.where.highest = {1100.0, 1e9, -2300.0};
    background.where.taper = Taper::linear;
    background.where.width = 10e3;
    FaultEntry bump = shear(3.15e6);
    bump.add = true;
    bump.where.shape = FaultRegion::Shape::sphere;
    bump.where.centre = {-6000.0, 0.0, -6000.0};
    bump.where.radius = 550.0;
    bump.where.taper = Taper::cosine;
    bump.where.width = 250.0;
    const FaultOptions fault = weakening({background, bump});
    for (const auto& [x, z] : {std::pair{-6000.0, -6000.0},
                               {-6000.0, -6700.0},
                               {-6600.0, -6100.0},
                               {0.0, -5000.0},
                               {-11000.0, -9500.0},
                               {3000.0, -100.0},
                               {2000.0, -8500.0}}) {
        const double beyond_x = x < -9800.0 ? -9800.0 - x : std::max(x - 1100.0, 0.0);
        const double beyond_z = z < -8000.0 ? -8000.0 - z : std::max(z + 2300.0, 0.0);
        const double radius = std::hypot(x + 6000.0, z + 6000.0);
        const double more = radius <= 550.0 ? 3.15e6
                            : radius <= 800.0
                                ? 1.575e6 * (1.0 + std::cos(std::numbers::pi * (radius - 550.0) / 250.0))
                                : 0.0;
        const double expected = 30e6 * (1.0 - std::min(1.0, std::hypot(beyond_x, beyond_z) / 10e3)) + more;
        EXPECT_NEAR(shear_at(fault, {x, 0.0, z}), expected, 1e-3) << x << ' ' << z;
    }
}

// Of TPV101: a bump of stress within 3 km, and an a that grows from 0.008 to 0.016 outside a box by the smooth boxcar.
TEST(FaultSetup, NucleationAndFrictionOfABenchmarkOfRateAndState) {
    FaultEntry all, inside, nucleation;
    for (const auto& [which, value] : {std::pair{0, 0.016}, {1, 0.012}, {2, 0.02}, {3, 1e-12}})
        all.parameter.emplace_back(which, constant(value));
    inside.parameter.emplace_back(0, constant(0.008));
    inside.where.shape = FaultRegion::Shape::box;
    inside.where.lowest = {-15e3, -1e9, -15e3};
    inside.where.highest = {15e3, 1e9, 15e3};
    inside.where.taper = Taper::boxcar;
    inside.where.width = 3e3;
    nucleation.nucleation_stress[3] = constant(25e6);
    nucleation.where.shape = FaultRegion::Shape::sphere;
    nucleation.where.centre = {0.0, 0.0, -7.5e3};
    nucleation.where.radius = 3e3;
    nucleation.where.taper = Taper::exponential;
    const FaultOptions fault = options("ageing", {all, inside, nucleation});
    const FaultFrame frame = frame_of({0.0, 1.0, 0.0});
    const auto boxcar = [](double x) {
        const double d = std::abs(x) - 15e3;
        return d <= 0.0 ? 1.0 : d >= 3e3 ? 0.0 : 0.5 * (1.0 + std::tanh(3e3 / (d - 3e3) + 3e3 / d));
    };
    for (const auto& [x, z] : {std::pair{0.0, -7.5e3},
                               {1000.0, -8000.0},
                               {2990.0, -7500.0},
                               {16.5e3, -7.5e3},
                               {16e3, -17e3},
                               {19e3, -1e3}}) {
        const auto point = fault.at({{x, 0.0, z}, frame, stiff, 3});
        const double r2 = x * x + (z + 7.5e3) * (z + 7.5e3);
        EXPECT_NEAR(point.nucleation[0].traction[1], r2 < 9e6 ? 25e6 * std::exp(r2 / (r2 - 9e6)) : 0.0, 1e-6);
        EXPECT_EQ(point.traction[1], 0.0);
        EXPECT_NEAR(point.parameter[0], 0.008 + 0.008 * (1.0 - boxcar(x) * boxcar(z)), 1e-15);
    }
}

TEST(FaultSetup, StressOfAReferenceRockIsInProportionToTheShearModulus) {
    FaultEntry everywhere = shear(60e6), patch = shear(10e6);
    everywhere.reference_shear_modulus = 2.0 * stiff;
    everywhere.nucleation_traction[2] = constant(4e6);
    patch.add = true;  // what it says is for any rock
    patch.where.shape = FaultRegion::Shape::sphere;
    patch.where.radius = 100.0;
    const FaultOptions fault = weakening({everywhere, patch});
    for (const double mu : {stiff, 0.25 * stiff}) {
        EXPECT_DOUBLE_EQ(shear_at(fault, {0.0, 0.0, 200.0}, mu), 30e6 * mu / stiff);
        EXPECT_DOUBLE_EQ(shear_at(fault, {0.0, 0.0, 0.0}, mu), 30e6 * mu / stiff + 10e6);
        EXPECT_DOUBLE_EQ(
            fault.at({{0.0, 0.0, 0.0}, frame_of({0.0, 1.0, 0.0}), mu, 3}).nucleation[0].traction[2],
            2e6 * mu / stiff);
        EXPECT_EQ(fault.at({{0.0, 0.0, 0.0}, frame_of({0.0, 1.0, 0.0}), mu, 3}).parameter[0], 0.5);
    }
}

TEST(FaultSetup, OutsideIsOneLessTheWeight) {
    FaultEntry entry = shear(1.0);
    entry.where.shape = FaultRegion::Shape::sphere;
    entry.where.radius = 100.0;
    entry.where.outside = true;
    const FaultOptions fault = weakening({entry});
    EXPECT_EQ(shear_at(fault, {0.0, 0.0, 99.0}), 0.0);
    EXPECT_EQ(shear_at(fault, {0.0, 0.0, 101.0}), 1.0);
}

TEST(FaultSetup, ANumberThatNobodyGivesIsAskedFor) {
    FaultEntry entry;
    entry.parameter.emplace_back(0, constant(0.6));
    try {
        options("linear-slip-weakening", {entry}).at({{1.0, 2.0, -3.0}, frame_of({0.0, 1.0, 0.0}), stiff, 3});
        FAIL();
    } catch (const base::Refusal& refusal) {
        EXPECT_STREQ(refusal.what(),
                     "case.toml:7: fault.set: dynamic_friction is not given at 1, 2, -3: expected a "
                     "[[fault.set]] that "
                     "gives it there");
    }
}

// Its numbers are standard deviations, within its region, and numbers of the law stay within their ranges.
TEST(FaultSetup, WhatIsRandomIsAddedWhereTheEntryHolds) {
    const auto random = std::make_shared<const RandomField>(RandomField::Numbers{3, 500.0, 0.75, 50.0});
    FaultEntry entry = shear(2e6), rest = shear(40e6);
    entry.add = true;
    entry.random = random;
    entry.where.shape = FaultRegion::Shape::sphere;
    entry.where.radius = 1000.0;
    entry.parameter.emplace_back(2, constant(-3.0));
    const FaultOptions fault = weakening({rest, entry});
    double least = 1.0;
    for (int i = 0; i < 50; ++i) {
        const tetra::Point at{20.0 * i, 0.0, -10.0 * i};
        const double value = random->at(at), inside = std::hypot(at[0], at[2]) < 1000.0 ? 1.0 : 0.0;
        const FaultPoint point = fault.at({at, frame_of({0.0, 1.0, 0.0}), stiff, 3});
        EXPECT_NEAR(point.traction[1], 40e6 + 2e6 * inside * value, 1e-3);
        EXPECT_NEAR(point.parameter[2], std::max(0.5 - 3.0 * inside * value, 1e-30), 1e-12);
        EXPECT_NEAR(fault.stress_at(at, stiff)[3], 40e6 + 2e6 * inside * value, 1e-3);
        least = std::min(least, point.parameter[2]);
    }
    EXPECT_EQ(least, 1e-30);
}

// Mohr's circle: at an angle a between the normal of a vertical fault and the most compressive stress, normal stress is
// (A + B)/2 + (A − B)/2 cos 2a and shear (A − B)/2 sin 2a.
TEST(FaultSetup, RegionalStressActsOnAFaultOfAnyStrikeAsMohrsCircleHasIt) {
    FaultOptions fault;
    fault.law = "linear-slip-weakening";
    FaultEntry entry;
    for (std::size_t i = 0; i < 3; ++i) entry.parameter.emplace_back(i, constant(0.5));
    const double a = -90e6, b = -30e6, azimuth = 25.0;
    entry.regional = RegionalStress{constant(a), constant(b), constant(-60e6), azimuth};
    fault.entries = {entry};
    for (const double strike : {0.0, 40.0, 115.0, 200.0}) {
        const double s = strike * std::numbers::pi / 180.0;
        // Normals to the right of the strike, seen from above, lie on the other side than those of a frame.
        const FaultFrame frame = frame_of({-std::cos(s), std::sin(s), 0.0});
        EXPECT_NEAR(frame.strike[0], std::sin(s), 1e-12);
        EXPECT_NEAR(frame.strike[1], std::cos(s), 1e-12);
        const FaultPoint point = fault.at({{0.0, 0.0, -5e3}, frame, stiff, 3});
        const double between = (strike - 90.0 - azimuth) * std::numbers::pi / 180.0;
        EXPECT_NEAR(point.traction[0], 0.5 * (a + b) + 0.5 * (a - b) * std::cos(2.0 * between), 1.0)
            << strike;
        EXPECT_NEAR(std::abs(point.traction[1]), std::abs(0.5 * (a - b) * std::sin(2.0 * between)), 1.0)
            << strike;
        EXPECT_NEAR(point.traction[2], 0.0, 1.0);
    }
    // Under pressure from north, faults that strike north-east are left-lateral, as the East Anatolian one: the side of the normal
    // goes back along strike.
    const double s = (azimuth + 30.0) * std::numbers::pi / 180.0;
    EXPECT_LT(fault.at({{0.0, 0.0, -5e3}, frame_of({-std::cos(s), std::sin(s), 0.0}), stiff, 3}).traction[1],
              0.0);
}

}  // namespace
}  // namespace groundswell::quake
