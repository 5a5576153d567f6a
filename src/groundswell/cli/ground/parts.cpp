#include "groundswell/cli/ground/parts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/elements/connections.hpp"
#include "groundswell/quake/kernel_set.hpp"

namespace groundswell::cli {

namespace {

quake::BatchLayout layout_of(const GroundRequest& request) {
    return request.precision == "float" ? quake::wave_kernels<float>(request.order).layout
                                        : quake::wave_kernels<double>(request.order).layout;
}

}  // namespace

std::size_t bytes_of_side(const GroundRequest& request) {
    return layout_of(request).trace * (request.precision == "float" ? sizeof(float) : sizeof(double));
}

CutMesh cut_mesh_of(const GroundRequest& request, const Ground& ground, const quake::Clusters& clusters) {
    const auto cells = ground.slab.blocks.rows;
    base::require(cells <= std::numeric_limits<std::int32_t>::max(), "command line", "volume",
                  std::to_string(cells) + " cells", "at most 2147483647");
    const auto position = tetra::places_on_curve(MPI_COMM_SELF, ground.slab);
    std::vector<std::int32_t> order(position.size()), place(position.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t c) { return position[c]; });
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);

    const std::vector<std::int64_t> cost =
        quake::costs_of(ground.slab.cell, ground.material, request.fault_face_cost);
    std::vector<std::int64_t> updates(clusters.cells.size(), 1);  // of each cluster, between meetings
    for (auto c = std::ssize(updates) - 1; c > 0; --c) updates[c - 1] = updates[c] * clusters.rate;
    CutMesh mesh;
    mesh.rate = clusters.rate;
    for (const std::int32_t c : order) {
        const std::int64_t own = updates[clusters.of[c]];
        mesh.graph.group.push_back(clusters.of[c]);
        mesh.graph.cell_weight.push_back(own * cost[c]);
        for (const tetra::Across& across : ground.neighbours[c]) {
            if (across.cell < 0) continue;
            mesh.graph.neighbour.push_back(place[across.cell]);
            mesh.graph.edge_weight.push_back(own + updates[clusters.of[across.cell]]);
        }
        mesh.graph.end_row();
    }
    return mesh;
}

SidePlan plan_of_sides(MPI_Comm comm, parallel::SparseExchange& exchange, const GroundRequest& request,
                       const Ground& ground, const quake::Clusters& clusters) {
    const tetra::LocalMesh mesh = tetra::deal_cells(
        comm, exchange, ground.slab, ground.neighbours, clusters.of, static_cast<int>(clusters.cells.size()),
        quake::costs_of(ground.slab.cell, ground.material, request.fault_face_cost));
    const quake::Connections connections(mesh, clusters.rate, layout_of(request).lanes);
    std::vector<std::int64_t> owned, needed;
    for (const auto& cluster : connections.passages) {
        for (const quake::Passage* passage : {&cluster.whole, &cluster.pieces, &cluster.sums}) {
            std::ranges::copy_if(passage->owned, std::back_inserter(owned),
                                 [](std::int64_t id) { return id >= 0; });
            needed.insert(needed.end(), passage->needed.begin(), passage->needed.end());
        }
    }
    // What comes from one rank is to stand together: a first plan tells who that is.
    const halo::Plan found(comm, owned, needed);
    std::vector<std::int64_t> by_source;
    for (const std::int32_t position : found.unpack_position()) by_source.push_back(needed[position]);
    needed = std::move(by_source);
    SidePlan sides{std::make_shared<const halo::Plan>(comm, owned, needed), std::move(owned)};
    sides.ids.insert(sides.ids.end(), needed.begin(), needed.end());
    return sides;
}

}  // namespace groundswell::cli
