#include "groundswell/sea/propagation/inflow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "support/sea_propagation_case.hpp"

// Waves that come in over the faces at which a mesh ends.
namespace groundswell::sea {
namespace {

using namespace test;

class PropagationInflow : public testing::TestWithParam<PropagationScheme> {};

const SpectralGrid grid(3, 24, 0.06, 1.3);

/// A patch with all faces of its rim open.
struct OpenPatch {
    OpenPatch(const voronoi::DepthFunction& depth, const PropagationOptions& options)
        : sea(patch(10, 9, 10e3, depth), grid, options) {
        std::vector<std::int32_t> edges;
        for (std::int32_t e = 0; e < static_cast<std::int32_t>(sea.mesh.neighbour.size()); ++e)
            if (sea.mesh.neighbour[e] == voronoi::coast) edges.push_back(e);
        inflow = std::make_shared<Inflow>(sea.mesh, edges, grid.bins());
        sea.propagator.let_in(inflow);
    }
    std::int32_t cell_of(std::int32_t edge) const {
        std::int32_t cell = 0;
        while (sea.mesh.edge_offset[cell + 1] <= edge) ++cell;
        return cell;
    }
    /// Beyond each face what fill_constant() has in its cell.
    void set_constant() {
        for (std::size_t face = 0; face < inflow->faces(); ++face) {
            const std::int32_t cell = cell_of(inflow->edge(face));
            for (int f = 0; f < grid.frequencies; ++f)
                for (int d = 0; d < grid.directions; ++d)
                    inflow->beyond(face)[grid.index(f, d)] =
                        static_cast<Real>(sea.propagator.wave_number(cell)[f] /
                                          sea.propagator.group_speed(cell)[f] * sea.scale(f));
        }
    }
    void set_noise() {
        for (std::size_t face = 0; face < inflow->faces(); ++face)
            for (int b = 0; b < grid.bins(); ++b)
                inflow->beyond(face)[b] = static_cast<Real>(noise(static_cast<int>(face) * 131 + b));
    }
    double worst_change(const std::vector<Real>& start) const {
        double worst = 0.0;
        for (int cell = 0; cell < sea.mesh.owned; ++cell)
            for (int b = 0; b < grid.bins(); ++b) {
                const std::size_t i = cell * grid.stride() + b;
                worst = std::max(worst, std::abs(sea.old[i] / static_cast<double>(start[i]) - 1.0));
            }
        return worst;
    }

    Case sea;
    std::shared_ptr<Inflow> inflow;
};

double shelf(double lon, double lat) {
    return 60.0 + 3000.0 * std::abs(lon) + 40.0 * std::sin(300.0 * lat);
}

// With N_b = k/cg beyond, the sea that has M = 1 everywhere has no rim: it stays, whatever leaves, enters and turns.
TEST_P(PropagationInflow, AConstantSeaStaysWhereItGoesOnBeyondTheMesh) {
    for (const bool deep : {true, false}) {
        OpenPatch open(deep ? voronoi::DepthFunction([](double, double) { return 5000.0; })
                            : voronoi::DepthFunction(shelf),
                       with_scheme(GetParam()));
        open.sea.fill_constant();
        open.set_constant();
        const std::vector<Real> start = open.sea.old;
        const int steps = 6;
        const double dt = 0.9 * open.sea.propagator.longest_step().seconds;
        for (int i = 0; i < steps; ++i) open.sea.step(dt);
        EXPECT_LT(open.worst_change(start), 40 * steps * rounding) << (deep ? "deep" : "shelf");
    }
}

// As for a sea without a rim, a current moves nothing either; the shift of frequencies by a sheared one is none of the rim's.
TEST_P(PropagationInflow, ACurrentBringsWhatItTakesAway) {
    PropagationOptions options = with_scheme(GetParam());
    options.currents = true;
    OpenPatch open([](double, double) { return 5000.0; }, options);
    CellForcing stream;
    stream.eastward_current = Real(1.5);
    stream.northward_current = Real(-0.7);
    open.sea.propagator.set_water(std::vector<CellForcing>(open.sea.mesh.total, stream), nullptr);
    open.sea.fill_constant();
    open.set_constant();
    const std::vector<Real> start = open.sea.old;
    const int steps = 4;
    for (int i = 0; i < steps; ++i) open.sea.step(300.0);
    // A uniform current on a sphere has a strain of U/R tan φ, here of 1e-9 s⁻¹.
    EXPECT_LT(open.worst_change(start), 40 * steps * rounding + 1e-5);
}

// d/dt Σ A N = Σ ℓ max(0, −n·cg d) N_b of an empty sea.
TEST_P(PropagationInflow, WhatEntersIsTheFluxOfWhatTravelsInwards) {
    OpenPatch open([](double, double) { return 5000.0; }, with_scheme(GetParam()));
    open.set_noise();
    const double dt = 100.0;
    std::vector<double> expected(grid.frequencies);
    for (std::size_t face = 0; face < open.inflow->faces(); ++face) {
        const std::int32_t e = open.inflow->edge(face);
        for (int f = 0; f < grid.frequencies; ++f)
            for (int d = 0; d < grid.directions; ++d) {
                const double inwards = -std::cos(grid.direction[d] - open.sea.mesh.edge_bearing[e]);
                expected[f] += dt * open.sea.mesh.edge_length[e] *
                               open.sea.propagator.group_speed(open.cell_of(e))[f] * std::max(0.0, inwards) *
                               open.inflow->beyond(face)[grid.index(f, d)];
            }
    }
    open.sea.step(dt);
    for (int f = 0; f < grid.frequencies; ++f)
        EXPECT_NEAR(open.sea.action(f) / expected[f], 1.0, 100 * rounding) << f;
}

TEST_P(PropagationInflow, TheFastFormIsThePlainOneAndNothingIsNegative) {
    PropagationOptions options = with_scheme(GetParam());
    options.currents = true;
    OpenPatch open(shelf, options);
    open.set_noise();
    CellForcing stream;
    stream.eastward_current = Real(-0.8);
    open.sea.propagator.set_water(std::vector<CellForcing>(open.sea.mesh.total, stream), nullptr);
    open.sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) > 0.9 ? 1.0 : 0.0; });
    const double dt = 0.9 * open.sea.propagator.longest_step().seconds;
    std::vector<Real> plain(open.sea.next.size());
    for (int i = 0; i < 5; ++i) {
        open.sea.propagator.propagate_cells_plain(0, open.sea.mesh.owned, plain.data(), open.sea.old.data(),
                                                  dt);
        open.sea.step(dt);
        for (std::size_t b = 0; b < plain.size(); ++b) ASSERT_NEAR(open.sea.old[b], plain[b], 2e-6);
        ASSERT_GE(open.sea.smallest(), Real(0));
    }
}

INSTANTIATE_TEST_SUITE_P(schemes, PropagationInflow,
                         testing::Values(PropagationScheme::upwind, PropagationScheme::second_order),
                         [](const auto& scheme) {
                             return scheme.param == PropagationScheme::upwind ? "upwind" : "second_order";
                         });

}  // namespace
}  // namespace groundswell::sea
