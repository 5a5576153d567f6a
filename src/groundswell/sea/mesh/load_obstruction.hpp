#pragma once

#include <mpi.h>

#include <string>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/propagation/obstruction.hpp"

namespace groundswell::sea {

/// Reads what `mesh make --obstruction` writes, for the faces of owned cells. Throws base::Refusal on all ranks for a file of another mesh
/// than `mesh_file`, from which `mesh` was loaded, and for shares that are none. No rank holds more of the file than a piece and its own
/// faces. Collective.
Obstruction read_obstruction(MPI_Comm comm, const std::string& path, const std::string& mesh_file,
                             const voronoi::LocalMesh& mesh);

}  // namespace groundswell::sea
