#pragma once

#include <mpi.h>

#include <functional>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Faults of a case, for the solver; `fault` outlives it. `of_all_rock`: its stress is also asked for where there is no fault.
/// Reads the grids that this rank needs. base::Refusal on all ranks. Collective.
/// `rupture`: reads that of the case.
FaultInput make_fault_input(MPI_Comm comm, const FaultOptions& fault, bool of_all_rock,
                            const tetra::LocalMesh& mesh, const std::function<Rupture()>& rupture = {});

}  // namespace groundswell::quake
