// Culling, the order of cells, and the partition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/map/mapping.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::graph;
using namespace groundswell::voronoi;

GlobalMesh ordered(int k) {
    return order_along_curve(icosahedral(k, 4000.0));
}

TEST(MeshCulling, LandAndSmallLakesGoLargeSeasStay) {
    // 40 x 5 cells, a column each: sea of 25 columns | land | sea of 11 columns | land | a lake of one cell |
    // land
    //     s s … s L s s … s L . L      (the lake: one cell of column 38, the rest of it land)
    const auto mesh = hexagonal_patch(40, 5, 10000.0, 0.0, 0.0, [](double, double) { return 100.0; });
    GlobalMesh cut = mesh;
    for (int j = 0; j < 5; ++j) {
        for (int i = 0; i < 40; ++i) {
            const bool lake = i == 38 && j == 2;
            if (i == 25 || (i >= 37 && !lake)) cut.depth[j * 40 + i] = -5.0;
        }
    }
    CullReport report;
    const GlobalMesh sea = cull(cut, {}, report);
    EXPECT_EQ(report.mesh_cells, 200);
    EXPECT_EQ(report.land, 5 + 15 - 1);
    EXPECT_EQ(report.enclosed, 1);
    EXPECT_EQ(report.enclosed_waters, 1);
    EXPECT_EQ(report.seas, 2);
    EXPECT_EQ(sea.cells(), 180);
    EXPECT_TRUE(std::ranges::is_sorted(sea.mesh_cell));
    for (std::int32_t c = 0; c < sea.cells(); ++c) {
        EXPECT_GT(sea.depth[c], 0.0);
        for (std::int64_t j = sea.offset[c]; j < sea.offset[c + 1]; ++j) {
            const std::int32_t n = sea.neighbour[j];
            if (n == coast) continue;
            EXPECT_EQ(sea.edge_distance[sea.edge[j]] > 0.0, true);
            // the same pair as before
            const auto old = static_cast<std::int32_t>(sea.mesh_cell[c] - 1);
            EXPECT_EQ(cut.neighbour[cut.offset[old] + (j - sea.offset[c])], sea.mesh_cell[n] - 1);
        }
    }
}

TEST(MeshCulling, ShallowerThanTheDryDepthIsLand) {
    GlobalMesh mesh = icosahedral(3, 4000.0);
    mesh.depth[5] = 1.0;
    CullReport report;
    EXPECT_EQ(cull(mesh, {.dry_depth = 2.0}, report).cells(), 91);
    EXPECT_EQ(report.land, 1);
}

TEST(MeshCulling, AMeshWithoutSeaIsRefused) {
    CullReport report;
    EXPECT_THROW(cull(icosahedral(2, -10.0), {}, report), base::Refusal);
}

TEST(MeshOrdering, TheCurveGoesOverTheSphereWithoutAJump) {
    // Consecutive cells along the curve are near: a jump from face to face of the cube would be thousands of
    // km.
    const GlobalMesh mesh = ordered(40);  // 16002 cells, about 180 km
    double longest = 0.0, sum = 0.0;
    for (std::int32_t c = 1; c < mesh.cells(); ++c) {
        const double step =
            arc(point_at(mesh.lon[c - 1], mesh.lat[c - 1]), point_at(mesh.lon[c], mesh.lat[c])) * mesh.radius;
        longest = std::max(longest, step);
        sum += step;
    }
    EXPECT_LT(sum / mesh.cells(), 1.6 * 180e3);
    EXPECT_LT(longest, 8.0 * 180e3);
}

TEST(MeshOrdering, DoesNotDependOnTheOrderBefore) {
    const GlobalMesh mesh = icosahedral(5, 4000.0);
    std::vector<std::int32_t> backwards(mesh.cells());
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    const GlobalMesh a = order_along_curve(mesh), b = order_along_curve(take_cells(mesh, backwards));
    EXPECT_EQ(a.mesh_cell, b.mesh_cell);
    EXPECT_EQ(a.neighbour, b.neighbour);
    EXPECT_EQ(identity(a), identity(b));
}

TEST(MeshOrdering, IdentityTellsMeshesApart) {
    GlobalMesh mesh = ordered(3);
    const std::uint64_t before = identity(mesh);
    mesh.depth[7] += 1e-9;
    EXPECT_NE(identity(mesh), before);
}

TEST(MeshPartition, PartsAreBalancedConnectedAndComplete) {
    const Graph graph = graph_of(ordered(40));
    for (const int parts : {2, 3, 7, 16, 64, 200}) {
        const Partition result = partition(graph, parts);
        std::vector<int> size(parts, 0);
        for (const int p : result.part) ++size.at(p);
        EXPECT_GT(*std::ranges::min_element(size), 0);
        const double mean = 16002.0 / parts;
        EXPECT_LE(result.report.imbalance, 0.02 + 1.0 / mean) << parts;
        EXPECT_EQ(result.report.disconnected_parts, 0) << parts;
        // A hexagon of n hexagonal cells has 6.93 √n sides on its rim, each shared by two parts.
        EXPECT_LT(static_cast<double>(result.report.edge_cut), 1.25 * 0.5 * 6.93 * std::sqrt(mean) * parts)
            << parts;
        EXPECT_EQ(partition(graph, parts).part, result.part);
    }
}

TEST(MeshPartition, PartsStayConnectedInRaggedWaters) {
    // An archipelago: a fifth of the cells are islands.
    GlobalMesh mesh = icosahedral(30, 4000.0);
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if ((static_cast<std::uint64_t>(c) * 2654435761u >> 7) % 5 == 0) mesh.depth[c] = -1.0;
    }
    CullReport report;
    const Graph graph = graph_of(order_along_curve(cull(mesh, {}, report)));
    for (const int parts : {4, 16, 50, 300}) {
        const Partition result = partition(graph, parts);
        EXPECT_EQ(result.report.disconnected_parts, 0) << parts;
        EXPECT_LE(result.report.imbalance, 0.02 + 1.0 * parts / graph.cells()) << parts;
    }
    PartitionOptions options;
    for (int p = 0; p < 24; ++p) options.host_of_part.push_back(p / 8);
    EXPECT_EQ(partition(graph, 24, options).report.disconnected_parts, 0);
}

TEST(MeshPartition, StrayPiecesJoinThePartAroundThem) {
    // 6 x 6 patch cut in two, with one cell of part 1 left inside part 0.
    const Graph graph = graph_of(hexagonal_patch(6, 6, 1e4, 0.0, 0.0, [](double, double) { return 10.0; }));
    std::vector<int> part(36);
    for (int c = 0; c < 36; ++c) part[c] = c % 6 < 3 ? 0 : 1;
    part[7] = 1;
    const auto sea = components_of(graph);
    EXPECT_EQ(count_disconnected_parts(graph, sea, part, 2), 1);
    const std::vector<int> host(2, 0);
    auto refused = part;
    join_stray_pieces(graph, sea, host, std::vector<std::int64_t>{17}, refused,
                      2);  // part 0 has 17 cells already: no room
    EXPECT_EQ(refused, part);
    join_stray_pieces(graph, sea, host, std::vector<std::int64_t>{18}, part, 2);
    EXPECT_EQ(part[7], 0);
    EXPECT_EQ(count_disconnected_parts(graph, sea, part, 2), 0);
}

TEST(MeshPartition, PartsInTwoSeasAreNotCalledDisconnected) {
    GlobalMesh mesh = icosahedral(12, 4000.0);  // a strip of land around the equator
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if (std::fabs(mesh.lat[c]) < 0.15) mesh.depth[c] = -1.0;
    }
    CullReport report;
    const Graph graph = graph_of(order_along_curve(cull(mesh, {}, report)));
    ASSERT_EQ(report.seas, 2);
    EXPECT_EQ(partition(graph, 1).report.disconnected_parts, 0);
    for (const int parts : {3, 8, 100})
        EXPECT_EQ(partition(graph, parts).report.disconnected_parts, 0) << parts;
}

TEST(MeshPartition, TwoLevelsSendLessBetweenHosts) {
    const Graph graph = graph_of(ordered(60));
    PartitionOptions options;
    for (int p = 0; p < 64; ++p) options.host_of_part.push_back(p / 8);
    const auto with = [&](PartitionMethod method) {
        options.method = method;
        return partition(graph, 64, options).report;
    };
    const PartitionReport two = with(PartitionMethod::two_level), plain = with(PartitionMethod::plain),
                          scattered = with(PartitionMethod::scattered);
    EXPECT_LT(two.host_cut, plain.host_cut);
    EXPECT_LT(plain.host_cut, scattered.host_cut);
    EXPECT_EQ(plain.edge_cut, scattered.edge_cut);
    EXPECT_LE(two.imbalance, 0.03);
    EXPECT_EQ(two.disconnected_parts, 0);
}

TEST(MeshPartitionLong, TwoLevelsSendAQuarterLessBetweenHostsOfALargeMachine) {
    const Graph graph = graph_of(ordered(128));  // 163842 cells
    for (const int parts : {256, 4096}) {
        PartitionOptions options;
        for (int p = 0; p < parts; ++p) options.host_of_part.push_back(p / 28);
        const auto off_host = [&](PartitionMethod method, double& all) {
            options.method = method;
            const Partition cut = partition(graph, parts, options);
            EXPECT_EQ(cut.report.disconnected_parts, 0);
            // To the second next whole cell.
            EXPECT_LE(cut.report.imbalance,
                      std::max(0.02, 1.0 * parts / graph.cells()) + 1.0 * parts / graph.cells());
            const PartGraph traffic = graph_of_parts(graph, cut.part, parts, 2);
            all = 0.0;
            for (const std::int64_t cells : traffic.received) all += static_cast<double>(cells);
            return static_cast<double>(cells_between_hosts(traffic, options.host_of_part));
        };
        double all_two = 0.0, all_plain = 0.0;
        const double two = off_host(PartitionMethod::two_level, all_two),
                     plain = off_host(PartitionMethod::plain, all_plain);
        EXPECT_LT(two, 0.75 * plain) << parts;
        EXPECT_LT(all_two, 1.06 * all_plain) << parts;  // what the hosts save is not paid inside them
    }
}

/// A rectangle of sea with 60 round islands and capes of all sizes, drawn by the seed.
Graph awkward_coast(int nx, int ny, std::uint64_t seed) {
    const auto drawn = [&] {  // Knuth's MMIX generator
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(seed >> 33) / 2147483648.0;
    };
    GlobalMesh mesh = hexagonal_patch(nx, ny, 1e4, 0.0, 0.0, [](double, double) { return 50.0; });
    for (int k = 0; k < 60; ++k) {
        const double x = drawn() * nx, y = drawn() * ny, u = drawn(), v = drawn();
        const double radius = (4.0 + 16.0 * u * v) * nx / 240.0;
        for (int c = 0; c < mesh.cells(); ++c) {
            if (std::hypot(c % nx - x, c / nx - y) < radius) mesh.depth[c] = -1.0;
        }
    }
    CullReport report;
    return graph_of(order_along_curve(cull(mesh, {}, report)));
}

TEST(MeshPartition, HalfAsManyPartsOfAnAwkwardCoastHaveMuchShorterBorders) {
    // In open water the borders' length goes with the root of the number of parts. Where METIS has to bring
    // together a part that the coast tore, four parts can cost as much as eight.
    for (const std::uint64_t seed : {3u, 5u}) {
        const Graph graph = awkward_coast(240, 160, seed);
        for (const int fewest : {2, 3}) {
            std::int64_t shorter = 0;
            for (int parts = fewest; parts <= 16; parts *= 2) {
                const PartitionReport cut = partition(graph, parts).report;
                EXPECT_EQ(cut.disconnected_parts, 0) << parts;
                EXPECT_LE(cut.imbalance, 0.02 + 1.0 * parts / graph.cells()) << parts;
                EXPECT_LT(static_cast<double>(shorter), 0.75 * static_cast<double>(cut.edge_cut))
                    << parts / 2 << " and " << parts << " parts, seed " << seed;
                shorter = cut.edge_cut;
            }
        }
    }
}

TEST(MeshPartition, TwoLevelsNeverSendMoreBetweenHostsThanPlainParts) {
    for (const Graph& graph : {awkward_coast(120, 80, 1), awkward_coast(120, 80, 2)}) {
        for (const int per_host : {2, 4}) {
            for (const int parts : {6, 8, 12, 28}) {
                PartitionOptions options;
                for (int p = 0; p < parts; ++p) options.host_of_part.push_back(p / per_host);
                const auto traffic_of = [&](PartitionMethod method, bool mapped) {
                    options.method = method;
                    options.map_to_hosts = mapped;
                    const Partition cut = partition(graph, parts, options);
                    EXPECT_EQ(cut.report.disconnected_parts, 0) << parts;
                    EXPECT_LE(cut.report.imbalance, 0.02 + 1.0 * parts / graph.cells()) << parts;
                    return graph_of_parts(graph, cut.part, parts, options.layers);
                };
                const auto off_host = [&](const PartGraph& traffic) {
                    return cells_between_hosts(traffic, options.host_of_part);
                };
                const auto all = [](const PartGraph& traffic) {
                    return std::accumulate(traffic.received.begin(), traffic.received.end(), std::int64_t{0});
                };
                const PartGraph two = traffic_of(PartitionMethod::two_level, true),
                                mapped = traffic_of(PartitionMethod::plain, true),
                                plain = traffic_of(PartitionMethod::plain, false);
                EXPECT_LE(off_host(two), off_host(mapped)) << parts << " of " << per_host;
                EXPECT_LE(off_host(mapped), off_host(plain)) << parts << " of " << per_host;
                EXPECT_LE(static_cast<double>(all(two)), 1.1 * static_cast<double>(all(plain)))
                    << parts << " of " << per_host;
            }
        }
    }
}

TEST(MeshPartition, HostsWithDifferentNumbersOfRanksGetWhatTheyCanCompute) {
    const Graph graph = graph_of(ordered(30));
    PartitionOptions options;
    options.host_of_part = {4, 4, 4, 9, 4, 9};  // four ranks on one host, two on another, in any order
    const Partition result = partition(graph, 6, options);
    EXPECT_EQ(result.report.method, PartitionMethod::two_level);
    EXPECT_LE(result.report.imbalance, 0.03);
    EXPECT_EQ(result.report.disconnected_parts, 0);
}

TEST(MeshPartition, MorePartsThanCellsLeaveSomeEmpty) {
    const Graph twelve = graph_of(ordered(1));
    for (const int parts : {1, 10, 12, 30}) {
        const Partition result = partition(twelve, parts);
        std::vector<int> size(parts, 0);
        for (const int p : result.part) ++size.at(p);
        EXPECT_EQ(*std::ranges::max_element(size), parts < 12 ? (12 + parts - 1) / parts : 1);
        EXPECT_EQ(result.report.empty_parts, std::max(0, parts - 12));
    }
}

TEST(MeshPartition, MethodsHaveTheNamesOfTheCaseFile) {
    for (const char* text : {"two-level", "plain", "scattered"})
        EXPECT_EQ(name(partition_method(text)), text);
    EXPECT_THROW(partition_method("best"), base::Refusal);
}

}  // namespace
