#include <gtest/gtest.h>

#include "support/sea_propagation_case.hpp"

// N_i' = N_i + Δt/A_i (Σ α_e F_e over what enters − Σ F_e over what leaves): what islands smaller than a cell block is lost, and nothing else.
namespace groundswell::sea {
namespace {

using namespace test;

class PropagationObstruction : public testing::TestWithParam<PropagationScheme> {};

const SpectralGrid one_row(3, 36, 0.06, 1.3);

// Hexagons of 2 km; a wall between columns 14 and 15, rows shifted by half a cell:
//
//      13   14 | 15   16
//    13   14 | 15   16
//
// lets α of what goes east through and all that goes west. `current`: towards east everywhere, m/s: of all that crosses the wall, by
// its group and by the current, there is α behind it, so that (cg + U) N' = α (cg + U) N.
void cross_a_half_transparent_wall(PropagationScheme scheme, double current) {
    const int nx = 30, ny = 15, column = 14;
    const auto column_of = [](std::int64_t mesh_cell) { return static_cast<int>((mesh_cell - 1) % nx); };
    const auto wall = [&](const voronoi::LocalMesh& mesh) {
        Obstruction all = obstruct(mesh, 24, [](std::int64_t, std::int64_t, int j) {
            return std::cos(j * base::two_pi / 24) > 0.1 ? 0.5 : 1.0;
        });
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            for (auto e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
                if (mesh.neighbour[e] < 0) continue;
                const int here = column_of(mesh.mesh_cell[cell]);
                const int there = column_of(mesh.mesh_cell[mesh.neighbour[e]]);
                if ((here <= column) == (there <= column)) all.row[e] = -1;
            }
        return all;
    };
    PropagationOptions options = with_scheme(scheme);
    options.currents = current != 0.0;
    Case sea(patch(nx, ny, 2e3, [](double, double) { return 4000.0; }), one_row, options, wall);
    if (options.currents) {
        CellForcing water;
        water.eastward_current = static_cast<Real>(current);
        sea.propagator.set_water(std::vector<CellForcing>(sea.mesh.total, water), nullptr);
    }
    const int east = 0, west = 18;
    const auto behind = [&](std::int32_t cell) { return column_of(sea.mesh.mesh_cell[cell]) > column; };
    // What lies at the rim is held at what must come out, so that nothing else than the wall can disturb it.
    const auto hold_rim = [&] {
        for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell) {
            bool at_rim = false;
            for (auto e = sea.mesh.edge_offset[cell]; e < sea.mesh.edge_offset[cell + 1]; ++e)
                at_rim = at_rim || sea.mesh.neighbour[e] < 0;
            if (!at_rim) continue;
            sea.at(cell, 0, east) = behind(cell) ? Real(0.5) : Real(1);
            sea.at(cell, 0, west) = Real(1);
        }
    };
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    for (int i = 0; i < (current == 0.0 ? 150 : 260); ++i) {
        hold_rim();
        sea.step(dt);
    }
    hold_rim();
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell) {
        ASSERT_NEAR(sea.at(cell, 0, east), behind(cell) ? 0.5 : 1.0, behind(cell) ? 0.5e-3 : 1e-3) << cell;
        ASSERT_NEAR(sea.at(cell, 0, west), 1.0, 1e-3) << cell;
    }
}

TEST_P(PropagationObstruction, AHalfTransparentWallHalvesTheFluxOneWay) {
    cross_a_half_transparent_wall(GetParam(), 0.0);
}
TEST_P(PropagationObstruction, AWallTakesItsShareOfWhatACurrentCarriesToo) {
    cross_a_half_transparent_wall(GetParam(), 4.0);
}

// Ice that blocks, and frames that turn as everywhere near the poles: the fast form is the plain one, and action only falls.
TEST_P(PropagationObstruction, WithACurrentTheFastFormIsThePlainOneAndActionOnlyFalls) {
    PropagationOptions options = with_scheme(GetParam());
    options.currents = true;
    options.coast = CoastBoundary::closed;
    Case sea(sphere(6, rough_depth), SpectralGrid(10, 20, 0.05, 1.15), options,
             [](const voronoi::LocalMesh& mesh) {
                 return obstruct(mesh, 24, [](std::int64_t a, std::int64_t b, int j) {
                     return noise(static_cast<int>(7 * (a + b) + j));
                 });
             });
    std::vector<CellForcing> water(sea.mesh.total);
    std::vector<Real> shares(sea.mesh.total);
    for (int cell = 0; cell < sea.mesh.total; ++cell) {
        water[cell].eastward_current = static_cast<Real>(6.0 * std::sin(3.0 * sea.mesh.lat[cell]));
        water[cell].northward_current = static_cast<Real>(5.0 * std::cos(2.0 * sea.mesh.lon[cell]));
        shares[cell] = static_cast<Real>(noise(cell) > 0.5 ? 1.0 : noise(cell));
    }
    sea.propagator.set_water(water, nullptr);
    sea.propagator.let_through(shares);
    sea.fill([](int cell, int f, int d) { return noise(1000 * cell + 20 * f + d); });
    double dt = 1e300;
    for (const double step : sea.propagator.steps_now()) dt = std::min(dt, 0.9 * step);
    std::vector<Real> plain(sea.next);
    sea.propagator.propagate_cells_plain(0, sea.mesh.owned, plain.data(), sea.old.data(), dt);
    const auto all = [&] {
        double sum = 0.0;
        for (int f = 0; f < sea.grid.frequencies; ++f) sum += sea.action(f) * sea.grid.frequency_width[f];
        return sum;
    };
    const double before = all();
    sea.step(dt);
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(sea.old[i], plain[i], 100 * rounding) << i;
    EXPECT_LT(all(), before);
    EXPECT_GE(sea.smallest(), Real(0));
}

// Σ A (N − N') = Δt Σ_e (1 − α) L k (n·d)+ M over what leaves each cell, poles included.
TEST(PropagationObstructionAccount, WhatIsLostIsWhatIsBlocked) {
    const auto alpha = [](std::int64_t a, std::int64_t b, int) { return noise(static_cast<int>(a + b)); };
    Case sea(sphere(8, rough_depth), one_row, with_scheme(PropagationScheme::upwind),
             [&](const voronoi::LocalMesh& mesh) { return obstruct(mesh, 4, alpha); });
    sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d); });
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    const int f = 1;
    double blocked = 0.0;
    const voronoi::LocalMesh& mesh = sea.mesh;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        // Isotropic, so that frames near the poles do not matter: Σ (n·d)+ over all directions.
        for (int d = 0; d < sea.grid.directions; ++d) sea.at(cell, f, d) = static_cast<Real>(noise(cell));
        const double k = sea.propagator.wave_number(cell)[f], speed = sea.propagator.group_speed(cell)[f];
        for (auto e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            const double beyond = sea.propagator.wave_number(mesh.neighbour[e])[f];
            const double flux = mesh.edge_length[e] * 2 * k * beyond / (k + beyond) * speed / k *
                                static_cast<double>(sea.at(cell, f, 0));
            const double share = 1.0 - alpha(mesh.id[cell], mesh.id[mesh.neighbour[e]], 0);
            blocked += dt * share * flux * 2.0 / sea.grid.direction_width;
        }
    }
    const double before = sea.action(f);
    sea.step(dt);
    EXPECT_GT(blocked, 0.01 * before);
    EXPECT_NEAR((before - sea.action(f)) / blocked, 1.0, 2e-3);  // of ∫(n·d)+ by 36 directions
}

TEST_P(PropagationObstruction, ActionOnlyFallsAndNothingBecomesNegative) {
    Case sea(sphere(6, rough_depth), one_row, with_scheme(GetParam()), [](const voronoi::LocalMesh& mesh) {
        return obstruct(mesh, 24, [](std::int64_t a, std::int64_t b, int j) {
            return noise(static_cast<int>(7 * (a + b) + j)) > 0.5 ? 1.0 : 0.0;
        });
    });
    sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) > 0.97 ? 1.0 : 0.0; });
    const double dt = 0.999 * sea.propagator.longest_step().seconds;
    for (int i = 0; i < 20; ++i) {
        const double before = sea.action(0);
        sea.step(dt);
        ASSERT_LT(sea.action(0), before);
        ASSERT_GE(sea.smallest(), Real(0)) << "step " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(schemes, PropagationObstruction,
                         testing::Values(PropagationScheme::upwind, PropagationScheme::second_order),
                         [](const auto& scheme) {
                             return scheme.param == PropagationScheme::upwind ? "upwind" : "second_order";
                         });

}  // namespace
}  // namespace groundswell::sea
