#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/sea_propagation_case.hpp"

// Currents and changing depths in propagation: what must hold exactly, or of the whole.
namespace groundswell::sea {
namespace {

using test::Case;

PropagationOptions flowing(PropagationScheme scheme, CoastBoundary coast = CoastBoundary::absorbing) {
    PropagationOptions options;
    options.scheme = scheme;
    options.coast = coast;
    options.currents = options.levels = true;
    return options;
}

std::vector<CellForcing> water(
    const Case& c, const std::function<CellForcing(double x, double y)>& of) {  // m from the middle
    std::vector<CellForcing> cells;
    for (int cell = 0; cell < c.mesh.total; ++cell)
        cells.push_back(of(c.mesh.lon[cell] * base::earth_radius, c.mesh.lat[cell] * base::earth_radius));
    return cells;
}
CellForcing current(double east, double north, double level = 0.0) {
    CellForcing cell;
    cell.eastward_current = static_cast<Real>(east);
    cell.northward_current = static_cast<Real>(north);
    cell.water_level = static_cast<Real>(level);
    return cell;
}

// The same action everywhere in wave-number space, M = 1 at all frequencies.
void fill_uniform(Case& c) {
    c.fill([&](int cell, int f, int) {
        return c.propagator.wave_number(cell)[f] / c.propagator.group_speed(cell)[f];
    });
}

// Largest departure from M = 1 away from the rim of the patch, after a few steps.
double unevenness(Case& c, int steps, double dt) {
    fill_uniform(c);
    const auto before = c.old;
    for (int i = 0; i < steps; ++i) c.step(dt);
    double worst = 0.0;
    for (int cell = 0; cell < c.mesh.owned; ++cell) {
        if (std::hypot(c.mesh.lon[cell], c.mesh.lat[cell]) * base::earth_radius > 12e3) continue;
        for (int f = 3; f < c.grid.frequencies - 3; ++f)
            for (int d = 0; d < c.grid.directions; ++d) {
                const std::size_t i = cell * c.grid.stride() + c.grid.index(f, d);
                worst = std::max(worst, std::abs(c.old[i] / static_cast<double>(before[i]) - 1.0));
            }
    }
    return worst;
}

// Action constant in wave-number space stays so in any current over any depth: what edges, turning and shift do cancels. In one
// step to rounding and the product of two of its changes, for they are taken one after the other.
TEST(Flow, AUniformSeaStaysUniformInAnyCurrentOverAnyDepth) {
    for (const PropagationScheme scheme : {PropagationScheme::upwind, PropagationScheme::second_order}) {
        Case c(test::patch(40, 40, 1000.0,
                           [](double lon, double lat) {
                               return 30.0 + 12.0 * std::sin(900.0 * lon) * std::cos(700.0 * lat);
                           }),
               SpectralGrid(24, 24, 0.05, 1.1), flowing(scheme));
        // Converging, shearing and turning; 1 m/s over 10 km.
        c.propagator.set_water(
            water(c, [](double x,
                        double y) { return current(0.7 + 1e-4 * x + 5e-5 * y, -0.4 - 3e-5 * x + 7e-5 * y); }),
            nullptr);
        const double dt = 2.0;
        EXPECT_LT(unevenness(c, 3, dt), 60 * test::rounding + 3 * 30.0 * std::pow(2e-4 * dt, 2));
    }
}

TEST(Flow, ARisingLevelLeavesAUniformSeaUniform) {
    Case c(test::patch(8, 8, 1000.0, [](double, double) { return 10.0; }), SpectralGrid(24, 24, 0.05, 1.1),
           flowing(PropagationScheme::second_order));
    fill_uniform(c);
    const auto block = [&](std::int32_t cell) { return &c.at(cell, 0, 0); };
    c.propagator.set_water(water(c, [](double, double) { return current(0.0, 0.0, 2.5); }), block);
    for (int f = 8; f < c.grid.frequencies - 3; ++f)
        EXPECT_NEAR(c.at(0, f, 5) * c.propagator.group_speed(0)[f] / c.propagator.wave_number(0)[f], 1.0,
                    2e-5)
            << f;
}

// In a closed basin nothing is lost but beyond the last frequency, nothing is negative, whatever the current, the step being
// that of steps_now().
TEST(Flow, AClosedBasinKeepsItsActionAndNothingIsNegative) {
    for (const PropagationScheme scheme : {PropagationScheme::upwind, PropagationScheme::second_order}) {
        Case c(test::sphere(8, [](double lon,
                                  double lat) { return 300.0 + 250.0 * std::sin(2 * lon) * std::cos(lat); }),
               SpectralGrid(12, 16, 0.05, 1.2), flowing(scheme, CoastBoundary::closed));
        c.propagator.set_water(water(c,
                                     [&](double x, double y) {
                                         const double lon = x / base::earth_radius,
                                                      lat = y / base::earth_radius;
                                         return current(4.0 * std::sin(3 * lon) * std::cos(lat),
                                                        4.0 * std::cos(2 * lon + lat) * std::cos(lat));
                                     }),
                               nullptr);
        c.fill([](int cell, int f, int d) {
            return f == 6 && test::noise(16 * cell + d) > 0.6 ? test::noise(16 * cell + d) : 0.0;
        });
        double dt = 1e300;
        for (const double step : c.propagator.steps_now()) dt = std::min(dt, step);
        const auto all = [&] {
            double sum = 0.0;
            for (int f = 0; f < c.grid.frequencies; ++f) sum += c.action(f) * c.grid.frequency_width[f];
            return sum;
        };
        const double before = all();
        for (int i = 0; i < 5; ++i) {
            c.step(dt);
            EXPECT_GE(c.smallest(), Real(0));
        }
        EXPECT_NEAR(all() / before, 1.0, 2e-5);
    }
}

TEST(Flow, TheFastFormIsThePlainOne) {
    for (const PropagationScheme scheme : {PropagationScheme::upwind, PropagationScheme::second_order}) {
        Case c(test::sphere(6, test::rough_depth), SpectralGrid(10, 20, 0.05, 1.15), flowing(scheme));
        c.propagator.set_water(
            water(c, [](double x, double y) { return current(std::sin(x / 1e6), std::cos(y / 2e6), 1.0); }),
            nullptr);
        c.fill([](int cell, int f, int d) { return test::noise(1000 * cell + 20 * f + d); });
        double dt = 1e300;
        for (const double step : c.propagator.steps_now()) dt = std::min(dt, 0.9 * step);
        c.propagator.propagate_cells(0, c.mesh.owned, c.next.data(), c.old.data(), dt);
        std::vector<Real> plain(c.next);
        c.propagator.propagate_cells_plain(0, c.mesh.owned, plain.data(), c.old.data(), dt);
        for (std::size_t i = 0; i < plain.size(); ++i)
            ASSERT_NEAR(c.next[i], plain[i], 100 * test::rounding) << i;
    }
}

// Water that comes back is the same to the bit, whatever was between, also where it changed in a part of the sea alone.
TEST(Flow, WaterLeavesNoTraceOfWhatWasBefore) {
    for (const PropagationScheme scheme : {PropagationScheme::upwind, PropagationScheme::second_order}) {
        const auto make = [&] {
            return Case(test::sphere(6, test::rough_depth), SpectralGrid(8, 16, 0.05, 1.2), flowing(scheme));
        };
        const auto at = [](double factor) {
            return [=](double x, double y) {
                const double part = x > 0.0 ? factor : 1.0;  // the other half of the sphere stays as it is
                return current(part * std::sin(y / 2e6), part * std::cos(x / 3e6),
                               2.0 * part * std::sin(x / 4e6));
            };
        };
        Case once = make(), after = make();
        once.propagator.set_water(water(once, at(1.0)), nullptr);
        for (const double factor : {0.5, -2.0, 1.0, 1.0})
            after.propagator.set_water(water(after, at(factor)), nullptr);
        ASSERT_TRUE(std::ranges::equal(once.propagator.steps_now(), after.propagator.steps_now()));
        double dt = 1e300;
        for (const double step : once.propagator.steps_now()) dt = std::min(dt, step);
        for (Case* c : {&once, &after}) {
            c->fill([](int cell, int f, int d) { return test::noise(1000 * cell + 20 * f + d); });
            for (int i = 0; i < 2; ++i) c->step(dt);
        }
        EXPECT_EQ(once.old, after.old);
        // And another water is another one.
        after.propagator.set_water(water(after, at(0.5)), nullptr);
        for (Case* c : {&once, &after}) c->step(dt);
        EXPECT_NE(once.old, after.old);
    }
}

// Action is shifted once in the cells whose depth changes, and not at all in others.
TEST(Flow, AStillLevelTouchesNoAction) {
    Case c(test::patch(8, 8, 1000.0, [](double, double) { return 10.0; }), SpectralGrid(12, 12, 0.05, 1.2),
           flowing(PropagationScheme::upwind));
    fill_uniform(c);
    const auto rising = water(c, [](double x, double) { return current(0.3, 0.0, x > 0.0 ? 1.0 : 0.0); });
    std::vector<int> asked(c.mesh.owned);
    const auto block = [&](std::int32_t cell) {
        ++asked[cell];
        return &c.at(cell, 0, 0);
    };
    for (int i = 0; i < 3; ++i) c.propagator.set_water(rising, block);
    for (int cell = 0; cell < c.mesh.owned; ++cell)
        EXPECT_EQ(asked[cell], c.mesh.lon[cell] > 0.0 ? 1 : 0) << cell;
}

// A cell that falls dry is emptied, swallows what comes, and holds nothing; all of them at once as well.
TEST(Flow, DryCellsHoldNothing) {
    PropagationOptions options = flowing(PropagationScheme::second_order);
    options.dry_depth = 0.5;
    Case c(test::patch(20, 20, 500.0, [](double lon, double) { return 3.0 + 2000.0 * lon; }),
           SpectralGrid(12, 16, 0.05, 1.2), options);
    c.fill([](int, int, int) { return 1.0; });
    const auto block = [&](std::int32_t cell) { return &c.at(cell, 0, 0); };
    for (const double level : {-2.5, -12.0}) {
        c.propagator.set_water(water(c, [=](double, double) { return current(0.0, 0.0, level); }), block);
        double dt = 1e300;
        for (const double step : c.propagator.steps_now()) dt = std::min(dt, step);
        c.step(dt);
        int dry = 0;
        for (int cell = 0; cell < c.mesh.owned; ++cell) {
            dry += c.propagator.is_dry(cell) ? 1 : 0;
            EXPECT_EQ(c.propagator.is_dry(cell), c.mesh.depth[cell] + level < 0.5);
            if (c.propagator.is_dry(cell)) {
                EXPECT_EQ(c.at(cell, 3, 2), Real(0));
            }
        }
        EXPECT_GE(c.smallest(), Real(0));
        EXPECT_GT(dry, 50);
        EXPECT_EQ(dry == c.mesh.owned, level < -10.0);
    }
}

}  // namespace
}  // namespace groundswell::sea
