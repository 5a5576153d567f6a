#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/case.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/fault/case/options.hpp"
#include "groundswell/quake/kernels/kernels.hpp"

namespace groundswell::quake {

/// Ground of a case, by make_domain(). base::Refusal on all ranks for anisotropic rock where something else of the case has no form
/// in it. Collective.
Domain domain_of(MPI_Comm comm, const Case& run);

/// Faults of the case, if it has any; the case outlives it. See make_fault_input(). Collective.
std::optional<FaultInput> fault_input_of(MPI_Comm comm, const Case& run, const tetra::LocalMesh& mesh);

/// GPU of this rank; null where processors compute. Collective.
std::unique_ptr<exec::Device> device_of(MPI_Comm comm, const Case& run);

/// Kernels of the case's order, once it is clear that there is memory for what they work on: the state, what elements read of each
/// other at four faces and in several pieces at some, material. Collective.
template <class Real>
const Kernels<Real>& kernels_of(MPI_Comm comm, const Case& run, const Domain& domain);

}  // namespace groundswell::quake
