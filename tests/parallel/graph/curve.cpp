// Cells cut into parts along a curve by all ranks together: the same parts for any number of ranks, from cells
// spread over them anyhow, with messages that do not grow with the mesh.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "groundswell/graph/curve/curve.hpp"
#include "groundswell/graph/curve/hilbert.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/measure.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"
#include "support/tetrahedra.hpp"
#include "support/weights_along_curve.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using groundswell::test::Tetrahedra;
using parallel::SparseExchange;

int size_of(MPI_Comm comm) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    return size;
}
int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

enum class Spread { blocks, scattered, one_has_all };

/// The cells of the box that this rank holds.
std::vector<std::int64_t> cells_held(MPI_Comm comm, const Tetrahedra& box, Spread spread) {
    const int size = size_of(comm), rank = rank_of(comm);
    std::vector<std::int64_t> cells;
    for (std::int64_t cell = 0; cell < box.cells(); ++cell) {
        const std::uint64_t drawn = static_cast<std::uint64_t>(cell) * 0x9e3779b97f4a7c15u >> 33;
        const bool mine = spread == Spread::blocks      ? cell * size / box.cells() == rank
                          : spread == Spread::scattered ? static_cast<int>(drawn % size) == rank
                                                        : rank == size - 1;
        if (mine) cells.push_back(cell);
    }
    return cells;
}

/// Part and place of each cell of the box, which every rank learns here.
struct Found {
    std::vector<std::int64_t> part, place;
    std::int64_t messages = 0;  // of this rank
};

Found cut(MPI_Comm comm, const Tetrahedra& box, Spread spread, int parts) {
    const std::vector<std::int64_t> held = cells_held(comm, box, spread);
    std::vector<std::array<double, 3>> centre;
    std::vector<std::int64_t> weights;
    for (const std::int64_t cell : held) {
        centre.push_back(box.centre(cell));
        weights.insert(weights.end(), {box.rate(cell) * box.cost(cell), 1});
    }
    const std::vector<std::uint64_t> position = hilbert_positions(comm, centre);
    const std::vector<std::int64_t> weight = test::weights_along_curve(comm, weights, 2);
    std::vector<CurveCell> cells;
    for (std::size_t i = 0; i < held.size(); ++i) cells.push_back({position[i], held[i], weight[i]});
    SparseExchange exchange(comm);
    const std::vector<CurvePlace> places = cut_along_curve(comm, exchange, cells, parts);
    Found found{std::vector<std::int64_t>(box.cells(), 0), std::vector<std::int64_t>(box.cells(), 0),
                exchange.messages_sent()};
    for (std::size_t i = 0; i < held.size(); ++i) {
        found.part[held[i]] = places[i].part;
        found.place[held[i]] = places[i].place;
    }
    for (auto* values : {&found.part, &found.place})
        MPI_Allreduce(MPI_IN_PLACE, values->data(), static_cast<int>(values->size()), MPI_INT64_T, MPI_SUM,
                      comm);
    return found;
}

TEST(GraphCurve, PartsDependNeitherOnRanksNorOnWhoHoldsWhat) {
    const Tetrahedra box{10, 7, 5};
    for (const int parts : {1, 4, 13}) {
        const Found alone = cut(MPI_COMM_SELF, box, Spread::blocks, parts);
        for (const Spread spread : {Spread::blocks, Spread::scattered, Spread::one_has_all}) {
            const Found found = cut(MPI_COMM_WORLD, box, spread, parts);
            EXPECT_EQ(found.part, alone.part);
            EXPECT_EQ(found.place, alone.place);
        }
        std::vector<std::int64_t> sorted = alone.place;
        std::ranges::sort(sorted);
        for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<std::int64_t>(i));
    }
}

TEST(GraphCurve, PartsHaveEqualWeight) {
    const Tetrahedra box{12, 9, 9};
    const Graph graph = box.graph();
    for (const int parts : {2, 8, 24}) {
        const Found found = cut(MPI_COMM_WORLD, box, Spread::scattered, parts);
        PartitionReport report;
        measure(graph, components_of(graph), std::vector<int>(parts, 0),
                {found.part.begin(), found.part.end()}, report);
        // Both constraints at once: neither is balanced by itself, their sum is.
        std::vector<double> sum(parts, 0.0);
        const std::vector<std::int64_t> total = total_weights(graph);
        double heaviest = 0.0;
        for (std::int32_t c = 0; c < graph.cells(); ++c) {
            double weight = 0.0;
            for (int k = 0; k < 2; ++k)
                weight += static_cast<double>(graph.weight(c, k)) / static_cast<double>(total[k]);
            sum.at(found.part[c]) += weight;
            heaviest = std::max(heaviest, weight);
        }
        for (const double s : sum) EXPECT_LE(std::abs(s - 2.0 / parts), 1.001 * heaviest) << parts;
        if (parts == 8 && rank_of(MPI_COMM_WORLD) == 0) {
            const PartitionReport metis = partition(graph, parts).report;
            EXPECT_LT(report.edge_cut, 2 * metis.edge_cut);
        }
        const double by_chance = 0.5 * static_cast<double>(graph.neighbour.size()) * (1.0 - 1.0 / parts);
        EXPECT_LT(static_cast<double>(report.edge_cut), 0.4 * by_chance) << parts;
    }
}

TEST(GraphCurve, MessagesDoNotGrowWithTheMesh) {
    for (const Spread spread : {Spread::blocks, Spread::scattered}) {
        const std::int64_t few = cut(MPI_COMM_WORLD, {6, 6, 6}, spread, 8).messages;
        const std::int64_t many = cut(MPI_COMM_WORLD, {18, 18, 18}, spread, 8).messages;
        const int ranks = size_of(MPI_COMM_WORLD);
        // Each halving: to at most two or three ranks on either side. Answers: to whom asked.
        const auto most = static_cast<std::int64_t>(6 * std::ceil(std::log2(ranks)) + ranks);
        EXPECT_LE(few, most);
        EXPECT_LE(many, most);
    }
}

TEST(GraphCurve, CellsAtOnePlaceAndRanksWithoutCellsAreNoTrouble) {
    std::vector<CurveCell> cells;
    if (rank_of(MPI_COMM_WORLD) == 0) {
        for (std::int64_t row = 0; row < 10; ++row) cells.push_back({5, 9 - row, 1});
    }
    SparseExchange exchange(MPI_COMM_WORLD);
    const std::vector<CurvePlace> places = cut_along_curve(MPI_COMM_WORLD, exchange, cells, 5);
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(places[i].place, static_cast<std::int64_t>(9 - i));
        EXPECT_EQ(places[i].part, static_cast<int>((9 - i) / 2));
    }
    EXPECT_TRUE(cut_along_curve(MPI_COMM_WORLD, exchange, {}, 3).empty());
}

}  // namespace
