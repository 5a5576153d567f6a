// What parts of a mesh of tetrahedra are said to receive, against what elements read in a run.
#include <gtest/gtest.h>
#include <mpi.h>

#include "groundswell/cli/ground/parts.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/quake/elements/connections.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::cli;

// Soft rock over hard rock, so that there are clusters.
GroundRequest layers(int rate) {
    tetra::BoxOptions box;
    box.cubes = {6, 5, 6};
    box.length = {3000.0, 2500.0, 3000.0};
    box.jitter = 0.15;
    GroundRequest request;
    request.box = box;
    request.precision = "double";
    request.clusters.rate = rate;
    request.clusters.scale = 0.0;
    const quake::StatedRock soft{2000.0, 1000.0, 400.0}, hard{2700.0, 6000.0, 3464.0};
    request.rock =
        quake::RockOptions{true, {{{}, quake::RockProfile{{{3000.0, soft}, {1200.0, hard}}}, ""}}, ""};
    return request;
}

// Sides of faces of other ranks that this rank's elements read from one meeting of all clusters to the next.
std::int64_t sides_read(const tetra::LocalMesh& mesh, const quake::Clusters& clusters) {
    const quake::Connections connections(mesh, clusters.rate, 4);
    std::int64_t steps = 1, sides = 0;  // of a cluster, the coarsest first
    for (auto cluster = connections.passages.rbegin(); cluster != connections.passages.rend(); ++cluster) {
        sides += steps * std::ssize(cluster->whole.needed);
        sides += steps * std::ssize(cluster->pieces.needed);
        sides += steps / clusters.rate * std::ssize(cluster->sums.needed);
        steps *= clusters.rate;
    }
    return sides;
}

// Messages that bring them.
std::int64_t messages_read(const tetra::LocalMesh& mesh, const quake::Clusters& clusters) {
    const quake::Connections connections(mesh, clusters.rate, 4);
    const auto senders = [&](const quake::Passage& passage) {
        auto owned = passage.owned;
        std::erase(owned, -1);
        const halo::Plan plan(MPI_COMM_WORLD, owned, passage.needed);
        return std::ssize(plan.sources());
    };
    std::int64_t steps = 1, messages = 0;
    for (auto cluster = connections.passages.rbegin(); cluster != connections.passages.rend(); ++cluster) {
        messages += steps * (senders(cluster->whole) + senders(cluster->pieces));
        messages += steps / clusters.rate * senders(cluster->sums);
        steps *= clusters.rate;
    }
    return messages;
}

TEST(GroundParts, CountedSidesAreThoseThatElementsRead) {
    const int ranks = parallel::size_of(MPI_COMM_WORLD), rank = parallel::rank_of(MPI_COMM_WORLD);
    for (const int rate : {1, 2, 3}) {
        const GroundRequest request = layers(rate);
        parallel::SparseExchange exchange(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
        const Ground ground = read_ground(MPI_COMM_WORLD, exchange, request);
        const quake::Clusters clusters = quake::choose_clusters(
            MPI_COMM_WORLD, exchange, ground.slab, ground.neighbours, ground.step, request.clusters);
        EXPECT_EQ(clusters.cells.size() > 1, rate > 1);
        const tetra::LocalMesh mesh = tetra::deal_cells(
            MPI_COMM_WORLD, exchange, ground.slab, ground.neighbours, clusters.of,
            static_cast<int>(clusters.cells.size()), quake::costs_of(ground.slab.cell, ground.material, 0.0));

        const Ground whole = read_ground(MPI_COMM_SELF, alone, request);
        const CutMesh cut =
            cut_mesh_of(request, whole,
                        quake::choose_clusters(MPI_COMM_SELF, alone, whole.slab, whole.neighbours, whole.step,
                                               request.clusters));
        graph::PartitionOptions along_curve;
        along_curve.method = graph::PartitionMethod::curve;
        const auto part = graph::partition(cut.graph, ranks, along_curve).part;
        const graph::PartGraph parts = graph::graph_of_reads(cut.graph, cut.rate, part, ranks);
        std::int64_t received = 0;
        for (std::int64_t j = parts.offset[rank]; j < parts.offset[rank + 1]; ++j)
            received += parts.received[j];
        EXPECT_EQ(received, sides_read(mesh, clusters)) << "rate " << rate;
        EXPECT_EQ(received > 0, ranks > 1);
        EXPECT_EQ(graph::messages_received(cut.graph, cut.rate, part, ranks)[rank],
                  messages_read(mesh, clusters));
        // Ranks have their share of each cluster: none waits for another longer than for a cell of each.
        EXPECT_LT(graph::imbalance_in_step(cut.graph, cut.rate, part, ranks),
                  static_cast<double>(ranks * std::ssize(clusters.cells)) / whole.slab.blocks.rows);

        const SidePlan sides = plan_of_sides(MPI_COMM_WORLD, exchange, request, ground, clusters);
        EXPECT_TRUE(sides.plan->lands_in_place());
        EXPECT_EQ(sides.plan->needed() > 0, ranks > 1);
    }
}

}  // namespace
