#include <gtest/gtest.h>

#include <cstring>

#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "support/sea_propagation_case.hpp"

// Which bins of a halo cell a step reads: the others may hold anything finite, each of these matters.
namespace groundswell::sea {
namespace {

using namespace test;

// The parts of a mesh, cut out one after the other by this one process.
std::vector<voronoi::LocalMesh> cut(voronoi::GlobalMesh whole, int parts, int layers) {
    const voronoi::GlobalMesh ordered = voronoi::order_along_curve(std::move(whole));
    const graph::Partition partition = graph::partition(voronoi::graph_of(ordered), parts);
    voronoi::Extractor extractor(ordered, partition.part, parts, layers);
    std::vector<voronoi::LocalMesh> cut;
    for (int part = 0; part < parts; ++part) cut.push_back(extractor.local_mesh(part));
    return cut;
}

// Rotated cells at both poles, pentagons, a bottom that changes much from cell to cell.
voronoi::GlobalMesh rough_sphere() {
    return voronoi::icosahedral(7, rough_depth);
}

bool contains(const halo::RowRange& range, int direction, int directions) {
    return (direction - range.first + directions) % directions < range.count;
}

class NeededDirections : public testing::TestWithParam<int> {
protected:
    // One step of the cells at the rim, for which alone the halo matters.
    static std::vector<Real> stepped(test::Case& sea) {
        const double dt = 0.9 * sea.propagator.longest_step().seconds;
        std::vector<Real> result(sea.mesh.owned * sea.grid.stride(), Real(0));
        sea.propagator.propagate_cells(sea.mesh.interior(), sea.mesh.owned, result.data(), sea.old.data(),
                                       dt);
        return result;
    }
    static void fill(test::Case& sea) {
        sea.fill([](int cell, int f, int d) { return 0.1 + noise(cell * 113 + f * 37 + d); });
    }
    static bool same(const std::vector<Real>& a, const std::vector<Real>& b) {
        return std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
    }
    const SpectralGrid grid_{3, GetParam(), 0.05, 1.3};
};

TEST_P(NeededDirections, OtherBinsMayHoldAnyNumber) {
    for (voronoi::LocalMesh& part : cut(rough_sphere(), 5, 1)) {
        test::Case sea(std::move(part), grid_, with_scheme(PropagationScheme::upwind));
        fill(sea);
        const std::vector<Real> expected = stepped(sea);
        const std::vector<halo::RowRange> needed = sea.propagator.needed_directions();
        ASSERT_EQ(needed.size(), static_cast<std::size_t>(sea.mesh.total - sea.mesh.owned));
        int poisoned = 0;
        for (int cell = sea.mesh.owned; cell < sea.mesh.total; ++cell)
            for (int d = 0; d < grid_.directions; ++d) {
                if (contains(needed[cell - sea.mesh.owned], d, grid_.directions)) continue;
                for (int f = 0; f < grid_.frequencies; ++f)
                    sea.at(cell, f, d) = static_cast<Real>(1e30 * (d % 2 == 0 ? 1.0 : -1.0));
                ++poisoned;
            }
        EXPECT_GT(poisoned, 0);
        EXPECT_TRUE(same(stepped(sea), expected));
    }
}

TEST_P(NeededDirections, NoRangeCanBeShorter) {
    std::vector<voronoi::LocalMesh> parts = cut(rough_sphere(), 5, 1);
    for (int part : {0, 3}) {
        test::Case sea(std::move(parts[part]), grid_, with_scheme(PropagationScheme::upwind));
        fill(sea);
        const std::vector<Real> expected = stepped(sea);
        const std::vector<halo::RowRange> needed = sea.propagator.needed_directions();
        for (int cell = sea.mesh.owned; cell < sea.mesh.total; ++cell) {
            const halo::RowRange& range = needed[cell - sea.mesh.owned];
            ASSERT_GT(range.count, 0);
            for (const int bin : {range.first, (range.first + range.count - 1) % grid_.directions}) {
                // Large enough that even a weight as small as rounding shows.
                const Real before = sea.at(cell, 1, bin);
                sea.at(cell, 1, bin) = Real(1e30);
                EXPECT_FALSE(same(stepped(sea), expected))
                    << "halo cell " << cell - sea.mesh.owned << ", direction " << bin << " of " << range.first
                    << " + " << range.count;
                sea.at(cell, 1, bin) = before;
            }
        }
    }
}

// 7 directions are less than a register, 17 a row that is no whole number of them.
INSTANTIATE_TEST_SUITE_P(directions, NeededDirections, testing::Values(4, 7, 17, 24, 36));

// Along a straight cut through hexagons each cell beyond the cut has two edges with cells this side, whose
// normals stand 60° apart (or, along the other kind of cut, one edge and three in turn: two on average). What
// enters through one edge fills 180° of directions, so two edges need 180° + 60° = 2/3 of the circle, and
// one or three need 180° and 300°: again 2/3 on average. Corners of parts need a little less.
TEST(NeededDirectionsOfHexagons, AreTwoThirdsOfTheCircle) {
    const SpectralGrid grid(3, 36, 0.05, 1.3);
    double needed = 0.0, whole = 0.0;
    for (voronoi::LocalMesh& part :
         cut(voronoi::hexagonal_patch(60, 60, 10e3, 0.3, 0.4, [](double, double) { return 500.0; }), 16, 1)) {
        const test::Case sea(std::move(part), grid, with_scheme(PropagationScheme::upwind));
        for (const halo::RowRange& range : sea.propagator.needed_directions()) {
            needed += range.count;
            whole += grid.directions;
        }
    }
    EXPECT_LE(needed / whole, 0.70);
    EXPECT_NEAR(needed / whole, 2.0 / 3.0, 0.05);
}

TEST(NeededDirectionsOfSecondOrder, AreAll) {
    const SpectralGrid grid(3, 24, 0.05, 1.3);
    for (voronoi::LocalMesh& part : cut(rough_sphere(), 3, 2)) {
        const test::Case sea(std::move(part), grid, with_scheme(PropagationScheme::second_order));
        for (const halo::RowRange& range : sea.propagator.needed_directions())
            EXPECT_EQ(range, (halo::RowRange{0, 24}));
    }
}

}  // namespace
}  // namespace groundswell::sea
