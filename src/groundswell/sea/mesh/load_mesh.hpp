#pragma once

#include <mpi.h>

#include <string>

#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/propagation/obstruction.hpp"

namespace groundswell::sea {

/// Options for reading, partitioning and distributing the mesh of a case.
voronoi::LoadOptions load_options(const Case& run);

/// The mesh of a case, a part on each rank; rank 0 says what was left out. base::Refusal on all ranks for a mesh that is not
/// fit for use. Collective.
voronoi::LoadedMesh load_mesh(MPI_Comm comm, const Case& run);

/// Reads what `mesh make --obstruction` writes, for the faces of owned cells. Throws base::Refusal on all ranks for a file of another mesh
/// than `mesh_file`, from which `mesh` was loaded, and for shares that are none. No rank holds more of the file than a piece and its own
/// faces. Collective.
Obstruction read_obstruction(MPI_Comm comm, const std::string& path, const std::string& mesh_file,
                             const voronoi::LocalMesh& mesh);

}  // namespace groundswell::sea
