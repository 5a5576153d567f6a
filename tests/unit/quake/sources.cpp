// How sources act in time, and the tensor of slip on a plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/basis/quadrature.hpp"
#include "groundswell/quake/source/point/acting.hpp"
#include "groundswell/quake/source/point/point_source.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::quake;

std::vector<std::unique_ptr<TimeFunction>> all_functions() {
    std::vector<std::unique_ptr<TimeFunction>> all;
    all.push_back(gaussian(1.0, 0.1));
    all.push_back(ricker(1.0, 3.0));
    all.push_back(brune(0.5, 0.1));
    all.push_back(step(0.7));
    all.push_back(sampled(0.4, 0.1, {0.0, 2.0, 5.0, 3.0, 0.0}));
    return all;
}

TEST(QuakeSources, NothingIsLostBetweenSteps) {
    for (const auto& function : all_functions()) {
        double sum = 0.0;
        for (int i = 0; i < 37; ++i) sum += moments_of(*function, 3.0 * i / 37, 3.0 * (i + 1) / 37, 3)[0];
        EXPECT_NEAR(sum, function->integral(3.0) - function->integral(0.0), 1e-14);
    }
}

TEST(QuakeSources, IntegralsAreThoseOfTheRates) {
    const double pi = std::numbers::pi;
    EXPECT_NEAR(gaussian(1.0, 0.1)->integral(1.0), 0.5, 1e-15);
    EXPECT_NEAR(gaussian(1.0, 0.1)->integral(9.0), 1.0, 1e-15);
    EXPECT_NEAR(brune(0.5, 0.1)->integral(9.0), 1.0, 1e-15);
    EXPECT_EQ(brune(0.5, 0.1)->integral(0.5), 0.0);
    EXPECT_NEAR(ricker(1.0, 3.0)->integral(9.0), 0.0, 1e-15);
    EXPECT_NEAR(sampled(0.4, 0.1, {0.0, 2.0, 5.0, 3.0, 0.0})->integral(9.0), 1.0, 1e-15);
    // Slopes of the integrals, against the rates as they are written.
    const auto slope = [](const TimeFunction& f, double t) {
        return (f.integral(t + 1e-5) - f.integral(t - 1e-5)) / 2e-5;
    };
    for (const double t : {0.83, 0.97, 1.21}) {
        const double a = (t - 1.0) / 0.1, b = std::pow(pi * 3.0 * (t - 1.0), 2);
        EXPECT_NEAR(slope(*gaussian(1.0, 0.1), t), std::exp(-0.5 * a * a) / (0.1 * std::sqrt(2.0 * pi)),
                    1e-6);
        EXPECT_NEAR(slope(*ricker(1.0, 3.0), t), (1.0 - 2.0 * b) * std::exp(-b), 1e-6);
        EXPECT_NEAR(slope(*brune(0.5, 0.1), t), (t - 0.5) / 0.01 * std::exp(-(t - 0.5) / 0.1), 1e-6);
    }
    EXPECT_NEAR(slope(*sampled(0.4, 0.1, {0.0, 2.0, 5.0, 3.0, 0.0}), 0.55), 3.5, 1e-6);
}

TEST(QuakeSources, MomentsAreThoseOfTheRate) {
    // ∫ (end − t)ᵏ / k! over a rate that grows in a straight line, t from 0 to 2: 2ᵏ⁺² / (k + 2)!.
    const auto line = sampled(0.0, 4.0, {0.0, 4.0});
    const auto moments = moments_of(*line, 0.0, 2.0, 5);
    for (int k = 0; k <= 5; ++k)
        EXPECT_NEAR(moments[k], std::pow(2.0, k + 2) / std::tgamma(k + 3.0), 1e-14) << k;
}

TEST(QuakeSources, SamplesWithinAStepAreIntegratedExactly) {
    // A triangle that rises to 1 and falls within a step of 1: ∫ (1 − t)ᵏ / k! over both its halves, by hand.
    const auto triangle = sampled(0.25, 0.25, {0.0, 1.0, 0.0});
    const auto moments = moments_of(*triangle, 0.0, 1.0, 4);
    for (int k = 0; k <= 4; ++k) {
        const auto power = [&](double x) { return std::pow(x, k + 2) / std::tgamma(k + 3.0); };
        EXPECT_NEAR(moments[k], 4.0 * (power(0.75) - 2.0 * power(0.5) + power(0.25)), 1e-15) << k;
    }
    // The same in pieces of any length: the source is silent outside.
    double sum = 0.0;
    for (int i = 0; i < 17; ++i) sum += moments_of(*triangle, i / 17.0, (i + 1) / 17.0, 4)[0];
    EXPECT_NEAR(sum, 0.25, 1e-15);
    EXPECT_LE(triangle->begin(), 0.25);
    EXPECT_GE(triangle->end(), 0.75);
}

TEST(QuakeSources, FirstMomentsAreThoseOfTheRates) {
    for (const auto& function : all_functions()) {
        // ∫ t g = ∫ (end G(end) − G) by parts, with the trapezoidal rule.
        constexpr int count = 200000;
        double sum = 0.0;
        for (int i = 0; i < count; ++i) sum += function->integral(6.0 * (i + 0.5) / count) * 6.0 / count;
        EXPECT_NEAR(function->first_moment(), 6.0 * function->integral(6.0) - sum, 2e-5);
    }
}

// Each time function as samples of itself, whose energy a transform tells by frequency.
TEST(QuakeSources, ReachIsWhereTheSpectrumEnds) {
    const auto sampled_reach = [](const TimeFunction& f, double end) {
        constexpr int count = 3000;
        std::vector<double> rate;
        for (int i = 0; i < count; ++i)
            rate.push_back(f.integral(end * (i + 0.5) / count) - f.integral(end * (i - 0.5) / count));
        return sampled(0.0, end / count, rate)->highest_frequency();
    };
    EXPECT_NEAR(sampled_reach(*gaussian(2.0, 0.1), 40.0) / gaussian(2.0, 0.1)->highest_frequency(), 1.0,
                0.01);
    EXPECT_NEAR(sampled_reach(*ricker(2.0, 3.0), 40.0) / ricker(2.0, 3.0)->highest_frequency(), 1.0, 0.01);
    EXPECT_NEAR(sampled_reach(*brune(0.0, 0.1), 10.0) / brune(0.0, 0.1)->highest_frequency(), 1.0, 0.02);
    EXPECT_TRUE(std::isinf(step(0.0)->highest_frequency()));
    // A triangle of three samples, whose spectrum is sinc²: 0.99 of ∫ sinc⁴ lies below 0.6495 / half its base.
    EXPECT_NEAR(sampled(0.0, 0.5, {0.0, 1.0, 0.0})->highest_frequency(), 0.6495 / 0.5, 0.02);
    EXPECT_EQ(sampled(0.0, 0.5, {0.0, 0.0})->highest_frequency(), 0.0);
}

// By how much of a period the waves of what an element makes of a point are early or late, whichever way they leave it.
double shift(int order, const tetra::Point& place, double edges_per_wavelength) {
    const auto mass = tetrahedron_mass(order);
    const auto rule = tetrahedron_rule(order + 8);
    const auto here = tetrahedron_basis(order, place);
    const double number = 2.0 * std::numbers::pi / (std::numbers::sqrt2 * edges_per_wavelength);
    double worst = 0.0;
    for (const tetra::Point& way : {tetra::Point{1.0, 0.0, 0.0}, {0.6, -0.8, 0.0}, {0.0, 0.28, 0.96}}) {
        std::complex<double> sum = 0.0;
        for (std::size_t p = 0; p < rule.size(); ++p) {
            const auto there = tetrahedron_basis(order, rule.point[p]);
            double value = 0.0, along = 0.0;
            for (std::size_t k = 0; k < here.size(); ++k) value += here[k].value * there[k].value / mass[k];
            for (int j = 0; j < 3; ++j) along += way[j] * (rule.point[p][j] - place[j]);
            sum += rule.weight[p] * value * std::polar(1.0, -number * along);
        }
        worst = std::max(worst, std::abs(std::arg(sum)) / (2.0 * std::numbers::pi));
    }
    return worst;
}

TEST(QuakeSources, APointAtACornerIsInPlaceAsElementsBecomeSmall) {
    for (const int order : {3, 4, 5, 6}) {
        for (const tetra::Point& corner : {tetra::Point{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}) {
            const double coarse = shift(order, corner, 4.0), fine = shift(order, corner, 8.0);
            EXPECT_LT(fine, coarse / (0.75 * std::exp2(order))) << order;
            EXPECT_LT(shift(order, {0.25, 0.25, 0.25}, 4.0), 0.5 * coarse) << order;
        }
    }
}

TEST(QuakeSources, SlipOnAPlaneHasNoVolumeAndItsMoment) {
    for (const double strike : {0.0, 0.7, 4.0}) {
        for (const double dip : {0.2, 1.1, std::numbers::pi / 2}) {
            for (const double rake : {-1.3, 0.0, 2.0}) {
                const auto m = double_couple(5.0, strike, dip, rake);
                EXPECT_NEAR(m[0] + m[1] + m[2], 0.0, 1e-14);
                const double norm =
                    m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + 2.0 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5]);
                EXPECT_NEAR(norm, 2.0 * 25.0, 1e-12);
                // M = moment (s nᵀ + n sᵀ) with the normal n and the slip s in axes east, north, up.
                const double cs = std::cos(strike), ss = std::sin(strike), cd = std::cos(dip),
                             sd = std::sin(dip);
                const double n[3] = {cs * sd, -ss * sd, cd};
                const double along[3] = {ss, cs, 0.0}, up[3] = {-cs * cd, ss * cd, sd};
                double s[3];
                for (int i = 0; i < 3; ++i) s[i] = std::cos(rake) * along[i] + std::sin(rake) * up[i];
                constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
                for (int q = 0; q < 6; ++q) {
                    const auto [i, j] = pair[q];
                    EXPECT_NEAR(m[q], 5.0 * (s[i] * n[j] + n[i] * s[j]), 1e-13) << q;
                }
            }
        }
    }
}

// The energy is a quadratic form: its derivative along what a source adds is half the difference of two of its values.
TEST(QuakeSources, PowerIsHowTheEnergyOfTheFieldAnswers) {
    constexpr int order = 4;
    constexpr double volume = 3.0;
    const Material material{2700.0, 30e9, 32e9};
    const auto mass = tetrahedron_mass(order);
    std::vector<double> basis;
    for (const auto& phi : tetrahedron_basis(order, {0.2, 0.3, 0.1})) basis.push_back(phi.value);
    PointSource source;
    source.moment = {3e9, -2e9, 1e9, 4e9, -5e9, 2e9};
    source.force = {2e3, -1e3, 4e3};
    const auto effect = source.effect(material.density);
    std::mt19937_64 random(1);
    const auto value = [&] { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); };
    for (const std::vector<Mechanism>& mechanisms :
         {std::vector<Mechanism>{}, {{3.0, 2e9, 3e9}, {20.0, 1e9, 2e9}}}) {
        std::vector<double> state, memory;
        for (std::size_t i = 0; i < 9 * mass.size(); ++i) state.push_back((i % 9 < 6 ? 1e6 : 0.1) * value());
        for (std::size_t i = 0; i < 6 * mechanisms.size() * mass.size(); ++i)
            memory.push_back(1e-5 * value());
        // A source finds nothing that relaxes: dashpots are displaced by the strain that its stress makes of all springs.
        double lambda = material.lambda, mu = material.mu;
        for (const Mechanism& one : mechanisms) lambda -= one.lambda, mu -= one.mu;
        std::array<double, 6> strain;
        for (int i = 0; i < 6; ++i) {
            const double trace = i < 3 ? effect[0] + effect[1] + effect[2] : 0.0;
            strain[i] = (effect[i] - lambda / (3.0 * lambda + 2.0 * mu) * trace) / (2.0 * mu);
        }
        const auto energy_with = [&](double amount) {
            const Energy energy = energy_of(
                mass, material, mechanisms, volume,
                [&](int k, int q) {
                    return state[9 * k + q] + amount * effect[q] * basis[k] / (mass[k] * 6.0 * volume);
                },
                [&](int k, std::size_t l, int i) {
                    return memory[(mechanisms.size() * k + l) * 6 + i] +
                           amount * strain[i] * basis[k] / (mass[k] * 6.0 * volume);
                });
            return energy.kinetic + energy.elastic;
        };
        const double found =
            SourcePower(basis, effect, material, mechanisms)
                .now([&](std::size_t k, int q) { return state[9 * k + q]; },
                     [&](std::size_t k, std::size_t i) { return memory[6 * mechanisms.size() * k + i]; });
        constexpr double amount = 1e-3;
        const double expected = (energy_with(amount) - energy_with(-amount)) / (2.0 * amount);
        EXPECT_NEAR(found, expected, 1e-9 * std::abs(expected)) << mechanisms.size() << " mechanisms";
    }
}

}  // namespace
