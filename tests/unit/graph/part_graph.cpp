// What parts exchange, against the parts themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace {

using namespace groundswell::graph;
using namespace groundswell::voronoi;

/// Neighbour and cells received from it, of every part, from the parts as ranks hold them.
std::vector<std::map<int, std::int64_t>> from_local_meshes(const GlobalMesh& mesh,
                                                           const std::vector<int>& part, int parts,
                                                           int layers) {
    Extractor extractor(mesh, part, parts, layers);
    std::vector<std::map<int, std::int64_t>> received(parts);
    for (int p = 0; p < parts; ++p) {
        const LocalMesh local = extractor.local_mesh(p);
        for (std::int32_t h = local.owned; h < local.total; ++h) ++received[p][local.owner[h]];
    }
    return received;
}

TEST(MeshPartGraph, CountsTheHaloCellsThatRanksHold) {
    const GlobalMesh mesh = order_along_curve(icosahedral(14, 4000.0));
    for (const int parts : {1, 2, 9, 60, 400}) {
        for (const int layers : {1, 2}) {
            const Graph graph = graph_of(mesh);
            const std::vector<int> part = partition(graph, parts).part;
            const PartGraph found = graph_of_parts(graph, part, parts, layers);
            ASSERT_EQ(found.parts(), parts);
            const auto expected = from_local_meshes(mesh, part, parts, layers);
            for (int p = 0; p < parts; ++p) {
                std::map<int, std::int64_t> row;
                for (std::int64_t j = found.offset[p]; j < found.offset[p + 1]; ++j) {
                    row[found.neighbour[j]] = found.received[j];
                    EXPECT_EQ(found.sent[j], expected[found.neighbour[j]].at(p));
                    EXPECT_TRUE(j == found.offset[p] || found.neighbour[j - 1] < found.neighbour[j]);
                }
                EXPECT_EQ(row, expected[p]) << "part " << p << " of " << parts;
            }
        }
    }
}

TEST(MeshPartGraph, PartsWithoutCellsHaveNoNeighbours) {
    const Graph graph = graph_of(icosahedral(1, 4000.0));
    const std::vector<int> part = {3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5};
    const PartGraph found = graph_of_parts(graph, part, 8, 1);
    EXPECT_EQ(found.offset, (std::vector<std::int64_t>{0, 0, 0, 0, 1, 1, 2, 2, 2}));
    EXPECT_EQ(found.neighbour, (std::vector<int>{5, 3}));
}

}  // namespace
