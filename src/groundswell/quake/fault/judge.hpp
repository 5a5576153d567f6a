#pragma once

#include <mpi.h>

#include <string>

#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

/// Looks at what acts on faults at the start. base::Refusal on all ranks for a mesh that has no fault, entries that no place of
/// one lies in, numbers that the law objects to, and stress that all of a fault fails under at once. What will not go well is
/// told: elements too coarse for what happens behind a rupture's front, and laws under which nothing can begin. `mesh`: its
/// name, for people. Collective.
void judge_fault(MPI_Comm comm, const FaultOptions& options, const std::string& mesh, const Fault& fault);

}  // namespace groundswell::quake
