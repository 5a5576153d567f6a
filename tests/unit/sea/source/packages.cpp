#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "groundswell/base/constants.hpp"
#include "support/one_cell.hpp"

// Terms of the packages beside the first one, and those that a case may have in place of others.

namespace groundswell {
namespace {

using test::OneCell;
using test::only;
using test::usual_grid;

constexpr double deep = 5000.0;

sea::PhysicsOptions package(const char* name, const char* tuning = nullptr) {
    sea::PhysicsOptions options;
    options.choose(name);
    if (tuning != nullptr) options.tune(tuning);
    return options;
}

double total(const OneCell& cell, const std::function<double(int, int)>& value) {
    double sum = 0;
    for (int i = 0; i < cell.grid.frequencies; ++i) {
        const double width = cell.grid.frequency[static_cast<std::size_t>(i)] * std::log(cell.grid.ratio);
        for (int j = 0; j < cell.grid.directions; ++j) sum += value(i, j) * width * cell.grid.direction_width;
    }
    return sum;
}

TEST(SeaSourceWindSnyder, GrowsWithWhatTheWindIsFasterThanTheWaves) {
    // 0.25 ρa/ρw (28 u*/c cos θ - 1) σ with u*² = (0.8 + 0.065 U)·10⁻³ U² (Komen et al. 1984; Wu 1982)
    OneCell cell(usual_grid(), only({"wind_snyder"}), deep);
    cell.set_wind(15.0, 0.0);
    for (int i = 0; i < 35; ++i)
        for (int j = 0; j < 36; ++j) cell.set_energy(i, j, 1e-3);
    cell.evaluate("wind_snyder");
    const double u = 15.0 * std::sqrt((0.8 + 0.065 * 15.0) * 1e-3);
    EXPECT_NEAR(cell.state.friction_velocity, u, 1e-5);
    for (const int i : {2, 12, 30}) {
        for (const int j : {0, 4, 18}) {
            const double sigma = cell.grid.sigma[static_cast<std::size_t>(i)];
            const double over_speed = cell.wave_number[static_cast<std::size_t>(i)] / sigma;
            const double along = std::cos(10 * base::degree * j);
            const double rate = 0.25 * 1.225e-3 * std::max(28.0 * u * over_speed * along - 1.0, 0.0) * sigma;
            EXPECT_NEAR(cell.derivative(i, j), rate, 1e-4 * rate + 1e-10) << i << ", " << j;
        }
    }
}

TEST(SeaSourceWhitecapping, BySteepnessIsThatOfADevelopedSeaAtTheReference) {
    // Of a spectrum of Pierson and Moskowitz k̄² m0 is 3.02e-3 by its definition, so that the rate is -C σ̄ k/k̄.
    OneCell cell(sea::SpectralGrid(60, 24, 0.03, 1.07), only({"whitecapping_steepness"}), deep);
    std::vector<double> rates;
    for (int i = 0; i < 60; ++i) {
        const double density =
            sea::jonswap(cell.grid.frequency[static_cast<std::size_t>(i)], 0.1, 0.0081, {30e3, 0.3, 1.0});
        for (int j = 0; j < 24; ++j) cell.set_energy(i, j, density / (2 * base::pi));
    }
    for (const double share : {0.5, 1.0}) {  // the square of the energy
        for (sea::Real& action : cell.action) action *= static_cast<sea::Real>(share);
        cell.evaluate("whitecapping_steepness");
        rates.push_back(cell.derivative(30, 3));
        for (sea::Real& action : cell.action) action /= static_cast<sea::Real>(share);
    }
    EXPECT_NEAR(rates[0] / rates[1], 0.25, 1e-4);
    const sea::SeaCell& mean = cell.workspace.sea;
    const double k = mean.mean_wave_number;
    EXPECT_NEAR(k * k * mean.variance, 3.02e-3, 0.03 * 3.02e-3);
    for (const int i : {15, 30, 50}) {
        const double rate =
            2.36e-5 * 2 * base::pi * mean.mean_frequency * cell.wave_number[static_cast<std::size_t>(i)] / k;
        EXPECT_NEAR(cell.derivative(i, 3), -rate, 0.06 * rate) << i;
    }
}

TEST(SeaSourceWhitecapping, OfWavesAboveAThresholdAndOfShorterOnesAmongThem) {
    // E_T = 2π 0.035²/(cg k³): below it nothing breaks; at twice of it x = 1, the rate a1 f, and all shorter waves lose at a2 Δf/2.
    OneCell cell(usual_grid(), only({"whitecapping_threshold"}), deep);
    const int i = 20;
    const double k = cell.wave_number[i], f = cell.grid.frequency[i];
    const double threshold = 2 * base::pi * 0.035 * 0.035 / (cell.group_speed[i] * k * k * k);
    const auto fill = [&](double share) {
        for (int j = 0; j < 36; ++j) cell.set_energy(i, j, share * threshold / (2 * base::pi));
        cell.evaluate("whitecapping_threshold");
    };
    fill(0.99);
    EXPECT_EQ(cell.derivative(i, 0), 0.0);
    EXPECT_EQ(cell.derivative(i + 5, 0), 0.0);
    fill(2.0);
    const double longer = 7.0e-5 * 0.5 * cell.grid.frequency_width[i];
    EXPECT_EQ(cell.derivative(i - 1, 0), 0.0);
    EXPECT_NEAR(cell.derivative(i, 0), -(4.75e-6 * f + longer), 1e-3 * longer);
    EXPECT_NEAR(cell.derivative(i + 8, 0), -longer, 1e-3 * longer);
}

TEST(SeaSourceWindDonelan, WavesTakeNoMoreStressThanTheWindGives) {
    for (const double wind : {5.0, 12.0, 25.0, 40.0, 60.0}) {
        OneCell cell(usual_grid(), only({"wind_donelan"}), deep);
        cell.set_wind(wind, 0.4);
        for (int i = 0; i < 35; ++i) {  // far too steep, all around
            const double k = cell.wave_number[static_cast<std::size_t>(i)];
            for (int j = 0; j < 36; ++j)
                cell.set_energy(i, j, 0.05 / (k * k * k * cell.group_speed[static_cast<std::size_t>(i)]));
        }
        cell.evaluate("wind_donelan");
        const double u = cell.state.friction_velocity;
        const double viscous = std::min(std::max(1.1e-3 - 5e-5 * wind, 0.0) * wind * wind, 0.95 * u * u);
        const double x = cell.state.wave_stress_x + viscous * std::cos(0.4);
        const double y = cell.state.wave_stress_y + viscous * std::sin(0.4);
        EXPECT_NEAR(std::hypot(x, y), u * u, 1e-4 * u * u) << wind;  // all of it is taken
        // The growth of what it has found takes that much, but for waves beyond the grid.
        double taken = 0;
        for (int i = 0; i < 35; ++i) {
            const auto n = static_cast<std::size_t>(i);
            for (int j = 0; j < 36; ++j) {
                const double s = std::max(cell.source(i, j), 0.0) * cell.wave_number[n] / cell.grid.sigma[n];
                taken += s * std::cos(cell.grid.direction[static_cast<std::size_t>(j)] - 0.4) *
                         cell.grid.frequency_width[n] * cell.grid.direction_width;
            }
        }
        taken *= base::gravity / 1.225e-3;
        EXPECT_LT(taken, 1.0001 * (u * u - viscous)) << wind;
        EXPECT_GT(taken, 0.3 * (u * u - viscous)) << wind;
    }
}

TEST(SeaSourceWindDonelan, WavesAgainstTheWindAndFasterOnesDecayByAFewHundredths) {
    // a0 √B (w²) (2.8 - …) against √B w² (…): 0.09 of the growth at the same |w|.
    OneCell cell(usual_grid(), only({"wind_donelan"}), deep);
    cell.set_wind(10.0, 0.0);
    const double u = 10.0 * std::sqrt((8.058 + 9.67 - 1.6) * 1e-4);
    const int i = 18;
    for (int j = 0; j < 36; ++j) cell.set_energy(i, j, 1e-5);
    cell.evaluate("wind_donelan");
    EXPECT_NEAR(cell.state.friction_velocity, u, 1e-5);
    const double sigma = cell.grid.sigma[i], k = cell.wave_number[i];
    const double root = std::sqrt(k * k * k * cell.group_speed[i] / (2 * base::pi) * 1e-5);
    const auto growth = [&](double w) {
        return 1.225e-3 * sigma * root * w * w * (2.8 - (1 + std::tanh(10 * root * w * w - 11)));
    };
    const double w = 32.0 * u * k / sigma;
    EXPECT_GT(w, 1.0);
    EXPECT_NEAR(cell.derivative(i, 0), growth(w - 1), 1e-3 * growth(w - 1));
    EXPECT_NEAR(cell.derivative(i, 18), -0.09 * growth(w + 1), 1e-3 * growth(w + 1));
    EXPECT_NEAR(cell.derivative(i, 9), -0.09 * growth(1), 1e-3 * growth(1));
}

TEST(SeaSourceBottomFriction, OfARoughBedIsThatOfWavesOfOneKind) {
    // U and a of one frequency: rate f_w U/√2 σ²/(g sinh² kd), and Jonsson's equation holds.
    const double depth = 6.0, height = 0.8, rough = 0.05;
    OneCell cell(usual_grid(), only({"bottom_friction_madsen"}), depth);
    const int i = 9;
    const double variance = height * height / 16;
    for (int j = 0; j < 36; ++j)
        cell.set_energy(i, j, variance / cell.grid.frequency_width[i] / (2 * base::pi));
    cell.evaluate("bottom_friction_madsen");
    const double sigma = cell.grid.sigma[i], sinh = std::sinh(cell.wave_number[i] * depth);
    const double root = std::sqrt(variance) / sinh, speed = sigma * root, amplitude = std::sqrt(2.0) * root;
    const double factor =
        cell.workspace.decay[i] * base::gravity * sinh * sinh / (sigma * sigma * speed / std::sqrt(2.0));
    const double x = 1.0 / (4.0 * std::sqrt(factor));
    EXPECT_GT(amplitude / rough, 1.57);
    EXPECT_NEAR(x + std::log10(x), -0.08 + std::log10(amplitude / rough), 1e-3);
}

TEST(SeaSourceBreaking, OfThorntonAndGuzaHoldsWavesBelowTheDepthsShareInAnyStep) {
    const auto after = [](double height, double step) {
        OneCell cell(usual_grid(), only({"breaking_thornton"}), 4.0);
        for (int j = 0; j < 36; ++j)
            cell.set_energy(8, j, height * height / 16 / cell.grid.frequency_width[8] / (2 * base::pi));
        EXPECT_TRUE(cell.run(600.0, step));
        return cell.height();
    };
    // Hs = √2 Hrms; Hrms of breakers is 0.42 d.
    EXPECT_LT(after(8.0, 300.0), std::sqrt(2.0) * 0.42 * 4.0);
    EXPECT_GT(after(8.0, 300.0), 0.1 * 4.0);
    EXPECT_NEAR(after(3.0, 300.0), after(3.0, 5.0), 0.03 * after(3.0, 5.0));
    EXPECT_NEAR(after(0.2, 300.0), 0.2, 1e-3);
}

TEST(SeaSourceBreaking, OfThorntonAndGuzaLetsHeightsFallWithTheDepthOfABeach) {
    // They found Hrms = 0.42 d in the inner surf zone. Energy flux along a beach of 1 in 50: d(cg m0)/dx = -rate m0.
    const int i = 6;  // 0.074 Hz
    const double slope = 0.02, dx = 2.0;
    double flux = 0;
    for (double depth = 8.0; depth > 0.99; depth -= slope * dx) {
        OneCell cell(usual_grid(), only({"breaking_thornton"}), depth);
        const double speed = cell.group_speed[i];
        if (flux == 0) flux = speed * 1.0 * 1.0 / 16;  // Hs of 1 m
        const double variance = flux / speed;
        for (int j = 0; j < 36; ++j)
            cell.set_energy(i, j, variance / cell.grid.frequency_width[i] / (2 * base::pi));
        cell.evaluate("breaking_thornton", 1e-3);
        flux -= cell.workspace.decay[i] * variance * dx;
        if (depth < 1.2) {
            EXPECT_NEAR(std::sqrt(8 * variance) / depth, 0.42, 0.12) << depth;
        }
    }
}

TEST(SeaSourceTriads, FeedTheSecondHarmonicWithWhatTheFirstOneLoses) {
    for (const double ratio : {1.1, 1.07}) {
        OneCell cell(sea::SpectralGrid(40, 24, 0.04177, ratio), only({"triads"}), 2.5);
        const int i = 12;
        for (int row = i - 1; row <= i + 1; ++row)
            for (int j = 0; j < 6; ++j) cell.set_energy(row, j, 0.5);
        cell.evaluate("triads");
        const auto source = [&](int row, int j) { return cell.source(row, j); };
        const double moved = total(cell, [&](int row, int j) { return std::abs(source(row, j)); });
        ASSERT_GT(moved, 0.0);
        EXPECT_LT(std::abs(total(cell, source)), 1e-5 * moved);
        const int second = i + static_cast<int>(std::lround(std::log(2.0) / std::log(ratio)));
        EXPECT_LT(source(i, 2), 0.0);
        EXPECT_GT(source(second, 2), 0.0);
        EXPECT_EQ(source(second, 12), 0.0);  // no waves in that direction
        EXPECT_EQ(source(i - 6, 2), 0.0);
    }
    OneCell ocean(usual_grid(), only({"triads"}), 200.0);
    sea::fill_wind_sea(ocean.grid, {}, 20.0, 0.0, ocean.action.data());
    ocean.evaluate("triads");
    EXPECT_EQ(total(ocean, [&](int i, int j) { return std::abs(ocean.source(i, j)); }), 0.0);
}

TEST(SeaSourceTriads, DoNotRunAwayInAStormOverABar) {
    sea::PhysicsOptions options = package("wam3");
    options.terms.push_back("triads");
    OneCell cell(usual_grid(), options, 2.0);
    sea::fill_wind_sea(cell.grid, {500e3}, 25.0, 0.0, cell.action.data());
    cell.set_wind(25.0, 0.0);
    ASSERT_TRUE(cell.run(6 * 3600.0, 300.0));
    EXPECT_LT(cell.height(), 0.8 * 2.0);
    EXPECT_GT(cell.height(), 0.2 * 2.0);
}

TEST(SeaSourceSwell, OfTurbulenceInTheWaterDecaysAsObservedAcrossOceans) {
    // Ardhuin, Chapron & Collard (2009, doi:10.1029/2008GL037030): spatial decay rates up to 3.7e-7 m⁻¹ for steep swells, much less for low
    // ones; and by itself dE/dt ∝ E².
    const auto decay_per_metre = [](double height) {
        OneCell cell(usual_grid(), only({"swell_turbulence"}), deep);
        const int i = 6;
        for (int j = 0; j < 36; ++j) {
            const double c = std::max(cell.grid.cosine[static_cast<std::size_t>(j)], 0.0);
            cell.set_energy(i, j, height * height / 16 * c * c * 2 / base::pi / cell.grid.frequency_width[i]);
        }
        cell.evaluate("swell_turbulence");
        return cell.workspace.decay[i] / cell.group_speed[i];
    };
    EXPECT_GT(decay_per_metre(4.0), 0.3e-7);
    EXPECT_LT(decay_per_metre(4.0), 6e-7);
    EXPECT_NEAR(decay_per_metre(4.0) / decay_per_metre(2.0), 4.0, 0.01);
}

TEST(SeaSourcePackages, EachHasOneTermOfAKindAndItsTuningsStayInRange) {
    for (const char* name : {"st4", "wam3", "wam4", "st6"}) {
        for (const std::string& tuning : sea::physics_tunings(name)) {
            const sea::PhysicsOptions options = package(name, tuning.c_str());
            for (const sea::Coefficient& c : sea::physics_coefficients()) {
                EXPECT_GE(options[c], c.minimum) << name << ", " << tuning << ": " << c.name;
                EXPECT_LE(options[c], c.maximum) << name << ", " << tuning << ": " << c.name;
            }
        }
    }
}

TEST(SeaSourcePackages, NothingBecomesNegativeAndDragIsBoundedInAnyWind) {
    for (const char* name : {"wam3", "wam4", "st6"}) {
        for (const std::string& tuning : sea::physics_tunings(name)) {
            for (const double wind : {0.0, 3.0, 15.0, 30.0, 65.0}) {
                OneCell cell(usual_grid(), package(name, tuning.c_str()), wind == 15.0 ? 3.0 : deep);
                cell.set_wind(wind, 0.0);
                for (int step = 0; step < 36; ++step) {
                    if (step == 18) cell.set_wind(wind, 2.5);  // it turns against the waves
                    ASSERT_TRUE(cell.step(600.0)) << name << ", " << wind;
                    for (const sea::Real action : cell.action)
                        ASSERT_GE(action, 0.0f) << name << ", " << wind;
                }
                const double drag = std::pow(cell.state.friction_velocity / std::max(wind, 0.1), 2);
                EXPECT_LT(drag, 5.7e-3) << name << ", " << tuning << ", " << wind;
                EXPECT_GT(drag, 0.7e-3) << name << ", " << tuning << ", " << wind;
            }
        }
    }
}

}  // namespace
}  // namespace groundswell
