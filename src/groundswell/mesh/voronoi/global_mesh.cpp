#include "groundswell/mesh/voronoi/global_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/hash.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::voronoi {

GlobalMesh take_cells(GlobalMesh mesh, std::span<const std::int32_t> chosen) {
    std::vector<std::int32_t> renumbered(mesh.lon.size(), coast);
    std::size_t sides = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::int32_t c = chosen[i];
        GS_ASSERT(c >= 0 && c < mesh.cells() && renumbered[c] == coast);
        renumbered[c] = static_cast<std::int32_t>(i);
        sides += static_cast<std::size_t>(mesh.offset[c + 1] - mesh.offset[c]);
    }
    const auto gather = [&](auto& values) {
        std::remove_reference_t<decltype(values)> kept;
        kept.reserve(chosen.size());
        for (const std::int32_t c : chosen) kept.push_back(values[c]);
        values = std::move(kept);
    };
    gather(mesh.lon);
    gather(mesh.lat);
    gather(mesh.depth);
    gather(mesh.area);
    gather(mesh.mesh_cell);

    std::vector<std::int64_t> offset{0};
    std::vector<std::int32_t> neighbour, edge, corner;
    offset.reserve(chosen.size() + 1);
    neighbour.reserve(sides);
    edge.reserve(sides);
    corner.reserve(sides);
    for (const std::int32_t c : chosen) {
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            const std::int32_t other = mesh.neighbour[j];
            neighbour.push_back(other == coast ? coast : renumbered[other]);
            edge.push_back(mesh.edge[j]);
            corner.push_back(mesh.corner[j]);
        }
        offset.push_back(static_cast<std::int64_t>(edge.size()));
    }
    mesh.offset = std::move(offset);
    mesh.neighbour = std::move(neighbour);
    mesh.edge = std::move(edge);
    mesh.corner = std::move(corner);
    return mesh;
}

double smallest_spacing(const GlobalMesh& mesh) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < mesh.edge.size(); ++j) {
        if (mesh.neighbour[j] != coast) smallest = std::min(smallest, mesh.edge_distance[mesh.edge[j]]);
    }
    if (std::isfinite(smallest)) return smallest;
    for (const double area : mesh.area) smallest = std::min(smallest, std::sqrt(4.0 * area / base::pi));
    return smallest;
}

std::uint64_t cell_identity(std::int64_t mesh_cell, double lon, double lat, double depth) {
    return (base::Hash() << mesh_cell << lon << lat << depth).value();
}

std::uint64_t identity(const GlobalMesh& mesh) {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < mesh.lon.size(); ++c)
        sum += cell_identity(mesh.mesh_cell[c], mesh.lon[c], mesh.lat[c], mesh.depth[c]);
    return sum;
}

std::vector<std::int32_t> compact_numbering(std::span<const std::int32_t> used, std::int32_t count) {
    std::vector<std::int32_t> number(count, -1);
    for (const std::int32_t thing : used) number[thing] = 0;
    std::int32_t next = 0;
    for (std::int32_t& n : number) {
        if (n == 0) n = next++;
    }
    return number;
}

graph::Graph graph_of(const GlobalMesh& mesh) {
    graph::Graph graph;
    graph.offset.reserve(mesh.lon.size() + 1);
    graph.neighbour.reserve(mesh.neighbour.size());
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            if (mesh.neighbour[j] != coast) graph.neighbour.push_back(mesh.neighbour[j]);
        }
        graph.end_row();
    }
    return graph;
}

}  // namespace groundswell::voronoi
