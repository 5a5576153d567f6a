#include <gtest/gtest.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/ice/blocking.hpp"
#include "groundswell/sea/ice/boundary_layer.hpp"
#include "groundswell/sea/ice/damping.hpp"
#include "groundswell/sea/ice/power_law.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"
#include "support/sea_propagation_case.hpp"

// Waves under ice decay by e^(-α x) on their way and by e^(-c α cg t) in time.
namespace groundswell::sea {
namespace {

using namespace test;

IceOptions with_form(IceForm form) {
    IceOptions options;
    options.form = form;
    options.eddy_viscosity = 0.05;
    return options;
}

TEST(SeaIce, ActionDecaysExponentiallyInTimeWhateverTheStep) {
    const SpectralGrid grid(5, 12, 0.05, 1.3);
    for (const IceForm form : {IceForm::power_law, IceForm::boundary_layer}) {
        const IceDamping ice(grid, with_form(form));
        std::vector<Real> action(grid.stride(), Real(1)), speed;
        const double depth = 60.0, concentration = 0.7, thickness = 1.2, time = 7200.0;
        for (const double sigma : grid.sigma)
            speed.push_back(static_cast<Real>(group_speed(sigma, wave_number(sigma, depth), depth)));
        for (const int steps : {1, 24}) {
            std::fill(action.begin(), action.end(), Real(1));
            for (int i = 0; i < steps; ++i)
                ice.apply(action.data(), {speed.data(), depth, concentration, thickness}, time / steps);
            for (int f = 0; f < grid.frequencies; ++f) {
                const double rate = concentration * ice.decay(f, depth, thickness) * speed[f];
                const double expected = std::exp(-rate * time);
                EXPECT_GT(rate, 0.0);
                for (int d = 0; d < grid.directions; ++d)
                    EXPECT_NEAR(action[grid.index(f, d)] / expected, 1.0, 1e-3) << f;
            }
        }
        std::fill(action.begin(), action.end(), Real(1));
        ice.apply(action.data(), {speed.data(), depth, 0.0, thickness}, time);
        EXPECT_EQ(action[0], Real(1));
    }
}

// Meylan et al. 2014: of waves of 10 s half the energy is left after 27 km.
TEST(SeaIce, ThePowerLawHasThePublishedReach) {
    EXPECT_NEAR(std::log(2.0) / ice_decay_power_law(0.1, 2.12e-3, 4.59e-2), 26.9e3, 0.1e3);
    EXPECT_NEAR(ice_decay_power_law(0.2, 1.0, 0.0) / ice_decay_power_law(0.1, 1.0, 0.0), 4.0, 1e-12);
    EXPECT_NEAR(ice_decay_power_law(0.2, 0.0, 1.0) / ice_decay_power_law(0.1, 0.0, 1.0), 16.0, 1e-12);
}

// Under a film without weight or stiffness: the oscillating boundary layer takes ½ ρ u² √(νσ/2) of ½ ρ g a² with u = a σ coth kd.
TEST(SeaIce, TheBoundaryLayerTakesWhatFrictionUnderAFilmDoes) {
    const double depth = 5000.0, viscosity = 0.02;
    for (const double sigma : {0.3, 0.6, 1.2}) {
        const double k = wave_number(sigma, depth), speed = group_speed(sigma, k, depth);
        const double rate = sigma * sigma / base::gravity * std::sqrt(0.5 * viscosity * sigma);
        EXPECT_NEAR(ice_decay_boundary_layer(sigma, depth, 1e-6, viscosity) * speed / rate, 1.0, 1e-4);
    }
}

TEST(SeaIce, WavesUnderIceObeyTheirDispersion) {
    const double depth = 20.0;
    for (const double h : {0.0, 0.3, 3.0})
        for (const double sigma : {0.3, 0.8, 2.0, 4.0}) {
            const double k = wave_number_under_ice(sigma, depth, h), m = 922.5 * h / 1025.0;
            const double b = 6e9 * h * h * h / (12.0 * 0.91 * 1025.0);
            const double left = sigma * sigma * (1.0 / std::tanh(k * depth) + k * m);
            EXPECT_NEAR((base::gravity * k + b * std::pow(k, 5)) / left, 1.0, 1e-9) << h << " " << sigma;
        }
    EXPECT_NEAR(wave_number_under_ice(0.7, depth, 0.0) / wave_number(0.7, depth), 1.0, 1e-6);
}

TEST(SeaIce, BlockingGoesContinuouslyFromAllToNothing) {
    double before = 1.0;
    for (double c = 0.0; c <= 1.0; c += 0.001) {
        const double share = share_through_ice(c, 0.25, 0.75);
        EXPECT_LE(share, before);
        EXPECT_LT(before - share, 0.0021);
        before = share;
    }
    EXPECT_EQ(share_through_ice(0.2, 0.25, 0.75), 1.0);
    EXPECT_NEAR(share_through_ice(0.5, 0.25, 0.75), 0.5, 1e-12);
    EXPECT_EQ(share_through_ice(0.8, 0.25, 0.75), 0.0);
}

// N = e^(-α x) where all is ice, in cells of `spacing`; the largest relative deviation.
double error_in_space(double spacing) {
    const int nx = static_cast<int>(300e3 / spacing) + 4, ny = 9;
    const SpectralGrid grid(3, 36, 0.08, 1.2);
    Case sea(patch(nx, ny, spacing, [](double, double) { return 4000.0; }), grid,
             with_scheme(PropagationScheme::second_order));
    const IceDamping ice(grid, with_form(IceForm::power_law));
    const double decay = ice.decay(1, 4000.0, 1.0);
    const auto exact = [&](std::int32_t cell) {
        const double x = base::earth_radius * sea.mesh.lon[cell] + 0.5 * nx * spacing;
        return std::exp(-decay * x);
    };
    const double dt = 0.5 * sea.propagator.longest_step().seconds;
    const auto hold_rim = [&] {
        for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
            for (auto e = sea.mesh.edge_offset[cell]; e < sea.mesh.edge_offset[cell + 1]; ++e)
                if (sea.mesh.neighbour[e] < 0) sea.at(cell, 1, 0) = static_cast<Real>(exact(cell));
    };
    const auto steps = static_cast<int>(700e3 / (sea.propagator.group_speed(0)[1] * dt));
    for (int i = 0; i < steps; ++i) {
        hold_rim();
        sea.step(dt);
        for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
            ice.apply(&sea.at(cell, 0, 0), {sea.propagator.group_speed(cell).data(), 4000.0, 1.0, 1.0}, dt);
    }
    hold_rim();
    double worst = 0.0;
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
        worst = std::max(worst, std::abs(sea.at(cell, 1, 0) / exact(cell) - 1.0));
    return worst;
}

TEST(SeaIce, ActionDecaysExponentiallyInSpaceAndMoreSoOnFinerCells) {
    const double coarse = error_in_space(15e3), fine = error_in_space(7.5e3);
    EXPECT_LT(fine, 0.01);
    EXPECT_LT(fine, 0.6 * coarse);
}

}  // namespace
}  // namespace groundswell::sea
