#pragma once

#include <mpi.h>

#include <optional>

#include "groundswell/quake/case.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/fault/case/input.hpp"

namespace groundswell::quake {

/// Ground of a case, for make_domain(); the case outlives it.
GroundOptions ground_of(const Case& run);

/// Faults of the case, if it has any; the case outlives it. See make_fault_input(). Collective.
std::optional<FaultInput> fault_input_of(MPI_Comm comm, const Case& run, const tetra::LocalMesh& mesh);

}  // namespace groundswell::quake
