#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "support/sea/schemes.hpp"
#include "support/sea_clusters.hpp"

// Cells that step at rates of their own: what holds with one step for all holds here as well.
namespace groundswell::sea {
namespace {

using namespace test;

const SpectralGrid grid(3, 24, 0.06, 1.3);

// Land over a third of the sphere, a pole included.
voronoi::GlobalMesh basin() {
    return voronoi::icosahedral(12, [](double lon, double lat) {
        return lat > 0.8 || std::cos(lon) < -0.7 ? -1.0 : rough_depth(lon, lat);
    });
}
voronoi::GlobalMesh whole_sphere() {
    return voronoi::icosahedral(24, rough_depth);
}

class SeaClusters : public testing::TestWithParam<PropagationOptions> {
protected:
    PropagationOptions options(CoastBoundary coast = CoastBoundary::closed) const {
        PropagationOptions options = GetParam();
        options.coast = coast;
        return options;
    }
};

double some(std::int64_t id, int f, int d) {
    return noise(static_cast<int>(id) * 113 + f * 37 + d);
}

TEST_P(SeaClusters, NeighboursDifferByOneClusterAndReadImages) {
    const ClusteredSea sea(MPI_COMM_WORLD, basin, grid, options());
    ASSERT_EQ(sea.mesh.groups.size(), 3U);
    const auto cluster = [&](std::int32_t cell) {
        int c = 0;
        while (cell >= sea.mesh.groups[c].owned().end) ++c;
        return c;
    };
    std::int64_t images = 0;
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell) {
        for (auto e = sea.mesh.edge_offset[cell]; e < sea.mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t real = sea.mesh.neighbour[e], read = sea.clustered.mesh.neighbour[e];
            if (real < 0 || real >= sea.mesh.owned) continue;
            EXPECT_LE(std::abs(cluster(real) - cluster(cell)), 1);
            EXPECT_EQ(read >= sea.clustered.first_image, cluster(real) != cluster(cell));
            EXPECT_EQ(sea.clustered.mesh.id[read], sea.mesh.id[real]);
            images += read >= sea.clustered.first_image;
        }
    }
    EXPECT_GT(parallel::sum(MPI_COMM_WORLD, images), 0);
}

// Σ N A = const.
TEST_P(SeaClusters, ActionIsConservedInAClosedBasin) {
    ClusteredSea sea(MPI_COMM_WORLD, basin, grid, options());
    sea.fill(some);
    const double before = sea.action(0), step = 0.9 * sea.longest();
    const int steps = 12;
    for (int i = 0; i < steps; ++i) sea.advance(step);
    const auto ticks = static_cast<double>(sea.steps.ticks_to_meet());
    EXPECT_NEAR(sea.action(0) / before, 1.0, 2.0 * steps * ticks * rounding);
}

TEST_P(SeaClusters, NothingBecomesNegative) {
    // Single bins in an empty sea, on the steepest bottom, with the longest step.
    ClusteredSea sea(MPI_COMM_WORLD, basin, grid, options(CoastBoundary::absorbing));
    sea.fill([](std::int64_t id, int f, int d) { return some(id, f, d) > 0.97 ? 1.0 : 0.0; });
    const double step = 0.999 * sea.longest();
    for (int i = 0; i < 10; ++i) {
        sea.advance(step);
        ASSERT_GE(sea.smallest(), Real(0)) << "step " << i;
    }
}

// ∂N/∂t = 0 for N = k/cg. What rotated cells near the poles disturb travels two cells in a step.
TEST_P(SeaClusters, ConstantActionInWaveNumberSpaceStaysOverARoughBottom) {
    ClusteredSea sea(MPI_COMM_WORLD, whole_sphere, grid, options());
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
        for (int f = 0; f < grid.frequencies; ++f)
            for (int d = 0; d < grid.directions; ++d)
                sea.at(cell, f, d) = sea.propagator.wave_number(cell)[f] /
                                     sea.propagator.group_speed(cell)[f] *
                                     static_cast<Real>(std::pow(grid.sigma[f], -3.0));
    std::vector<Real> start(sea.first.data(), sea.first.data() + sea.mesh.owned * sea.first.stride());
    sea.advance(0.9 * sea.longest());
    double worst = 0.0;
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell) {
        if (std::abs(sea.mesh.lat[cell]) > 40.0 * base::degree) continue;
        for (int b = 0; b < grid.bins(); ++b)
            worst = std::max(worst, std::abs(sea.at(cell, 0, b) /
                                                 static_cast<double>(start[cell * sea.first.stride() + b]) -
                                             1.0));
    }
    EXPECT_LT(worst, 40.0 * static_cast<double>(sea.steps.ticks_to_meet()) * rounding);
}

std::vector<Real> state_by_id(ClusteredSea& sea, std::int64_t cells) {
    const auto bins = static_cast<std::size_t>(grid.bins());
    std::vector<Real> all(static_cast<std::size_t>(cells) * bins, Real(0));
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
        std::copy_n(&sea.at(cell, 0, 0), bins, &all[static_cast<std::size_t>(sea.mesh.id[cell]) * bins]);
    return all;
}

TEST_P(SeaClusters, BitsDoNotDependOnRanksThreadsAndTransports) {
    ClusteredSea alone(MPI_COMM_SELF, basin, grid, options(CoastBoundary::absorbing));
    alone.fill(some);
    const double step = 0.9 * alone.longest();
    for (int i = 0; i < 3; ++i) alone.advance(step);
    const std::vector<Real> expected = state_by_id(alone, alone.mesh.global_cells);
    for (const char* const transport : {"auto", "posted", "shared", "neighbor"}) {
        halo::ExchangeOptions halo;
        halo.transport = transport;
        for (const int threads : {1, 3}) {
            exec::set_threads(threads);
            ClusteredSea sea(MPI_COMM_WORLD, basin, grid, options(CoastBoundary::absorbing), rings, halo);
            EXPECT_EQ(sea.longest(), alone.longest());
            sea.fill(some);
            for (int i = 0; i < 3; ++i) sea.advance(step);
            exec::set_threads(1);
            const auto bins = static_cast<std::size_t>(grid.bins());
            int different = 0;
            for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
                different += std::memcmp(&sea.at(cell, 0, 0),
                                         &expected[static_cast<std::size_t>(sea.mesh.id[cell]) * bins],
                                         bins * sizeof(Real)) != 0;
            EXPECT_EQ(different, 0) << transport << ", " << threads << " threads";
        }
    }
}

// Every part gets its share of each cluster, or its fast cells would wait for those of another.
TEST_P(SeaClusters, EveryRankHasItsShareOfEachCluster) {
    const ClusteredSea sea(MPI_COMM_WORLD, whole_sphere, grid, options());
    const auto ranks = static_cast<double>(parallel::size_of(MPI_COMM_WORLD));
    for (const mesh::CellGroup& group : sea.mesh.groups) {
        const auto mine = static_cast<double>(group.owned().cells());
        const double mean = parallel::sum(MPI_COMM_WORLD, std::span(&mine, 1)) / ranks;
        EXPECT_LE(mine, 1.1 * mean + 2.0);
    }
}

INSTANTIATE_TEST_SUITE_P(schemes, SeaClusters, all_schemes, name_of_scheme);

}  // namespace
}  // namespace groundswell::sea
