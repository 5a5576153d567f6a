// The space-filling curve, and parts that are stretches of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "groundswell/graph/curve/hilbert.hpp"
#include "groundswell/graph/curve/stretch.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;

TEST(GraphCurve, VisitsEveryPlaceOfACubeStepByStep) {
    constexpr int levels = 4, side = 1 << levels;
    std::vector<std::array<int, 3>> visited(side * side * side, {-1, -1, -1});
    for (int x = 0; x < side; ++x) {
        for (int y = 0; y < side; ++y) {
            for (int z = 0; z < side; ++z) {
                const std::array<std::uint32_t, 3> place{static_cast<std::uint32_t>(x),
                                                         static_cast<std::uint32_t>(y),
                                                         static_cast<std::uint32_t>(z)};
                visited.at(hilbert_position(place, levels)) = {x, y, z};
            }
        }
    }
    EXPECT_EQ(visited[0], (std::array<int, 3>{0, 0, 0}));
    for (std::size_t i = 0; i < visited.size(); ++i) {
        ASSERT_GE(visited[i][0], 0) << i;  // so that no place was met twice
        if (i == 0) continue;
        int apart = 0;
        for (int axis = 0; axis < 3; ++axis) apart += std::abs(visited[i][axis] - visited[i - 1][axis]);
        ASSERT_EQ(apart, 1) << i;
    }
}

TEST(GraphCurve, StretchesHaveEqualWeightToTheNearestCell) {
    Graph row;
    const std::vector<std::int64_t> weight = {7, 1, 1, 1, 4, 4, 2, 9, 1, 1, 1, 3, 5, 2, 2, 8};
    for (const std::int64_t w : weight) {
        row.end_row();
        row.cell_weight.push_back(w);
    }
    const double total = 52.0;
    for (const int parts : {1, 2, 3, 5, 7}) {
        const std::vector<int> part = cut_along(row, parts);
        EXPECT_TRUE(std::ranges::is_sorted(part));
        std::vector<double> sum(parts, 0.0);
        for (std::size_t c = 0; c < part.size(); ++c) sum.at(part[c]) += static_cast<double>(weight[c]);
        for (const double s : sum) EXPECT_LE(std::abs(s - total / parts), 9.0) << parts;
    }
    // Two constraints: each counts by its share.
    const std::vector<std::int64_t> totals = {100, 4};
    EXPECT_EQ(weight_along(std::vector<std::int64_t>{25, 0}, totals),
              weight_along(std::vector<std::int64_t>{0, 1}, totals));
}

TEST(GraphCurve, EqualCellsMakePartsThatDifferByOne) {
    Graph cells;
    for (int c = 0; c < 100; ++c) cells.end_row();
    for (const int parts : {1, 3, 7, 64, 100, 130}) {
        std::vector<int> size(parts, 0);
        for (const int p : cut_along(cells, parts)) ++size.at(p);
        EXPECT_LE(*std::ranges::max_element(size), (100 + parts - 1) / parts) << parts;
        EXPECT_GE(*std::ranges::min_element(size), 100 / parts) << parts;
    }
}

TEST(GraphCurve, CutsMoreThanMetisAndFarLessThanChance) {
    const Graph graph = voronoi::graph_of(voronoi::order_along_curve(voronoi::icosahedral(40, 4000.0)));
    for (const int parts : {4, 16, 64}) {
        const PartitionReport metis = partition(graph, parts).report;
        PartitionOptions options;
        options.method = PartitionMethod::curve;
        const Partition curve = partition(graph, parts, options);
        EXPECT_LT(metis.edge_cut, curve.report.edge_cut) << parts;
        EXPECT_LT(curve.report.edge_cut, 2 * metis.edge_cut) << parts;
        EXPECT_LE(curve.report.imbalance, 1.0 * parts / graph.cells()) << parts;
        // Cells to parts by chance: one neighbour in so many is of the same part.
        const double by_chance = 0.5 * static_cast<double>(graph.neighbour.size()) * (1.0 - 1.0 / parts);
        EXPECT_LT(static_cast<double>(curve.report.edge_cut), 0.15 * by_chance) << parts;
    }
}

}  // namespace
