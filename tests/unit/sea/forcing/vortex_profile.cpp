#include "groundswell/sea/forcing/storm/vortex_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

namespace groundswell::sea {
namespace {

const RoundStorm typhoon = {55.0, 30e3, 7000.0, 5e-5};
const RoundStorm weak_storm = {17.5, 40e3, 900.0, 5e-5};
const std::vector<WindAtRadius> far_winds = {{70e3, 31.0}, {110e3, 24.0}, {250e3, 16.3}};

TEST(SeaForcingVortexProfile, TheStrongestWindIsAtTheRadiusOfMaximumWind) {
    for (const RoundStorm& storm : {typhoon, weak_storm})
        for (auto profile : {VortexProfile::holland2010, VortexProfile::holland1980}) {
            const VortexWind wind(profile, storm, {});
            EXPECT_NEAR(wind.speed(storm.radius_max_wind), storm.max_wind, 1e-9);
            EXPECT_EQ(wind.speed(0.0), 0.0);
            for (double r = 1e3; r < 0.95 * storm.radius_max_wind; r += 1e3)
                EXPECT_LE(wind.speed(r), wind.speed(r + 1e3)) << r;
            for (double r = 1.05 * storm.radius_max_wind; r < 1e6; r += 1e3)
                EXPECT_LE(wind.speed(r + 1e3), wind.speed(r)) << r;
        }
}

// Holland et al. (2010), eqs. 5-7 as printed: v = [b dp (R/r)^b / (rho exp((R/r)^b))]^x, b = rho e v^2/dp.
TEST(SeaForcingVortexProfile, IsThatOfThePaper) {
    const double b = 1.15 * std::exp(1.0) * 55.0 * 55.0 / 7000.0;
    const auto paper = [&](double r, double x) {
        const double power = std::pow(30e3 / r, b);
        return std::pow(b * 7000.0 * power / (1.15 * std::exp(power)), x);
    };
    const VortexWind plain(VortexProfile::holland2010, typhoon, {});
    EXPECT_NEAR(plain.shape(), b, 1e-12);
    for (double r : {10e3, 20e3, 30e3, 60e3, 200e3}) EXPECT_NEAR(plain.speed(r), paper(r, 0.5), 1e-9);
    // Their eq. 10: the exponent that meets one observed wind. Here it holds all the way from R.
    const double power = std::pow(30e3 / 250e3, b);
    const double x = std::log(55.0 / 16.3) / (power - 1.0 - std::log(power));
    const VortexWind fitted(VortexProfile::holland2010, typhoon, std::span(far_winds).last(1));
    const double of_units = std::pow(b * 7000.0 / (1.15 * std::exp(1.0)), x - 0.5);  // v_m^(2x) to v_m
    for (double r : {60e3, 150e3, 250e3}) EXPECT_NEAR(fitted.speed(r), paper(r, x) / of_units, 1e-9) << r;
}

TEST(SeaForcingVortexProfile, MeetsTheWindsThatAreKnownAndFallsBetweenAndBeyond) {
    for (std::size_t first = 0; first < far_winds.size(); ++first) {
        const std::span<const WindAtRadius> known(far_winds.data() + first, far_winds.size() - first);
        const VortexWind wind(VortexProfile::holland2010, typhoon, known);
        for (const WindAtRadius& w : known) EXPECT_NEAR(wind.speed(w.radius), w.speed, 1e-9);
        for (double r = 31e3; r < 1e6; r += 1e3) EXPECT_LT(wind.speed(r + 1e3), wind.speed(r)) << r;
    }
    // However close to each other they are, the outer wind falls between r^-0.7 and r^-1.3.
    for (double speed : {16.0, 17.0, 30.9}) {
        const WindAtRadius close[] = {{200e3, 31.0}, {220e3, speed}};
        const VortexWind wind(VortexProfile::holland2010, typhoon, close);
        const double decay = std::log(wind.speed(400e3) / wind.speed(800e3)) / std::log(2.0);
        EXPECT_GT(decay, 0.7);
        EXPECT_LT(decay, 1.3);
    }
}

// V^2/r + f V = (1/rho) dp/dr with p = pc + dp exp(-(R/r)^B), V the wind at the top of the boundary layer.
TEST(SeaForcingVortexProfile, Holland1980IsInGradientBalance) {
    for (const RoundStorm& storm : {typhoon, weak_storm}) {
        const VortexWind wind(VortexProfile::holland1980, storm, {});
        const auto pressure = [&](double r) {
            return wind.pressure_deficit() * std::exp(-std::pow(storm.radius_max_wind / r, wind.shape()));
        };
        for (double r = 10e3; r < 500e3; r *= 1.3) {
            const double v = wind.speed(r) / surface_wind_ratio;
            const double slope = (pressure(r + 1.0) - pressure(r - 1.0)) / 2.0 / storm_air_density;
            EXPECT_NEAR(v * v / r + storm.coriolis * v, slope, 1e-6 * slope + 1e-9) << r;
        }
    }
}

TEST(SeaForcingVortexProfile, TheInflowAngleGrowsTo25Degrees) {
    EXPECT_EQ(inflow_angle(0.0, 25.0), 0.0);
    EXPECT_NEAR(inflow_angle(1.0, 25.0), 10.0, 1e-12);
    EXPECT_NEAR(inflow_angle(1.1, 25.0), 17.5, 1e-9);
    EXPECT_NEAR(inflow_angle(1.2, 25.0), 25.0, 1e-9);
    EXPECT_EQ(inflow_angle(10.0, 25.0), 25.0);
}

}  // namespace
}  // namespace groundswell::sea
