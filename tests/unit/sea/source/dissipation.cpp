#include <gtest/gtest.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "groundswell/sea/source/formulas/swell_dissipation.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using test::OneCell;
using test::only;
using test::usual_grid;

// Puts Hs metres of swell into one frequency, cos² around east.
void fill_swell(OneCell& cell, int frequency, double height) {
    const auto n = static_cast<std::size_t>(frequency);
    for (int j = 0; j < cell.grid.directions; ++j) {
        const double c = std::max(cell.grid.cosine[static_cast<std::size_t>(j)], 0.0);
        cell.set_energy(frequency, j,
                        height * height / 16 * c * c * 2 / base::pi / cell.grid.frequency_width[n]);
    }
}

TEST(SeaSourceBottomFriction, DecaysAtTheRateOfTheJonswapFormula) {
    // E(t) = E(0) exp(-Γ/g² σ²/sinh²(kd) t)
    const double depth = 8.0, duration = 3600.0;
    for (const int i : {0, 8, 15}) {
        OneCell cell(usual_grid(), only({"bottom_friction"}), depth);
        fill_swell(cell, i, 1.0);
        const double before = cell.energy(i, 0);
        ASSERT_TRUE(cell.run(duration, 300.0));
        const auto n = static_cast<std::size_t>(i);
        const double sigma = cell.grid.sigma[n], k = sea::wave_number(sigma, depth);
        const double rate = 0.038 * std::pow(sigma / (base::gravity * std::sinh(k * depth)), 2);
        EXPECT_NEAR(cell.energy(i, 0) / before, std::exp(-rate * duration), 2e-5) << "frequency " << i;
    }
}

TEST(SeaSourceBottomFriction, IsNothingInDeepWater) {
    OneCell cell(usual_grid(), only({"bottom_friction"}), 3000.0);
    fill_swell(cell, 0, 1.0);
    const std::vector<sea::Real> before = cell.action;
    ASSERT_TRUE(cell.step(300.0));
    EXPECT_NEAR(cell.energy(0, 0), before[0] * cell.grid.sigma[0], 1e-6 * cell.energy(0, 0));
}

TEST(SeaSourceBreaking, ShareOfBreakersSolvesItsEquation) {
    // (1 - Q)/ln Q = -b² (Battjes & Janssen 1978)
    for (const double ratio : {0.1, 0.3, 0.5, 0.8, 0.95}) {
        const double share = sea::breaking_share(ratio);
        ASSERT_GT(share, 0.0);
        ASSERT_LT(share, 1.0);
        EXPECT_NEAR((1 - share) / std::log(share), -ratio, 1e-6) << "b² " << ratio;
    }
    EXPECT_EQ(sea::breaking_share(1.2), 1.0);
    EXPECT_EQ(sea::breaking_share(0.01), 0.0);
}

TEST(SeaSourceBreaking, HoldsWavesNearTheHeightThatDepthAllows) {
    const double depth = 4.0;
    OneCell cell(usual_grid(), only({"breaking"}), depth);
    fill_swell(cell, 8, 8.0);
    ASSERT_TRUE(cell.run(600.0, 300.0));
    // Hs = √2 Hrms, Hrms below Hm = 0.73 d; and breaking slows down long before the sea is flat.
    EXPECT_LT(cell.height(), 0.75 * std::sqrt(2.0) * 0.73 * depth);
    EXPECT_GT(cell.height(), 0.25 * 0.73 * depth);
}

TEST(SeaSourceBreaking, DoesNotDependOnTheStep) {
    OneCell once(usual_grid(), only({"breaking"}), 4.0);
    fill_swell(once, 8, 5.0);
    OneCell often = OneCell(usual_grid(), only({"breaking"}), 4.0);
    often.action = once.action;
    ASSERT_TRUE(once.run(300.0, 300.0));
    ASSERT_TRUE(often.run(300.0, 5.0));
    EXPECT_NEAR(once.height(), often.height(), 0.02 * often.height());
}

TEST(SeaSourceWhitecapping, BeginsAtTheSaturationThreshold) {
    // An isotropic sea: B = k³cg/(2π) E ∫_{-80°}^{80°} cos² = k³cg/(2π) E (Δ + ½ sin 2Δ).
    const double half = 80 * base::degree, integral = half + 0.5 * std::sin(2 * half);
    OneCell cell(sea::SpectralGrid(35, 120, 0.04177, 1.1), only({"whitecapping"}), 5000.0);
    const int i = 20;
    const double k = cell.wave_number[i], sigma = cell.grid.sigma[i];
    const double unit = 2 * base::pi / (std::pow(k, 3) * cell.group_speed[i] * integral);
    const auto rate = [&](double saturation) {
        for (int j = 0; j < cell.grid.directions; ++j) cell.set_energy(i, j, saturation * unit);
        cell.evaluate("whitecapping");
        return cell.derivative(i, 5);
    };
    EXPECT_EQ(rate(0.99 * 9e-4), 0.0);
    // Far above, S/E = C σ (B/Br - 1)² in all directions.
    EXPECT_NEAR(rate(5 * 9e-4), -2.2e-5 * sigma * 16, 0.02 * 2.2e-5 * sigma * 16);
    EXPECT_NEAR(cell.source(i, 5), cell.derivative(i, 5) * cell.energy(i, 5),
                1e-4 * std::abs(cell.source(i, 5)));
}

TEST(SeaSourceWhitecapping, CumulativeTermWipesOutShortWavesUnderLongBreakers) {
    // Compared with the double sum |c - c'| Λ over breakers, bin by bin.
    sea::PhysicsOptions options = only({"whitecapping"});
    options.tune("ww3");
    for (const int directions : {36, 25}) {
        OneCell with(sea::SpectralGrid(35, directions, 0.04177, 1.1), options, 5000.0);
        OneCell without(with.grid, only({"whitecapping"}), 5000.0);
        sea::fill_wind_sea(with.grid, {5e3}, 15.0, 1.0, with.action.data());
        without.action = with.action;
        with.evaluate("whitecapping");
        without.evaluate("whitecapping");
        const int nd = directions, i = 32, gap = 5;  // nint(0.5/(1.1 - 1)) frequencies
        const auto saturation = [&](int m, int j) {
            return static_cast<double>(
                with.workspace.saturation[static_cast<std::size_t>(m * with.package->grid().lanes + j)]);
        };
        for (const int j : {0, 6, 20, nd - 1}) {
            double rate = 0;
            for (int m = 0; m <= i - gap; ++m) {
                double most = 0;
                for (int l = 0; l < nd; ++l) most = std::max(most, saturation(m, l));
                if (most <= 9e-4) continue;
                const auto n = static_cast<std::size_t>(m);
                const double c = with.grid.sigma[i] / with.wave_number[i],
                             o = with.grid.sigma[n] / with.wave_number[n];
                for (int l = 0; l < nd; ++l) {
                    const double excess = std::max(std::sqrt(saturation(m, l)) - 0.03, 0.0);
                    const double speed = std::sqrt(std::max(
                        c * c + o * o - 2 * c * o * std::cos((j - l) * with.grid.direction_width), 0.0));
                    rate += -0.40344 * 28.16 / (2 * base::pi * base::pi) * speed * excess * excess *
                            with.grid.sigma[n] / with.group_speed[n] * std::log(1.1) *
                            with.grid.direction_width;
                }
            }
            ASSERT_LT(rate, 0.0);
            EXPECT_NEAR(with.derivative(i, j) - without.derivative(i, j), rate, 1e-3 * std::abs(rate) + 1e-8)
                << directions << " directions, direction " << j;
        }
    }
}

TEST(SeaSourceSwell, WithoutWindASwellOnlyDecays) {
    OneCell cell(usual_grid(), sea::PhysicsOptions{}, 5000.0);
    fill_swell(cell, 6, 2.0);
    double before = cell.height();
    for (int hour = 0; hour < 24; ++hour) {
        ASSERT_TRUE(cell.run(3600.0, 300.0));
        EXPECT_LT(cell.height(), before);
        before = cell.height();
    }
    EXPECT_GT(before, 1.0);
}

TEST(SeaSourceSwell, WavewatchTakesTheVarianceForTheLengthInTheReynoldsNumber) {
    // Waves of 2 m: half the height is 1 m, 2 m0 half of that, so the layer of air is less turbulent and the
    // decay weaker.
    const auto rate = [](double exponent) {
        sea::PhysicsOptions options = only({"wind_input"});
        options.set("swell_reynolds_exponent", exponent);
        OneCell cell(usual_grid(), options, 5000.0);
        fill_swell(cell, 12, 2.0);
        cell.evaluate("wind_input");
        return cell.derivative(12, 0);
    };
    EXPECT_LT(rate(0.5), 1.1 * rate(1.0));
    EXPECT_LT(rate(1.0), 0.0);
}

TEST(SeaSourceSwell, SteepSwellDecaysAsObservedAcrossOceans) {
    // Ardhuin, Chapron & Collard (2009, doi:10.1029/2008GL037030): spatial decay rates up to 3.7e-7 m⁻¹ for
    // steep swells, and much less for low ones.
    const auto decay_per_metre = [](double height) {
        OneCell cell(usual_grid(), only({"wind_input"}), 5000.0);
        const int i = 6;  // 0.074 Hz
        fill_swell(cell, i, height);
        cell.evaluate("wind_input");
        return -cell.derivative(i, 0) / cell.group_speed[i];
    };
    EXPECT_GT(decay_per_metre(4.0), 0.5e-7);
    EXPECT_LT(decay_per_metre(4.0), 6e-7);
    EXPECT_LT(decay_per_metre(0.3), 0.2 * decay_per_metre(4.0));
}

TEST(SeaSourceSwell, FrictionFactorIsThatOfAnOscillatoryBoundaryLayer) {
    // Grant & Madsen (1979): f = 0.08/(ker² + kei²)(2√ζ), ζ = 1/(21.2 κ a √f). For small argument x
    // ker x = -ln(x/2) - 0.5772 and kei x = -π/4 (Abramowitz & Stegun 1964, 9.9.12).
    const sea::SwellDissipation swell(sea::PhysicsOptions{});
    for (const double amplitude : {1e4, 1e5, 3e6, 9e7}) {
        double factor = 0.01;
        for (int i = 0; i < 200; ++i) {
            const double zeta = 1 / (21.2 * 0.4 * amplitude * std::sqrt(factor));
            const double ker = -std::log(std::sqrt(zeta)) - 0.57721566;
            factor = 0.5 * (factor + 0.08 / (ker * ker + base::pi * base::pi / 16));
        }
        EXPECT_NEAR(swell.friction_factor(amplitude), factor, 0.005 * factor) << amplitude;
    }
    // Rougher for its amplitude: more friction; beyond the table's ends it stays.
    EXPECT_GT(swell.friction_factor(3.0), 2 * swell.friction_factor(100.0));
    EXPECT_EQ(swell.friction_factor(0.1), swell.friction_factor(1.9));
}

}  // namespace
}  // namespace groundswell
