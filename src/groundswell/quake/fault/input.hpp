#pragma once

#include <mpi.h>

#include <memory>
#include <span>

#include "groundswell/quake/case.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

/// What a case says of its faults, for who solves them; null where it says nothing. Collective: base::Refusal on all ranks for a
/// mesh that has no fault, entries that no place of one lies in, friction that grows with slip, and stress that all of a fault
/// fails under at once. What will not go well is told: elements too coarse for what happens behind a rupture's front, and
/// laws under which nothing can begin.
std::unique_ptr<const FaultInput> make_fault_input(MPI_Comm comm, const Case& run, const Domain& domain);

}  // namespace groundswell::quake
