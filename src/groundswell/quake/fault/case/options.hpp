#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The section [fault]; empty where a case has none.
std::optional<FaultOptions> read_fault(const simulation::Section& section);

/// Faults of a case, for the solver; `fault` outlives it. `of_all_rock`: its stress is also asked for where there is no fault.
/// Reads the grids that this rank needs. base::Refusal on all ranks. Collective.
/// `rupture`: reads that of the case.
FaultInput make_fault_input(MPI_Comm comm, const FaultOptions& fault, bool of_all_rock,
                            const tetra::LocalMesh& mesh, const std::function<Rupture()>& rupture = {});

/// Looks at what acts on faults at the start. base::Refusal on all ranks for a mesh that has no fault, entries that no place of
/// one lies in, numbers that the law objects to, and stress that all of a fault fails under at once. What will not go well is
/// told: elements too coarse for what happens behind a rupture's front, and laws under which nothing can begin. `mesh`: its
/// name, for people. Collective.
void judge_fault(MPI_Comm comm, const FaultOptions& options, const std::string& mesh, const Fault& fault);

/// One table [[fault.set]], for a law.
FaultEntry read_fault_entry(const simulation::Section& entry, const LawDescription& law);

}  // namespace groundswell::quake
