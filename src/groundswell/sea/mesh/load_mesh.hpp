#pragma once

#include <mpi.h>

#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/sea/case.hpp"

namespace groundswell::sea {

/// Options for reading, partitioning and distributing the mesh of a case.
voronoi::LoadOptions load_options(const Case& run);

/// The mesh of a case, a part on each rank; rank 0 says what was left out. base::Refusal on all ranks for a mesh that is not
/// fit for use. Collective.
voronoi::LoadedMesh load_mesh(MPI_Comm comm, const Case& run);

}  // namespace groundswell::sea
