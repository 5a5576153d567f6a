// Parts that balance what cells weigh and spare what edges weigh, as a model needs whose cells are updated at
// different rates.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/measure.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/graph/subgraphs.hpp"
#include "support/tetrahedra.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using groundswell::test::Tetrahedra;

constexpr Tetrahedra box{12, 9, 9};  // 5832 cells

Graph without_weights(Graph graph) {
    graph.constraints = 1;
    graph.cell_weight.clear();
    graph.edge_weight.clear();
    return graph;
}

/// What `part` is worth in the weights of `graph`.
PartitionReport measured(const Graph& graph, const std::vector<int>& part, int parts) {
    PartitionReport report;
    measure(graph, components_of(graph), std::vector<int>(parts, 0), part, report);
    return report;
}

TEST(GraphWeights, TetrahedraTouchMutually) {
    for (std::int64_t cell = 0; cell < box.cells(); ++cell) {
        for (const std::int64_t other : box.neighbours(cell)) {
            if (other == Tetrahedra::nothing) continue;
            ASSERT_EQ(std::ranges::count(box.neighbours(other), cell), 1) << cell << " and " << other;
        }
    }
}

TEST(GraphWeights, EveryConstraintIsBalancedWithinItsImbalance) {
    const Graph graph = box.graph();
    PartitionOptions options;
    options.imbalance = 0.02;
    options.other_imbalances = {0.30};  // memory
    for (const int parts : {2, 4, 7, 16}) {
        const Partition found = partition(graph, parts, options);
        EXPECT_EQ(found.report.constraints, 2);
        // To the second next cell: METIS cannot split the heaviest, which are 800 of a mean of 300.
        const double heavy = 2.0 * 800.0 * parts / static_cast<double>(total_weights(graph)[0]);
        EXPECT_LE(found.report.imbalance_of[0], 0.02 + heavy) << parts;
        EXPECT_LE(found.report.imbalance_of[1], 0.31) << parts;
        EXPECT_EQ(found.report.imbalance,
                  std::max(found.report.imbalance_of[0], found.report.imbalance_of[1]));
        EXPECT_EQ(found.report.empty_parts, 0);
        EXPECT_EQ(found.report.disconnected_parts, 0) << parts;
    }
    // Parts of as many cells each are far from doing as much work each.
    const Partition unweighted = partition(without_weights(graph), 3);
    EXPECT_GT(measured(graph, unweighted.part, 3).imbalance_of[0], 0.2);
}

TEST(GraphWeights, EveryClusterMayBeAConstraint) {
    Graph graph = box.graph();
    graph.constraints = Tetrahedra::clusters;
    graph.cell_weight.clear();
    for (std::int64_t cell = 0; cell < box.cells(); ++cell) {
        for (int cluster = 0; cluster < Tetrahedra::clusters; ++cluster)
            graph.cell_weight.push_back(box.cluster(cell) == cluster ? box.cost(cell) : 0);
    }
    PartitionOptions options;
    options.imbalance = 0.05;
    const PartitionReport report = partition(graph, 4, options).report;
    for (int cluster = 0; cluster < Tetrahedra::clusters; ++cluster)
        EXPECT_LE(report.imbalance_of[cluster], 0.06) << cluster;
}

TEST(GraphWeights, TwoLevelsBalanceThemToo) {
    const Graph graph = box.graph();
    PartitionOptions options;
    options.imbalance = 0.03;
    options.other_imbalances = {0.30};
    options.host_of_part = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    const PartitionReport two = partition(graph, 12, options).report;
    EXPECT_LE(two.imbalance_of[0], 0.03 + 2.0 * 800.0 * 12.0 / static_cast<double>(total_weights(graph)[0]));
    options.method = PartitionMethod::scattered;
    EXPECT_LT(two.host_cut_weight, partition(graph, 12, options).report.host_cut_weight);
}

TEST(GraphWeights, HeavyEdgesAreSpared) {
    // A ring of twelve cells: any two opposite edges halve it; two of them are light.
    Graph ring;
    for (std::int32_t c = 0; c < 12; ++c) {
        const auto weight = [](std::int32_t lower) { return lower == 2 || lower == 8 ? 10 : 1000; };
        ring.neighbour.insert(ring.neighbour.end(), {(c + 11) % 12, (c + 1) % 12});
        ring.edge_weight.insert(ring.edge_weight.end(), {weight((c + 11) % 12), weight(c)});
        ring.end_row();
    }
    const Partition found = partition(ring, 2);
    EXPECT_EQ(found.report.edge_cut, 2);
    EXPECT_EQ(found.report.edge_cut_weight, 20);
    // The fault stands in the middle of the box, where halves meet: so much passes there that
    // no part may end at it.
    Graph graph = without_weights(box.graph());
    const auto cut_on_fault = [&](const std::vector<int>& part) {
        std::int64_t pairs = 0;
        for (std::int32_t c = 0; c < graph.cells(); ++c) {
            for (const std::int32_t other : graph.around(c))
                pairs += box.is_left(c) && !box.is_left(other) && part[c] != part[other];
        }
        return pairs;
    };
    EXPECT_GT(cut_on_fault(partition(graph, 2).part), 0);
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        for (const std::int32_t other : graph.around(c))
            graph.edge_weight.push_back(box.is_left(c) == box.is_left(other) ? 1 : 1000);
    }
    for (const int parts : {2, 4}) EXPECT_EQ(cut_on_fault(partition(graph, parts).part), 0) << parts;
}

TEST(GraphWeights, AreMeasuredAsTheyAre) {
    Graph row;  // 0 - 1 - 2 - 3
    row.neighbour = {1, 0, 2, 1, 3, 2};
    row.offset = {0, 1, 3, 5, 6};
    row.edge_weight = {5, 5, 7, 7, 11, 11};
    row.constraints = 2;
    row.cell_weight = {1, 10, 2, 10, 3, 10, 6, 10};
    PartitionReport report;
    measure(row, components_of(row), {0, 0, 1}, {0, 1, 1, 2}, report);
    EXPECT_EQ(report.edge_cut, 2);
    EXPECT_EQ(report.edge_cut_weight, 5 + 11);
    EXPECT_EQ(report.host_cut, 1);
    EXPECT_EQ(report.host_cut_weight, 11);
    EXPECT_DOUBLE_EQ(report.imbalance_of[0], 6.0 / 4.0 - 1.0);
    EXPECT_DOUBLE_EQ(report.imbalance_of[1], 20.0 / (40.0 / 3.0) - 1.0);
    EXPECT_DOUBLE_EQ(report.imbalance, 0.5);

    // Cells that are taken out keep theirs.
    const Graph taken = take_cells(row, std::vector<std::int32_t>{3, 2, 0});
    EXPECT_EQ(taken.neighbour, (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(taken.edge_weight, (std::vector<std::int64_t>{11, 11}));
    EXPECT_EQ(taken.cell_weight, (std::vector<std::int64_t>{6, 10, 3, 10, 1, 10}));
    const std::vector<int> group = {0, 1, 1, 0};
    const Graph inner = Subgraphs(row, group, 2).graph_of(1);
    EXPECT_EQ(inner.edge_weight, (std::vector<std::int64_t>{7, 7}));
    EXPECT_EQ(inner.cell_weight, (std::vector<std::int64_t>{2, 10, 3, 10}));
}

TEST(GraphWeights, MayBeLargerThanMetisCanAddUp) {
    Graph graph = box.graph();
    for (std::int64_t& weight : graph.cell_weight) weight *= 1'000'000'000;
    for (std::int64_t& weight : graph.edge_weight) weight *= 1'000'000'000;
    PartitionOptions options;
    options.other_imbalances = {0.30};
    const PartitionReport report = partition(graph, 7, options).report;
    EXPECT_LE(report.imbalance_of[0], 0.04);
    EXPECT_LE(report.imbalance_of[1], 0.31);
    EXPECT_EQ(report.edge_cut_weight % 1'000'000'000, 0);
}

TEST(GraphWeights, StrayPiecesMoveOnlyWhereTheirWeightHasRoom) {
    // Cells 0 … 4 in a row; cell 2, of part 0, is apart from cell 0 and weighs most.
    Graph row;
    for (std::int32_t c = 0; c < 5; ++c) {
        if (c > 0) row.neighbour.push_back(c - 1);
        if (c < 4) row.neighbour.push_back(c + 1);
        row.end_row();
    }
    row.cell_weight = {1, 1, 5, 1, 1};
    row.edge_weight = {1, 1, 2, 2, 9, 9, 1, 1};
    const std::vector<int> before = {0, 1, 0, 2, 2}, hosts(3, 0);
    auto part = before;
    // Between two equal pieces of one part the first stays, so cell 2 would have to go, with weight 5.
    EXPECT_EQ(join_stray_pieces(row, components_of(row), hosts, std::vector<std::int64_t>{5}, part, 3), 1);
    EXPECT_EQ(part, before);
    EXPECT_EQ(join_stray_pieces(row, components_of(row), hosts, std::vector<std::int64_t>{7}, part, 3), 0);
    EXPECT_EQ(part, (std::vector<int>{0, 1, 2, 2, 2}));  // across the heavier edge
}

TEST(GraphWeights, HaloCellsCountAsTheHeaviestEdgeThatLeadsToThem) {
    // Cell 0 touches cells 1 and 2 of another part: its values are sent there once.
    Graph graph;
    graph.neighbour = {1, 2, 0, 2, 0, 1};
    graph.offset = {0, 2, 4, 6};
    graph.edge_weight = {3, 8, 3, 1, 8, 1};
    const PartGraph found = graph_of_parts(graph, std::vector<int>{0, 1, 1}, 2, 1);
    EXPECT_EQ(found.received, (std::vector<std::int64_t>{3 + 8, 8}));  // two cells, and one
    EXPECT_EQ(found.sent, (std::vector<std::int64_t>{8, 3 + 8}));
}

}  // namespace
