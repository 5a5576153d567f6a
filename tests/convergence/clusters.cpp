#include <gtest/gtest.h>

#include <cmath>

#include "support/sea_clusters.hpp"

// Order of convergence where cells step at rates of their own, waves crossing the borders of clusters all the time.
namespace groundswell::sea {
namespace {

using namespace test;
using base::earth_radius;

// Every direction at once on a patch so small that it is flat: N(x, t) = N0(x − cg d t). Three clusters in strips, or one, with
// a share of the longest step.
double error_oblique(PropagationScheme scheme, int cells, bool clusters, double share = 0.8) {
    const double size = 10e3, spacing = size / cells;
    const int rows = static_cast<int>(std::ceil(cells * 2.0 / std::sqrt(3.0)));
    const auto make = [&] {
        return voronoi::hexagonal_patch(cells, rows, spacing, 0.0, 0.0,
                                        [](double, double) { return 1000.0; });
    };
    const auto strips = [&](double lon, double /*lat*/) {
        const double x = std::abs(earth_radius * lon) / size;
        return !clusters ? 0 : x < 0.03 ? 0 : x < 0.09 ? 1 : 2;
    };
    ClusteredSea sea(MPI_COMM_SELF, make, SpectralGrid(3, 8, 0.1, 1.1), with_scheme(scheme), strips);
    EXPECT_EQ(sea.mesh.groups.size(), clusters ? 3U : 1U);
    const double speed = sea.propagator.group_speed(0)[0], duration = 0.2 * size / speed;
    const auto blob = [&](std::int32_t cell, int d, double time) {
        const double x = earth_radius * sea.mesh.lon[cell] - sea.grid.cosine[d] * speed * time;
        const double y = earth_radius * sea.mesh.lat[cell] - sea.grid.sine[d] * speed * time;
        const double distance = std::hypot(x, y) / (0.07 * size);
        return std::exp(-0.5 * distance * distance);
    };
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
        for (int f = 0; f < sea.grid.frequencies; ++f)
            for (int d = 0; d < sea.grid.directions; ++d)
                sea.at(cell, f, d) = static_cast<Real>(f == 0 ? blob(cell, d, 0.0) : 0.0);
    const int steps = static_cast<int>(std::ceil(duration / (share * sea.longest())));
    for (int i = 0; i < steps; ++i) sea.advance(duration / steps);
    double error = 0.0, norm = 0.0;
    for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell)
        for (int d = 0; d < sea.grid.directions; ++d) {
            const double value = blob(cell, d, duration);
            error += sea.mesh.area[cell] * std::abs(sea.at(cell, 0, d) - value);
            norm += sea.mesh.area[cell] * std::abs(value);
        }
    return error / norm;
}

void expect_order(PropagationScheme scheme, double least_order) {
    const double coarse = error_oblique(scheme, 64, true), fine = error_oblique(scheme, 128, true);
    EXPECT_GT(std::log2(coarse / fine), least_order) << coarse << " " << fine;
    // Between what the steps of the slowest and those of the fastest give to all: both schemes are less exact in short ones.
    const double slowest = error_oblique(scheme, 128, false),
                 fastest = error_oblique(scheme, 128, false, 0.2);
    EXPECT_LT(fine, 1.05 * fastest);
    EXPECT_GT(fine, 0.95 * slowest);
}

TEST(ClusterConvergence, FirstOrder) {
    expect_order(PropagationScheme::upwind, 0.9);
}

TEST(ClusterConvergence, SecondOrder) {
    expect_order(PropagationScheme::second_order, 1.7);
}

}  // namespace
}  // namespace groundswell::sea
