// What the tests of meshes on several ranks share.
#pragma once

#include <mpi.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace groundswell::voronoi::test {

inline int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// A globe with two continents, a lake and a coast that is not symmetric.
inline GlobalMesh globe(int k) {
    return icosahedral(k, [](double lon, double lat) {
        const bool land = std::hypot(lon - 0.4, lat - 0.5) < 0.6 || std::hypot(lon + 2.0, 1.3 * lat) < 0.5;
        return land ? -100.0 : 3000.0 + 500.0 * std::sin(3.0 * lon) * std::cos(lat);
    });
}

template <class Value>
Value sum(Value mine, MPI_Datatype type) {
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, type, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

/// Order-independent fingerprint of everything about the owned cells, their neighbours by id, and the nodes.
inline std::uint64_t fingerprint(MPI_Comm comm, const LocalMesh& mesh) {
    std::uint64_t total = 0;
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        std::uint64_t hash = 0;
        const auto add = [&](auto value) {
            hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        };
        add(mesh.id[c]);
        add(mesh.mesh_cell[c]);
        add(mesh.face[c]);
        for (const auto* values : {&mesh.lon, &mesh.lat, &mesh.depth, &mesh.area}) add((*values)[c]);
        for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
            const std::int32_t n = mesh.neighbour[j];
            add(n >= 0 ? mesh.id[n] : static_cast<std::int64_t>(n));
            for (const auto* values : {&mesh.edge_length, &mesh.edge_distance, &mesh.edge_bearing,
                                       &mesh.edge_lon, &mesh.edge_lat}) {
                add((*values)[j]);
            }
        }
        for (std::int32_t j = mesh.corner_offset[c]; j < mesh.corner_offset[c + 1]; ++j)
            add(mesh.corner_node[j]);
        total += hash;
    }
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_UINT64_T, MPI_SUM, comm);
    return total;
}

}  // namespace groundswell::voronoi::test
