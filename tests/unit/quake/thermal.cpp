// Heat of slip in a Gaussian zone: at constant power there is a closed form, at any other one its convolution.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "groundswell/quake/fault/laws/ageing.hpp"
#include "groundswell/quake/fault/thermal.hpp"

namespace groundswell::quake {
namespace {

constexpr double capacity = 2.7e6, response = 1e5;

struct Warm {
    double temperature = 0.0, pressure = 0.0;
};

// Steps of different lengths, as between the times of a rule.
Warm after(double width, double fluid, double thermal, double power, double seconds, int steps) {
    const ThermalNumbers numbers{thermal, capacity, response};
    const double parameter[thermal_parameters] = {width, fluid};
    std::vector<double> memory(thermal_values);
    Warm warm;
    for (int i = 0; i < steps; ++i)
        heat(numbers, parameter, 1, seconds / steps * (i % 2 == 0 ? 0.5 : 1.5), power, memory.data(),
             warm.temperature, warm.pressure);
    return warm;
}

// ∫ q / √(2π (w² + 2 α s)) ds, with power q over capacity.
double spread(double width, double diffusivity, double seconds) {
    return 2.0 * seconds /
           (std::sqrt(2.0 * std::numbers::pi) *
            (std::sqrt(width * width + 2.0 * diffusivity * seconds) + width));
}

// Λ (α_h S_h − α_t S_t) / (α_h − α_t), with S of the two diffusivities, is the pressure.
Warm closed_form(double width, double fluid, double thermal, double power, double seconds) {
    const double rate = power / capacity, of_heat = spread(width, thermal, seconds);
    return {rate * of_heat, response * rate * (fluid * spread(width, fluid, seconds) - thermal * of_heat) /
                                (fluid - thermal)};
}

TEST(Thermal, ConstantHeatingOfAGaussianZoneIsAsItsClosedForm) {
    constexpr double power = 3e7, thermal = 1e-6;
    for (const double width : {1e-3, 0.02, 1.0}) {
        for (const double fluid : {2e-7, 2e-6, 4e-4, 1.0}) {
            for (const double seconds : {1e-4, 0.1, 20.0}) {
                const Warm warm = after(width, fluid, thermal, power, seconds, 20);
                const auto [temperature, pressure] = closed_form(width, fluid, thermal, power, seconds);
                EXPECT_NEAR(warm.temperature, temperature, 5e-4 * temperature) << width << ' ' << seconds;
                EXPECT_NEAR(warm.pressure, pressure, 5e-4 * pressure)
                    << width << ' ' << fluid << ' ' << seconds;
            }
        }
    }
}

TEST(Thermal, WhatIsHeatedNoMoreCoolsAndLosesItsPressure) {
    const ThermalNumbers numbers{1e-6, capacity, response};
    const double parameter[thermal_parameters] = {0.01, 1e-3};
    std::vector<double> memory(thermal_values);
    double temperature = 0.0, pressure = 0.0;
    const auto go = [&](double seconds, double power) {
        heat(numbers, parameter, 1, seconds, power, memory.data(), temperature, pressure);
    };
    go(2.0, 1e7);
    go(100.0, 0.0);
    const Warm late = closed_form(0.01, 1e-3, 1e-6, 1e7, 102.0),
               early = closed_form(0.01, 1e-3, 1e-6, 1e7, 100.0);
    EXPECT_NEAR(temperature, late.temperature - early.temperature, 1e-3 * temperature);
    EXPECT_NEAR(pressure, late.pressure - early.pressure, 1e-3 * pressure);
    EXPECT_LT(pressure, 0.1 * response * temperature);
    // One step is as many: amplitudes decay exactly.
    const double once = temperature;
    std::vector<double> again(thermal_values);
    memory = again;
    for (int i = 0; i < 50; ++i) go(0.04, 1e7);
    for (int i = 0; i < 50; ++i) go(2.0, 0.0);
    EXPECT_NEAR(temperature, once, 1e-9 * once);
}

}  // namespace
}  // namespace groundswell::quake
