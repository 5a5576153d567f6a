// A mesh file that all ranks cut along the curve: the sea, its ids and its parts are those that one rank finds
// from the whole mesh, and no rank reads more than its slab.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/distributed_components.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "support/mesh/mesh_on_disk.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using namespace groundswell::voronoi;
using namespace groundswell::voronoi::test;

class CurveMesh : public MeshOnDisk {
protected:
    void expect_parts_of_the_whole_mesh(int layers) const {
        LoadOptions options;
        options.layers = layers;
        options.method = PartitionMethod::curve;
        const LoadedMesh loaded = load_mesh(MPI_COMM_WORLD, path, options);

        CullReport culled;
        const GlobalMesh sea = order_along_curve(cull(read_mesh(path), {}, culled));
        PartitionOptions how;
        how.method = PartitionMethod::curve;
        const Partition whole = partition(graph_of(sea), ranks, how);
        const LocalMesh mine = Extractor(sea, whole.part, ranks, layers).local_mesh(rank_of_world());
        EXPECT_EQ(loaded.mesh.id, mine.id);
        EXPECT_EQ(loaded.mesh.owner, mine.owner);
        EXPECT_EQ(loaded.mesh.neighbour, mine.neighbour);
        EXPECT_EQ(loaded.mesh.node_id, mine.node_id);
        EXPECT_EQ(loaded.mesh.interior(), mine.interior());
        EXPECT_EQ(fingerprint(MPI_COMM_SELF, loaded.mesh), fingerprint(MPI_COMM_SELF, mine));

        const PartitionReport& found = loaded.report.partition;
        EXPECT_EQ(found.method, PartitionMethod::curve);
        EXPECT_EQ(found.edge_cut, whole.report.edge_cut);
        EXPECT_DOUBLE_EQ(found.imbalance, whole.report.imbalance);
        EXPECT_EQ(found.disconnected_parts, whole.report.disconnected_parts);
        EXPECT_EQ(found.empty_parts, whole.report.empty_parts);
        const CullReport& cull = loaded.report.cull;
        EXPECT_EQ(cull.mesh_cells, culled.mesh_cells);
        EXPECT_EQ(cull.land, culled.land);
        EXPECT_EQ(cull.enclosed, culled.enclosed);
        EXPECT_EQ(cull.enclosed_waters, culled.enclosed_waters);
        EXPECT_EQ(cull.seas, culled.seas);
        EXPECT_EQ(loaded.cost.outline_bytes, 0);
    }
};

/// Two oceans of many cells, lakes of few, and no order in the file.
GlobalMesh waters() {
    GlobalMesh mesh = icosahedral(14, [](double lon, double lat) {
        const bool shore = std::abs(lat - 0.2 * std::sin(3.0 * lon)) < 0.09;
        const bool round_a_lake = std::abs(std::hypot(lon - 1.0, lat - 0.9) - 0.2) < 0.08;
        return shore || round_a_lake ? -10.0 : 3000.0 + 100.0 * std::sin(5.0 * lon);
    });
    return scrambled(std::move(mesh));
}

TEST_F(CurveMesh, PartsAreThoseOfTheWholeMesh) {
    write(order_along_curve(globe(12)));
    for (const int layers : {1, 2}) expect_parts_of_the_whole_mesh(layers);
    const GlobalMesh mesh = waters();
    CullReport culled;
    cull(mesh, {}, culled);
    ASSERT_EQ(culled.seas, 2);
    ASSERT_GE(culled.enclosed_waters, 1);
    write(mesh);
    expect_parts_of_the_whole_mesh(2);
}

TEST_F(CurveMesh, FewerCellsThanRanksAndNoSea) {
    GlobalMesh mesh = icosahedral(1, -5.0);
    write(mesh);
    LoadOptions options;
    options.method = PartitionMethod::curve;
    EXPECT_THROW(load_mesh(MPI_COMM_WORLD, path, options), base::Refusal);
    mesh.depth[3] = mesh.depth[7] = 10.0;
    write(mesh);
    expect_parts_of_the_whole_mesh(1);
    options.reorder = true;
    EXPECT_THROW(load_mesh(MPI_COMM_WORLD, path, options), base::Refusal);
}

TEST_F(CurveMesh, ComponentsAreNamedByTheirLowestRow) {
    // A snake that winds through all blocks many times, rings inside one block, and single cells.
    constexpr std::int32_t cells = 1000;
    std::vector<std::vector<std::int32_t>> rows(cells);
    const auto join = [&](std::int32_t a, std::int32_t b) {
        rows[a].push_back(b);
        rows[b].push_back(a);
    };
    for (std::int32_t i = 0; i < 300; ++i) join((i * 637 + 501) % cells, ((i + 1) * 637 + 501) % cells);
    for (std::int32_t c = 40; c < 44; ++c) {
        if (rows[c].empty() && rows[c + 1].empty()) join(c, c + 1);
    }
    graph::Graph whole;
    for (auto& row : rows) {
        whole.neighbour.insert(whole.neighbour.end(), row.begin(), row.end());
        whole.end_row();
    }
    const std::vector<std::int32_t> number = components_of(whole);
    std::vector<std::int64_t> lowest;
    for (std::int32_t c = 0; c < cells; ++c) {
        if (number[c] == static_cast<std::int32_t>(lowest.size())) lowest.push_back(c);
    }

    const parallel::RowBlocks blocks(cells, ranks, rank_of_world());
    std::vector<std::int64_t> offset{0};
    std::vector<std::int32_t> neighbour;
    for (std::int64_t c = blocks.begin(); c < blocks.end(); ++c) {
        neighbour.insert(neighbour.end(), rows[c].begin(), rows[c].end());
        neighbour.push_back(-1);
        offset.push_back(static_cast<std::int64_t>(neighbour.size()));
    }
    parallel::SparseExchange exchange(MPI_COMM_WORLD);
    const auto found = components_of(MPI_COMM_WORLD, exchange, blocks, offset, neighbour);
    ASSERT_EQ(static_cast<std::int64_t>(found.size()), blocks.mine());
    for (std::size_t c = 0; c < found.size(); ++c)
        EXPECT_EQ(found[c], lowest[number[blocks.begin() + static_cast<std::int64_t>(c)]]);
}

}  // namespace
