// A mesh of tetrahedra that only this test knows, dealt out to ranks as a model would whose clusters of cells
// have time steps of their own: weights in the partition, a group for each cluster, a halo for each group.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "groundswell/graph/curve/curve.hpp"
#include "groundswell/graph/curve/hilbert.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/mesh/cut.hpp"
#include "groundswell/mesh/dealer.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/tetrahedra.hpp"
#include "support/weights_along_curve.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::mesh;
using groundswell::test::Tetrahedra;
using parallel::RowBlocks;
using parallel::SparseExchange;

struct Head {
    std::int64_t key = 0, id = 0;
    std::int32_t owner = 0, sides = 0, group = 0;
    std::array<double, 3> centre{};
};
struct Side {
    std::int64_t neighbour = nothing;
};
using Cells = Assembly<Head, Side>;

constexpr Tetrahedra box{8, 5, 4};  // 960 cells

/// Along the curve, from the centres and weights of this rank's block.
std::vector<CellPlace> places_along_curve(SparseExchange& exchange, const RowBlocks& blocks) {
    std::vector<std::array<double, 3>> centre;
    std::vector<std::int64_t> weights;
    for (std::int64_t row = blocks.begin(); row < blocks.end(); ++row) {
        centre.push_back(box.centre(row));
        weights.insert(weights.end(), {box.rate(row) * box.cost(row), 1});
    }
    const auto position = graph::hilbert_positions(MPI_COMM_WORLD, centre);
    const auto weight = test::weights_along_curve(MPI_COMM_WORLD, weights, 2);
    std::vector<graph::CurveCell> cells;
    for (std::size_t i = 0; i < centre.size(); ++i)
        cells.push_back({position[i], blocks.begin() + static_cast<std::int64_t>(i), weight[i]});
    std::vector<CellPlace> places;
    for (const graph::CurvePlace& found :
         graph::cut_along_curve(MPI_COMM_WORLD, exchange, cells, parallel::size_of(MPI_COMM_WORLD)))
        places.push_back({static_cast<std::int32_t>(found.place), found.part});
    return places;
}

/// By METIS, from the whole graph on rank 0.
std::vector<CellPlace> places_by_metis(const RowBlocks& blocks, const DealOptions& options,
                                       DealReport& report) {
    std::vector<int> hosts =
        parallel::hosts_of_all_ranks(MPI_COMM_WORLD, parallel::find_placement(MPI_COMM_WORLD));
    Cut cut;
    if (parallel::rank_of(MPI_COMM_WORLD) == 0)
        cut = cut_graph(box.graph(), options, std::move(hosts), report);
    std::vector<std::int32_t> row(cut.part.size());
    std::iota(row.begin(), row.end(), 0);
    return scatter_places(MPI_COMM_WORLD, blocks, row, cut.part);
}

Cells deal(const DealOptions& options, DealReport& report) {
    SparseExchange exchange(MPI_COMM_WORLD);
    const RowBlocks blocks(box.cells(), parallel::size_of(MPI_COMM_WORLD), parallel::rank_of(MPI_COMM_WORLD));
    const std::vector<CellPlace> places = options.method == graph::PartitionMethod::curve
                                              ? places_along_curve(exchange, blocks)
                                              : places_by_metis(blocks, options, report);
    Rows<Head, Side> rows;
    for (std::int64_t row = blocks.begin(); row < blocks.end(); ++row) {
        const CellPlace& place = places[row - blocks.begin()];
        rows.heads.push_back({row, place.id, place.part, 4, box.cluster(row), box.centre(row)});
        for (const std::int64_t other : box.neighbours(row)) rows.sides.push_back({other});
    }
    return deal_out(MPI_COMM_WORLD, exchange, blocks, std::move(rows), MPI_COMM_WORLD, options.layers,
                    Tetrahedra::clusters);
}

/// The owner of each cell of the box, as all ranks say together.
std::vector<int> owners(const Cells& cells) {
    std::vector<int> owner(static_cast<std::size_t>(box.cells()), 0), times(owner);
    for (std::int32_t c = 0; c < cells.part().owned; ++c) {
        const std::int64_t key = cells.rows().heads[cells.order()[c]].key;
        owner[key] += parallel::rank_of(MPI_COMM_WORLD);
        ++times[key];
    }
    for (auto* values : {&owner, &times})
        MPI_Allreduce(MPI_IN_PLACE, values->data(), static_cast<int>(values->size()), MPI_INT, MPI_SUM,
                      MPI_COMM_WORLD);
    EXPECT_EQ(std::ranges::count(times, 1), box.cells());  // each cell once
    return owner;
}

/// Rings from each cell of the box to the nearest one for which `is_source` holds.
template <class IsSource>
std::vector<int> rings_from(IsSource is_source) {
    constexpr int far = 1000;
    std::vector<int> rings(static_cast<std::size_t>(box.cells()), far);
    for (std::int64_t cell = 0; cell < box.cells(); ++cell) rings[cell] = is_source(cell) ? 0 : far;
    for (int ring = 0; ring < 4; ++ring) {
        for (std::int64_t cell = 0; cell < box.cells(); ++cell) {
            if (rings[cell] != ring) continue;
            for (const std::int64_t other : box.neighbours(cell))
                if (other != Tetrahedra::nothing) rings[other] = std::min(rings[other], ring + 1);
        }
    }
    return rings;
}

struct Way {
    graph::PartitionMethod method;
    int layers;
};

class TetrahedraOnRanks : public testing::TestWithParam<Way> {
protected:
    DealOptions options() const {
        DealOptions options;
        options.method = GetParam().method;
        options.layers = GetParam().layers;
        options.other_imbalances = {0.3};  // memory
        return options;
    }
};

TEST_P(TetrahedraOnRanks, GroupsAreCompleteAndDisjoint) {
    DealReport report;
    const Cells cells = deal(options(), report);
    const Part& part = cells.part();
    const auto key = [&](std::int32_t c) { return cells.rows().heads[cells.order()[c]].key; };
    ASSERT_EQ(part.groups.size(), static_cast<std::size_t>(Tetrahedra::clusters));
    ASSERT_EQ(part.id.size(), static_cast<std::size_t>(part.total));
    const std::vector<int> owner = owners(cells);
    const std::vector<int> to_others =
        rings_from([&](std::int64_t c) { return owner[c] != parallel::rank_of(MPI_COMM_WORLD); });

    std::int32_t next_owned = 0, next_halo = part.owned;
    for (int g = 0; g < Tetrahedra::clusters; ++g) {
        const CellGroup& group = part.groups[g];
        EXPECT_EQ(group.interior.begin, next_owned);
        EXPECT_EQ(group.rim.begin, group.interior.end);
        EXPECT_EQ(group.halo.begin, next_halo);
        next_owned = group.rim.end;
        next_halo = group.halo.end;
        for (const CellRange range : {group.interior, group.rim, group.halo}) {
            for (std::int32_t c = range.begin; c < range.end; ++c) EXPECT_EQ(box.cluster(key(c)), g);
        }
        for (std::int32_t c = group.interior.begin; c < group.interior.end; ++c)
            EXPECT_GT(to_others[key(c)], part.layers);
        for (std::int32_t c = group.rim.begin; c < group.rim.end; ++c)
            EXPECT_LE(to_others[key(c)], part.layers);
        for (const CellRange range : {group.interior, group.rim}) {
            const auto ids = part.ids(range);
            EXPECT_TRUE(std::ranges::is_sorted(ids));
        }
        std::vector<std::pair<int, std::int64_t>> halo;
        for (std::int32_t c = group.halo.begin; c < group.halo.end; ++c)
            halo.emplace_back(part.owner[c], part.id[c]);
        EXPECT_TRUE(std::ranges::is_sorted(halo));
    }
    EXPECT_EQ(next_owned, part.owned);
    EXPECT_EQ(next_halo, part.total);
}

TEST_P(TetrahedraOnRanks, HalosAreTheRingsAroundTheOwnedCells) {
    DealReport report;
    const Cells cells = deal(options(), report);
    const Part& part = cells.part();
    const std::vector<int> owner = owners(cells);
    const std::vector<int> to_mine =
        rings_from([&](std::int64_t c) { return owner[c] == parallel::rank_of(MPI_COMM_WORLD); });

    std::vector<std::int64_t> id_of(static_cast<std::size_t>(box.cells()), 0);
    std::map<std::int64_t, std::int32_t> local;
    for (std::int32_t c = 0; c < part.total; ++c) {
        const Head& head = cells.rows().heads[cells.order()[c]];
        EXPECT_EQ(head.id, part.id[c]);
        EXPECT_EQ(part.owner[c], owner[head.key]);
        EXPECT_EQ(head.centre, box.centre(head.key));
        EXPECT_TRUE(local.emplace(head.key, c).second);
        if (c < part.owned) id_of[head.key] = head.id;
        EXPECT_EQ(c >= part.owned, to_mine[head.key] >= 1 && to_mine[head.key] <= part.layers);
    }
    MPI_Allreduce(MPI_IN_PLACE, id_of.data(), static_cast<int>(id_of.size()), MPI_INT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    for (const auto& [key, c] : local) EXPECT_EQ(part.id[c], id_of[key]);
    EXPECT_EQ(std::set<std::int64_t>(id_of.begin(), id_of.end()).size(), id_of.size());

    // So many cells in each ring, and as many in all as the graph of parts counts.
    const std::int64_t expected =
        std::ranges::count_if(to_mine, [&](int rings) { return rings >= 1 && rings <= part.layers; });
    EXPECT_EQ(part.total - part.owned, expected);
    graph::Graph graph = box.graph();
    graph.edge_weight.clear();
    const graph::PartGraph parts =
        graph::graph_of_parts(graph, owner, parallel::size_of(MPI_COMM_WORLD), part.layers);
    std::int64_t received = 0;
    for (std::int64_t j = parts.offset[parallel::rank_of(MPI_COMM_WORLD)];
         j < parts.offset[parallel::rank_of(MPI_COMM_WORLD) + 1]; ++j)
        received += parts.received[j];
    EXPECT_EQ(received, expected);

    // Neighbours, face by face.
    for (std::int32_t c = 0; c < part.total; ++c) {
        const std::int32_t cell = cells.order()[c];
        const auto sides = cells.sides_of(cell);
        const auto around = box.neighbours(cells.rows().heads[cell].key);
        ASSERT_EQ(sides.size(), around.size());
        for (std::size_t f = 0; f < around.size(); ++f) {
            const std::int32_t beyond = cells.beyond(sides[f]);
            const auto held = local.find(around[f]);
            if (around[f] == Tetrahedra::nothing) {
                EXPECT_EQ(beyond, nothing);
            } else if (held == local.end()) {
                EXPECT_EQ(beyond, absent);
                EXPECT_GE(c, part.owned);
            } else {
                EXPECT_EQ(beyond, held->second);
            }
        }
    }
}

TEST_P(TetrahedraOnRanks, RanksDoEqualWork) {
    DealReport report;
    const Cells cells = deal(options(), report);
    std::int64_t mine = 0, all = 0, heaviest = 0;
    for (std::int64_t cell = 0; cell < box.cells(); ++cell) {
        all += box.rate(cell) * box.cost(cell);
        heaviest = std::max(heaviest, box.rate(cell) * box.cost(cell));
    }
    for (std::int32_t c = 0; c < cells.part().owned; ++c) {
        const std::int64_t key = cells.rows().heads[cells.order()[c]].key;
        mine += box.rate(key) * box.cost(key);
    }
    const double mean = static_cast<double>(all) / parallel::size_of(MPI_COMM_WORLD);
    const double excess = static_cast<double>(parallel::max(MPI_COMM_WORLD, mine)) / mean - 1.0;
    if (GetParam().method == graph::PartitionMethod::curve) {
        EXPECT_LT(excess, 0.35);  // it balances work and memory together, neither by itself
    } else {
        EXPECT_LE(excess, 0.02 + 2.0 * static_cast<double>(heaviest) / mean);
        EXPECT_NEAR(parallel::rank_of(MPI_COMM_WORLD) == 0 ? report.partition.imbalance_of[0] : excess,
                    excess, 1e-12);
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, TetrahedraOnRanks,
                         testing::Values(Way{graph::PartitionMethod::plain, 1},
                                         Way{graph::PartitionMethod::plain, 2},
                                         Way{graph::PartitionMethod::curve, 1},
                                         Way{graph::PartitionMethod::curve, 2}));

}  // namespace
