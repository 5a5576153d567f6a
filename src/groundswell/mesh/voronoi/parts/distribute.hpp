// From a whole mesh on one rank, made by arithmetic, to each rank's part. Meshes from files never are whole
// on one rank: see slab.hpp and deal.hpp.
#pragma once

#include <mpi.h>

#include <span>

#include "groundswell/mesh/voronoi/global_mesh.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::voronoi {

/// Gives every rank of `comm` its part: `root` cuts them out and sends them one at a time, so that it never
/// holds more than one part besides the mesh. On other ranks only `root` is looked at. Collective.
LocalMesh distribute(MPI_Comm comm, const GlobalMesh& mesh, std::span<const int> part, int layers,
                     int root = 0, std::span<const std::int32_t> group = {}, int groups = 1);

}  // namespace groundswell::voronoi
