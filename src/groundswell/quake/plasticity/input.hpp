#pragma once

#include <mpi.h>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/quake/plasticity/plasticity.hpp"

namespace groundswell::quake {

/// Plastic rock of a case, for its kernels. `fault`: whose stress it is under where the options have none;
/// both outlive what is returned. base::Refusal on all ranks for a grid that cannot be read. Collective.
PlasticityInput plasticity_input(MPI_Comm comm, const PlasticityOptions& options, const FaultOptions* fault,
                                 const tetra::LocalMesh& mesh);

}  // namespace groundswell::quake
