// What groups of cells at rates of their own ask of a partition.
#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "groundswell/graph/curve/stretch.hpp"
#include "groundswell/graph/map/part_graph.hpp"

namespace {

using namespace groundswell::graph;

// Cells in a row, with a group each; a cell weighs as much as it has steps between meetings.
Graph row_of(const std::vector<std::int32_t>& group, int rate) {
    Graph graph;
    graph.group = group;
    const auto last = static_cast<std::int32_t>(group.size()) - 1;
    for (std::int32_t c = 0; c <= last; ++c) {
        if (c > 0) graph.neighbour.push_back(c - 1);
        if (c < last) graph.neighbour.push_back(c + 1);
        graph.end_row();
    }
    const std::vector<std::int64_t> steps = steps_of_groups(graph, rate);
    for (const std::int32_t g : group) graph.cell_weight.push_back(steps[g]);
    return graph;
}

TEST(GroupSteps, FinerGroupsStepOftener) {
    EXPECT_EQ(steps_of_groups(row_of({0, 1, 2}, 3), 3), (std::vector<std::int64_t>{9, 3, 1}));
    EXPECT_EQ(steps_of_groups(Graph{}, 2), (std::vector<std::int64_t>{1}));
}

TEST(GroupSteps, EachStepBringsOneMessageOfANeighbour) {
    // Between the parts lie two cells of group 0, which step four times, then a fine and a coarse one, then two coarse ones.
    const Graph graph = row_of({0, 0, 0, 1, 1, 1}, 4);
    EXPECT_EQ(messages_received(graph, 4, std::vector<int>{0, 1, 1, 1, 1, 1}, 2),
              (std::vector<std::int64_t>{4, 4}));
    // Pieces of the coarse step come at once, and so does the sum of the fine ones.
    EXPECT_EQ(messages_received(graph, 4, std::vector<int>{0, 0, 0, 1, 1, 1}, 2),
              (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(messages_received(graph, 4, std::vector<int>{0, 0, 0, 0, 1, 1}, 2),
              (std::vector<std::int64_t>{1, 1}));
    // Whatever passes the same way in one step shares its message.
    EXPECT_EQ(messages_received(graph, 4, std::vector<int>{0, 1, 0, 0, 1, 0}, 2),
              (std::vector<std::int64_t>{5, 5}));
}

TEST(GroupSteps, MessagesHoldWhatIsRead) {
    const Graph graph = row_of({0, 0, 0, 1, 1, 1}, 4);
    // The fine part needs four pieces of the coarse cell's step at once, the coarse part one sum of four fine steps.
    const auto across = messages_of_groups(graph, 4, std::vector<int>{0, 0, 0, 1, 1, 1});
    ASSERT_EQ(across.size(), 2U);
    EXPECT_EQ(std::tuple(across[0].to, across[0].from, across[0].group, across[0].times, across[0].reads),
              std::tuple(0, 1, 1, 1, 4));
    EXPECT_EQ(std::tuple(across[1].to, across[1].from, across[1].group, across[1].times, across[1].reads),
              std::tuple(1, 0, 0, 1, 1));
    // However the cells are dealt out, all messages together hold what graph_of_reads() counts.
    for (const auto& part : {std::vector<int>{0, 1, 0, 0, 1, 0}, {0, 1, 2, 0, 1, 2}, {2, 2, 1, 1, 0, 0}}) {
        std::map<std::pair<int, int>, std::int64_t> reads, expected;
        for (const GroupMessage& message : messages_of_groups(graph, 4, part))
            reads[{message.to, message.from}] += message.times * message.reads;
        const PartGraph parts = graph_of_reads(graph, 4, part, 3);
        for (int p = 0; p < 3; ++p)
            for (auto j = parts.offset[p]; j < parts.offset[p + 1]; ++j)
                expected[{p, parts.neighbour[j]}] = parts.received[j];
        EXPECT_EQ(reads, expected);
    }
}

TEST(GroupSteps, PartsOfEqualWeightMayStillWaitForEachOther) {
    // A part of one cell that steps four times, and one of four that step once, half as they begin and half as they end.
    const Graph graph = row_of({0, 2, 2, 2, 2}, 2);
    const std::vector<int> apart{0, 1, 1, 1, 1};
    // In the first and the last of four steps the second part has 2 to do, in the others only the first part has anything: 1.
    EXPECT_DOUBLE_EQ(imbalance_in_step(graph, 2, apart, 2), (2.0 + 1.0 + 1.0 + 2.0) / 4.0 - 1.0);
    EXPECT_DOUBLE_EQ(imbalance_in_step(graph, 2, std::vector<int>{0, 0, 0, 0, 0}, 1), 0.0);
}

TEST(GroupSteps, ACutAlongACurveGivesPartsTheirShareOfEachGroup) {
    std::vector<std::int32_t> group;
    for (int c = 0; c < 400; ++c) group.push_back(c < 100 ? 0 : c < 300 ? 1 : 2);
    const Graph graph = row_of(group, 2);
    for (const int parts : {2, 4, 5, 20})
        EXPECT_DOUBLE_EQ(imbalance_in_step(graph, 2, cut_along(graph, parts), parts), 0.0) << parts;
    Graph together = graph;
    together.group.clear();
    EXPECT_GT(imbalance_in_step(graph, 2, cut_along(together, 4), 4), 0.2);
}

}  // namespace
