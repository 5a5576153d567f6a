// Friction laws at one point under given stress, against their differential equations; and at rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "groundswell/quake/fault/laws/laws.hpp"

namespace groundswell::quake {
namespace {

constexpr double eta = 4.6e6, seconds = 0.5;
using Stress = std::function<double(double time)>;

// One point of a fault that bears `shear` where it is locked, pressed by `pressure`.
struct OnePoint {
    std::vector<double> parameter, of_fault;
    std::vector<double> state = std::vector<double>(kept_states);
    double normal = -120e6, shear = 0.0, rate = 0.0, scratch = 0.0, smoothing = 1.0;
    FrictionScheme scheme = {};

    Slipping<double> at(double time, double length) {
        return {1,       time,     length,           1.0 / eta,       eta,
                &normal, &shear,   parameter.data(), of_fault.data(), state.data(),
                &rate,   &scratch, &smoothing,       scheme};
    }
};

// What a law has after so many sub-steps: slip, slip rate, state.
template <class Law>
std::vector<double> after(OnePoint point, const Stress& shear, int steps, int state) {
    point.shear = shear(0.0);
    Law::start(point.at(0.0, 0.0));
    point.state[rate_strike] = point.rate;
    const double length = seconds / steps;
    double slip = 0.0;
    for (int i = 0; i < steps; ++i) {
        point.shear = shear((i + 1) * length);
        Law::slip(point.at(i * length, length));
        point.state[rate_strike] = point.rate;
        slip += point.rate * length;
    }
    return {slip, point.rate, point.state[state]};
}

// Sub-steps are of first order: from two lengths follows the limit, and that they tend to it.
template <class Law>
void expect_limit(const OnePoint& point, const Stress& shear, int state, const std::vector<double>& expected,
                  double tolerance = 1e-6) {
    const auto coarse = after<Law>(point, shear, 20000, state), fine = after<Law>(point, shear, 40000, state);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(2.0 * fine[i] - coarse[i], expected[i], tolerance * std::abs(expected[i])) << i;
        EXPECT_NEAR(fine[i], expected[i], 1e-2 * std::abs(expected[i])) << i;
    }
}

// Slip and state by the classical method of Runge and Kutta: change(time, {slip, state}) and then the slip rate at the end.
std::vector<double> integrate(double state, const std::function<double(double time, double state)>& rate,
                              const std::function<double(double rate, double state)>& change) {
    constexpr int steps = 10000;
    constexpr double length = seconds / steps;
    double slip = 0.0, t = 0.0;
    for (int i = 0; i < steps; ++i, t += length) {
        const double v1 = rate(t, state), k1 = change(v1, state);
        const double v2 = rate(t + 0.5 * length, state + 0.5 * length * k1);
        const double k2 = change(v2, state + 0.5 * length * k1);
        const double v3 = rate(t + 0.5 * length, state + 0.5 * length * k2);
        const double k3 = change(v3, state + 0.5 * length * k2);
        const double v4 = rate(t + length, state + length * k3), k4 = change(v4, state + length * k3);
        slip += length / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        state += length / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return {slip, rate(t, state), state};
}

// The slip rate at which friction and impedance bear the shear, by halving.
double balance(double shear, const std::function<double(double rate)>& friction) {
    double low = -100.0, high = std::log(shear / eta);
    for (int i = 0; i < 70; ++i) {
        const double x = 0.5 * (low + high);
        (shear - eta * std::exp(x) > friction(std::exp(x)) ? low : high) = x;
    }
    return std::exp(low);
}

double growing_shear(double time) {
    return 75e6 + 20e6 * time;
}

TEST(Friction, SlipWeakeningGrowsAsItsExponentialSays) {
    OnePoint point;
    point.parameter = {0.6, 0.5, 2.0, 1e6, 1e30};
    point.of_fault = {0.0, 0.0};
    const double first = (75e6 - 1e6 - 0.6 * 120e6) / eta, growth = 0.1 * 120e6 / (2.0 * eta);
    const double slip = first / growth * std::expm1(growth * seconds);
    expect_limit<LinearSlipWeakening>(point, [](double) { return 75e6; }, LinearSlipWeakening::weakening_slip,
                                      {slip, first * std::exp(growth * seconds), slip});
    // All of its slip done, it bears what dynamic friction does.
    point.parameter[LinearSlipWeakening::slip_distance] = 1e-3;
    const auto later = after<LinearSlipWeakening>(
        point, [](double) { return 75e6; }, 2000, friction);
    EXPECT_NEAR(later[1], (75e6 - 1e6 - 0.5 * 120e6) / eta, 1e-9);
}

TEST(Friction, SlipThatItsProjectionMakesNegativeIsDroppedOrWeakens) {
    OnePoint point;
    point.parameter = {0.6, 0.5, 2.0, 0.0, 1e30};
    point.of_fault = {0.0, 0.0};
    point.smoothing = -1.0;  // the projection turns all slip round
    const auto weak = [](double) { return 75e6; };
    EXPECT_EQ(after<LinearSlipWeakening>(point, weak, 100, friction)[2], 0.6);
    point.scheme.negative_slip = NegativeSlip::weakens;
    EXPECT_LT(after<LinearSlipWeakening>(point, weak, 100, friction)[2], 0.59);
}

TEST(Friction, ForcedRuptureWeakensWithTimeAlone) {
    OnePoint point;
    point.parameter = {0.6, 0.5, 0.4, 0.0, 0.2};
    point.of_fault = {0.4, 0.0};
    const auto held = [](double) { return 1e6; };
    EXPECT_NEAR(after<LinearSlipWeakening>(point, held, 1000, friction)[2], 0.6 - 0.1 * 0.3 / 0.4, 1e-12);
    point.of_fault = {0.0, 0.0};
    EXPECT_EQ(after<LinearSlipWeakening>(point, held, 1000, friction)[2], 0.5);
    point.parameter[LinearSlipWeakening::forced_time] = 0.51;
    EXPECT_EQ(after<LinearSlipWeakening>(point, held, 1000, friction)[2], 0.6);
}

TEST(Friction, StrengthBetweenTwoMaterialsFollowsPressureWithADelay) {
    OnePoint point;
    point.parameter = {0.6, 0.6, 0.4, 0.0, 1e30};
    point.of_fault = {0.0, 0.0, 1.0, 0.01};
    point.shear = 1e6;
    BimaterialSlipWeakening::start(point.at(0.0, 0.0));
    point.normal = -60e6;
    // It holds, so that what is left falls as exp(-V* t / L).
    for (int i = 0; i < 100; ++i) BimaterialSlipWeakening::slip(point.at(0.0, 1e-4));
    EXPECT_NEAR(point.state[BimaterialSlipWeakening::delayed_strength],
                0.6 * (60e6 + 60e6 * std::exp(-1.0 * 1e-2 / 0.01)), 1.0);
    EXPECT_EQ(point.rate, 0.0);
}

// η dS/dt = τ − σ μ(S).
template <class Law>
void expect_curve(const std::vector<double>& of_fault,
                  const std::function<double(double slip)>& friction_after) {
    OnePoint point;
    point.parameter = {0.6, 0.5, 2.0, 0.0, 1e30};
    point.of_fault = of_fault;
    const auto expected = integrate(
        0.0, [&](double, double slip) { return (75e6 - 120e6 * friction_after(slip)) / eta; },
        [](double rate, double) { return rate; });
    expect_limit<Law>(
        point, [](double) { return 75e6; }, Law::weakening_slip, expected);
}
TEST(Friction, ExponentialsAndPowersOfSlipWeakenAsTheirEquationsSay) {
    expect_curve<ExponentialSlipWeakening>(
        {0.0, 0.0}, [](double slip) { return 0.5 + 0.1 * std::pow(0.05, slip / 2.0); });
    expect_curve<PowerLawSlipWeakening>(
        {0.0, 0.0, 0.25}, [](double slip) { return 0.5 + 0.1 / std::pow(1.0 + slip / 2.0, 0.25); });
}

TEST(Friction, VelocityWeakeningFollowsItsEquations) {
    constexpr double first = 0.6, a = 0.02, b = 0.15, distance = 0.3, slow = 0.2;
    OnePoint point;
    point.parameter = {first, a, b, distance};
    point.of_fault = {slow};
    const auto rate = [&](double t, double psi) {
        return balance(growing_shear(t), [&](double v) {
            return 120e6 * (first + a * v / (v + slow) - b * psi / (psi + distance));
        });
    };
    const auto expected =
        integrate(0.0, rate, [&](double v, double psi) { return v - psi * slow / distance; });
    EXPECT_GT(expected[0], distance);
    expect_limit<VelocityWeakening>(point, growing_shear, VelocityWeakening::state_variable, expected);
    // At rest the state fades within its time.
    point.state[VelocityWeakening::state_variable] = 0.1;
    point.shear = 1e6;
    for (int i = 0; i < 100; ++i) VelocityWeakening::slip(point.at(0.0, 0.01));
    EXPECT_EQ(point.rate, 0.0);
    EXPECT_NEAR(point.state[VelocityWeakening::state_variable], 0.1 * std::exp(-slow / distance), 1e-12);
}

// Slips, comes to rest under less stress, and is then as strong as before; a place that never slipped fast enough is not.
template <class Law>
void expect_healing(std::vector<double> of_fault) {
    OnePoint point;
    point.parameter = {0.6, 0.5, 0.1, 0.0, 1e30};
    point.of_fault = std::move(of_fault);
    const auto friction_at_rest = [&](double heals) {
        OnePoint of = point;
        of.of_fault[Law::healing_rate] = heals;
        const auto drive = [&](double shear, int steps) {
            of.shear = shear;
            for (int i = 0; i < steps; ++i) {
                Law::slip(of.at(0.0, 1e-3));
                of.state[peak_rate] = std::max(of.state[peak_rate], of.rate);
            }
        };
        Law::start(of.at(0.0, 0.0));
        drive(75e6, 300);
        EXPECT_GT(of.rate, 0.5);
        EXPECT_LT(of.state[friction], 0.58);
        drive(50e6, 10);
        EXPECT_EQ(of.rate, 0.0);
        return of.state[friction];
    };
    EXPECT_LT(friction_at_rest(0.0), 0.58) << Law::name;
    EXPECT_EQ(friction_at_rest(0.01), 0.6) << Law::name;
    EXPECT_LT(friction_at_rest(50.0), 0.58) << Law::name;
}
TEST(Friction, WhatHasSlippedHealsWhenItComesToRestIfAsked) {
    expect_healing<LinearSlipWeakening>({0.0, 0.0});
    expect_healing<ExponentialSlipWeakening>({0.0, 0.0});
    expect_healing<PowerLawSlipWeakening>({0.0, 0.0, 1.0 / 3.0});
    expect_healing<BimaterialSlipWeakening>({0.0, 0.0, 1.0, 0.01});
}

// Against the convolution of Yoffe's own slip with the triangle, by the rule of midpoints.
TEST(ImposedSlip, RegularisedYoffeIsYoffeUnderATriangle) {
    const double number[] = {0.8, 0.15};
    const auto yoffe = [&](double t) {
        const double x = std::asin(std::sqrt(std::clamp(t / number[0], 0.0, 1.0)));
        return (2.0 * x + std::sin(2.0 * x)) / std::numbers::pi;
    };
    constexpr int steps = 20000;
    for (const double time : {0.01, 0.1, 0.2, 0.3, 0.5, 0.79, 0.9, 1.05}) {
        double sum = 0.0;
        for (int i = 0; i < steps; ++i) {
            const double s = (i + 0.5) / steps * 2.0;  // in half-widths
            sum += 2.0 / steps * (1.0 - std::abs(s - 1.0)) * yoffe(time - s * number[1]);
        }
        EXPECT_NEAR(YoffeGrowth::grown(time, {number}), sum, 1e-6) << time;
    }
    EXPECT_EQ(YoffeGrowth::grown(0.0, {number}), 0.0);
    EXPECT_EQ(YoffeGrowth::grown(1.1, {number}), 1.0);
}

template <class Law>
void expect_given_slip(const std::vector<double>& growth) {
    OnePoint point;
    point.parameter = {0.3, -0.4, 0.05};
    point.parameter.insert(point.parameter.end(), growth.begin(), growth.end());
    double given[2] = {}, slip[2] = {}, largest = 0.0;
    for (int i = 0; i < 77; ++i) {
        auto s = point.at(0.01 * i, 0.01);
        s.along = given;
        Law::slip(s);
        for (int c = 0; c < 2; ++c) slip[c] += 0.01 * given[c];
        EXPECT_NEAR(point.rate, std::hypot(given[0], given[1]), 1e-12);
        largest = std::max(largest, point.rate);
    }
    EXPECT_NEAR(slip[0], 0.3, 1e-12) << Law::name;
    EXPECT_NEAR(slip[1], -0.4, 1e-12) << Law::name;
    EXPECT_GT(largest, 0.5) << Law::name;
}
TEST(ImposedSlip, AllOfItIsDone) {
    expect_given_slip<ImposedYoffe>({0.5, 0.1});
    expect_given_slip<ImposedGaussian>({0.5});
    expect_given_slip<ImposedDelta>({});
}

// What `proxy` times is a fault that slips: within the ranges of the case file, and weakening.
TEST(Friction, EachLawHasASampleThatItWouldTakeFromACase) {
    for (const LawDescription& law : friction_laws()) {
        std::vector<double> sample;
        for (const LawParameter& number : law.at_places) {
            EXPECT_GE(number.sample, number.least) << law.name << ' ' << number.name;
            EXPECT_LE(number.sample, number.most) << law.name << ' ' << number.name;
            sample.push_back(number.sample);
        }
        const StressedPlace at{{sample.data()}, -120e6, 70e6};
        EXPECT_FALSE(law.objection(at)) << law.name;
        EXPECT_TRUE(law.weakening(at).goes_on) << law.name;
        if (law.slip_until != nullptr) continue;  // whatever the stress
        EXPECT_GT(law.weakening(at).before, law.weakening(at).after) << law.name;
    }
}

// At the start a law that creeps bears what acts, and one that sticks no more than its weakening begins with.
template <class... Law>
void expect_strength_at_rest(LawList<Law...>) {
    const auto of = []<class One>(One*) {
        if (imposes_slip<One>) return;
        OnePoint point;
        for (const LawParameter& number : One::at_places) point.parameter.push_back(number.sample);
        for (const LawParameter& number : One::of_fault) point.of_fault.push_back(number.sample);
        point.shear = 70e6;
        One::start(point.at(0.0, 0.0));
        const PointNumbers<double> parameter{point.parameter.data()}, state{point.state.data()};
        const StressedPlace place{parameter, point.normal, point.shear};
        EXPECT_NEAR(One::strength(parameter, state, -point.normal), One::weakening(place).before, 1e-3)
            << One::name;
    };
    (of(static_cast<Law*>(nullptr)), ...);
}
TEST(Friction, StrengthAtRestIsThatFromWhichItFalls) {
    expect_strength_at_rest(FrictionLaws{});
}

struct RateStateCase {
    double a = 0.008, b = 0.012, distance = 0.02, initial = 1e-12, reference = 1e-6, friction = 0.6;
};

TEST(Friction, AgeingAndSlipLawsFollowTheirEquations) {
    const RateStateCase c;
    OnePoint point;
    point.parameter = {c.a, c.b, c.distance, c.initial};
    point.of_fault = {c.reference, c.friction};
    point.shear = growing_shear(0.0);
    // 75 MPa over 120 MPa at the initial slip rate (the benchmark TPV101 of the SCEC/USGS community).
    RateAndState<Ageing>::start(point.at(0.0, 0.0));
    const double at_rest = point.state[RateAndState<Ageing>::state_variable];
    EXPECT_NEAR(at_rest, 1606238999.213, 1e-3);
    const auto rate = [&](double t, double psi) {
        return balance(growing_shear(t), [&](double v) {
            const double exponent = (c.friction + c.b * std::log(c.reference * psi / c.distance)) / c.a;
            return 120e6 * c.a * AsinhOfExp(std::log(v / (2.0 * c.reference)) + exponent).value;
        });
    };
    const auto stress = [](double t) { return growing_shear(t); };
    const auto ageing =
        integrate(at_rest, rate, [&](double v, double psi) { return 1.0 - v * psi / c.distance; });
    expect_limit<RateAndState<Ageing>>(point, stress, RateAndState<Ageing>::state_variable, ageing);
    const auto slip = integrate(at_rest, rate, [&](double v, double psi) {
        return -v * psi / c.distance * std::log(v * psi / c.distance);
    });
    expect_limit<RateAndState<SlipLaw>>(point, stress, RateAndState<SlipLaw>::state_variable, slip);
    point.scheme.evolution = StateEvolution::two_stage;
    expect_limit<RateAndState<Ageing>>(point, stress, RateAndState<Ageing>::state_variable, ageing);
    expect_limit<RateAndState<SlipLaw>>(point, stress, RateAndState<SlipLaw>::state_variable, slip);
}

TEST(Friction, FastWeakeningFollowsItsEquation) {
    OnePoint point;
    point.parameter = {0.01, 0.014, 0.4, 0.1, 0.2, 1e-16};
    point.of_fault = {1e-6, 0.6};
    const auto stress = [](double t) { return 75e6 + 120e6 * t; };
    point.shear = stress(0.0);
    RateAndState<FastWeakening>::start(point.at(0.0, 0.0));
    const double at_rest = point.state[RateAndState<FastWeakening>::state_variable];
    const auto parameter = [&](int which) { return point.parameter[which]; };
    const auto rate = [&](double t, double psi) {
        return balance(stress(t), [&](double v) {
            return 120e6 * 0.01 * AsinhOfExp(std::log(v / 2e-6) + psi / 0.01).value;
        });
    };
    const auto expected = integrate(at_rest, rate, [&](double v, double psi) {
        return -v / 0.4 * (psi - FastWeakening::steady(parameter, point.of_fault.data(), v));
    });
    EXPECT_GT(expected[1], 0.3);  // it has become fast
    expect_limit<RateAndState<FastWeakening>>(point, stress, RateAndState<FastWeakening>::state_variable,
                                              expected);
}

TEST(Friction, AtRestTheSlipRateStaysAsItWas) {
    OnePoint point;
    point.parameter = {0.008, 0.012, 0.02, 1e-12};
    point.of_fault = {1e-6, 0.6};
    const auto held = [](double) { return 75e6; };
    const auto later = after<RateAndState<Ageing>>(point, held, 1000, friction);
    // The state has aged by half a second of its fifty years.
    EXPECT_NEAR(later[1], 1e-12, 1e-18);
    EXPECT_NEAR(later[2] * 120e6, 75e6, 1e-3);
    point.shear = 0.0;
    point.rate = 0.0;
    const auto nothing = after<RateAndState<Ageing>>(
        point, [](double t) { return t > 0.0 ? 0.0 : 75e6; }, 10, friction);
    EXPECT_LT(nothing[1], 1e-40);
}

TEST(Friction, FormulasDoNotOverflow) {
    EXPECT_NEAR(AsinhOfExp(1000.0).value, 1000.0 + std::log(2.0), 1e-9);
    EXPECT_NEAR(AsinhOfExp(-1000.0).value, 0.0, 1e-300);
    for (const double x : {-3.0, -0.1, 0.0, 0.1, 3.0}) {
        EXPECT_NEAR(AsinhOfExp(x).value, std::asinh(std::exp(x)), 1e-14);
        EXPECT_NEAR(AsinhOfExp(x).slope, std::exp(x) / std::hypot(1.0, std::exp(x)), 1e-14);
    }
    EXPECT_NEAR(log_sinh(1000.0), 1000.0 - std::log(2.0), 1e-9);
    EXPECT_NEAR(log_sinh(0.5), std::log(std::sinh(0.5)), 1e-14);
}

}  // namespace
}  // namespace groundswell::quake
