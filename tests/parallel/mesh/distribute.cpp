// What ranks hold of a mesh: together all of it, each in the order promised, with the same bits for any
// number of ranks.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/distribute.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "support/mesh/mesh_parts.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using namespace groundswell::voronoi;
using namespace groundswell::voronoi::test;

LocalMesh load(int k, int layers, PartitionMethod method = PartitionMethod::two_level,
               LoadReport* report = nullptr) {
    LoadOptions options;
    options.layers = layers;
    options.method = method;
    LoadedMesh loaded = load_mesh(
        MPI_COMM_WORLD, [k] { return globe(k); }, options);
    if (report != nullptr) *report = loaded.report;
    return std::move(loaded.mesh);
}

/// The same mesh held by one rank, without MPI.
LocalMesh held_alone(GlobalMesh mesh) {
    CullReport report;
    mesh = order_along_curve(cull(std::move(mesh), {}, report));
    const std::vector<int> part(mesh.cells(), 0);
    return Extractor(mesh, part, 1, 1).local_mesh(0);
}

TEST(MeshDistribute, EachCellIsOwnedOnceAndEachNodeWrittenOnce) {
    for (const auto method :
         {PartitionMethod::two_level, PartitionMethod::plain, PartitionMethod::scattered}) {
        const LocalMesh mesh = load(12, 1, method);
        std::vector<int> owners(mesh.global_cells, 0), faces(mesh.global_cells, 0),
            writers(mesh.global_nodes, 0);
        for (std::int32_t c = 0; c < mesh.owned; ++c) {
            EXPECT_EQ(mesh.owner[c], rank_of_world());
            ++owners.at(mesh.id[c]);
            ++faces.at(mesh.face[c]);
        }
        for (const std::int64_t n : mesh.node_id) ++writers.at(n);
        for (auto* counts : {&owners, &faces, &writers}) {
            MPI_Allreduce(MPI_IN_PLACE, counts->data(), static_cast<int>(counts->size()), MPI_INT, MPI_SUM,
                          MPI_COMM_WORLD);
            EXPECT_EQ(std::ranges::count(*counts, 1), static_cast<std::ptrdiff_t>(counts->size()));
        }
        EXPECT_TRUE(std::ranges::is_sorted(mesh.node_id));
    }
}

TEST(MeshDistribute, AreasOfAllRanksSumToTheSphere) {
    const LocalMesh mesh = load_mesh(MPI_COMM_WORLD, [] { return icosahedral(10, 4000.0); }).mesh;
    const double mine = std::accumulate(mesh.area.begin(), mesh.area.begin() + mesh.owned, 0.0);
    EXPECT_NEAR(sum(mine, MPI_DOUBLE) / (4.0 * M_PI * mesh.radius * mesh.radius), 1.0, 1e-12);
}

TEST(MeshDistribute, CellsStandInThePromisedOrder) {
    for (const int layers : {1, 2}) {
        const LocalMesh mesh = load(14, layers);
        ASSERT_TRUE(0 <= mesh.interior() && mesh.interior() <= mesh.owned && mesh.owned <= mesh.total);
        EXPECT_TRUE(std::is_sorted(mesh.id.begin(), mesh.id.begin() + mesh.interior()));
        EXPECT_TRUE(std::is_sorted(mesh.id.begin() + mesh.interior(), mesh.id.begin() + mesh.owned));
        for (std::int32_t h = mesh.owned; h < mesh.total; ++h) {
            EXPECT_NE(mesh.owner[h], rank_of_world());
            if (h == mesh.owned) continue;
            EXPECT_LT(std::pair(mesh.owner[h - 1], mesh.id[h - 1]), std::pair(mesh.owner[h], mesh.id[h]));
        }
        // Rings from the nearest cell of the other kind, by walking the local graph.
        const auto distance = [&](bool from_halo) {
            std::vector<int> rings(mesh.total, 99);
            for (std::int32_t c = 0; c < mesh.total; ++c) {
                if ((c >= mesh.owned) == from_halo) rings[c] = 0;
            }
            for (int ring = 0; ring < 4; ++ring) {
                for (std::int32_t c = 0; c < mesh.total; ++c) {
                    for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
                        const std::int32_t n = mesh.neighbour[j];
                        if (n >= 0 && rings[n] == ring) rings[c] = std::min(rings[c], ring + 1);
                    }
                }
            }
            return rings;
        };
        const std::vector<int> to_halo = distance(true), to_owned = distance(false);
        for (std::int32_t c = 0; c < mesh.interior(); ++c) EXPECT_GT(to_halo[c], layers);
        for (std::int32_t c = mesh.interior(); c < mesh.owned; ++c) EXPECT_LE(to_halo[c], layers);
        for (std::int32_t c = mesh.owned; c < mesh.total; ++c) EXPECT_LE(to_owned[c], layers);
        // Nothing that an update needs is missing: edges of owned cells, and with two rings those of the
        // first ring.
        for (std::int32_t c = 0; c < mesh.total; ++c) {
            if (to_owned[c] >= layers) continue;
            for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
                EXPECT_NE(mesh.neighbour[j], absent);
            }
        }
    }
}

TEST(MeshDistribute, NeighboursAreMutualWithTheSameFace) {
    const LocalMesh mesh = load(12, 2);
    for (std::int32_t c = 0; c < mesh.total; ++c) {
        for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
            const std::int32_t n = mesh.neighbour[j];
            if (n < 0) continue;
            int found = 0;
            for (std::int32_t i = mesh.edge_offset[n]; i < mesh.edge_offset[n + 1]; ++i) {
                found += mesh.neighbour[i] == c && mesh.edge_length[i] == mesh.edge_length[j] &&
                         mesh.edge_lat[i] == mesh.edge_lat[j] &&
                         mesh.edge_distance[i] == mesh.edge_distance[j];
            }
            EXPECT_EQ(found, 1);
        }
    }
}

TEST(MeshDistribute, TheBitsOfACellDoNotDependOnTheRanks) {
    LoadReport report;
    const LocalMesh mesh = load(16, 2, PartitionMethod::two_level, &report);
    const LocalMesh alone = held_alone(globe(16));
    EXPECT_EQ(fingerprint(MPI_COMM_WORLD, mesh), fingerprint(MPI_COMM_SELF, alone));
    EXPECT_EQ(mesh.identity, alone.identity);
    EXPECT_EQ(mesh.smallest_spacing, alone.smallest_spacing);
    EXPECT_EQ(alone.total, alone.interior());
    EXPECT_GT(report.cull.land, 0);
    EXPECT_EQ(report.partition.disconnected_parts, 0);
}

TEST(MeshDistribute, RanksWithFewCellsOrNone) {
    const LocalMesh few = load_mesh(MPI_COMM_WORLD, [] { return icosahedral(1, 4000.0); }).mesh;
    EXPECT_EQ(sum<std::int64_t>(few.owned, MPI_INT64_T), 12);
    const LocalMesh one = load_mesh(MPI_COMM_WORLD, [] {
                              return hexagonal_patch(1, 1, 1e4, 0.0, 0.0, [](double, double) { return 9.0; });
                          }).mesh;
    EXPECT_EQ(sum<std::int64_t>(one.owned, MPI_INT64_T), 1);
    EXPECT_EQ(one.total, one.owned);
    EXPECT_NEAR(one.smallest_spacing, 1.05e4, 1e3);
}

TEST(MeshDistribute, ABadMeshIsRefusedOnAllRanks) {
    EXPECT_THROW(load_mesh(MPI_COMM_WORLD, std::string("/nowhere/mesh.nc")), base::Refusal);
    EXPECT_THROW(load_mesh(MPI_COMM_WORLD, [] { return icosahedral(2, -1.0); }), base::Refusal);
}

}  // namespace
