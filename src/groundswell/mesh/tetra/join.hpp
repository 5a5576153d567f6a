#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::tetra {

struct JoinedVertex {
    std::int64_t number = 0;
    Point place{};
};

/// Makes vertices one that lie no farther apart than `distance`, m, above 0, or that a chain of others joins so: each takes number
/// and place of the one with the lowest number. `vertices`: those that this rank's cells have; the same may come on several
/// ranks. Warns where none are so near; `path` names the mesh. Collective.
void join_vertices(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
                   std::span<JoinedVertex> vertices, double distance);

}  // namespace groundswell::tetra
