#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/parallel/cores/placement_judgement.hpp"
#include "groundswell/parallel/environment.hpp"

/// Findings of `doctor` about the MPI library and the launcher.
namespace groundswell::cli {

/// Small messages to ranks 1, 2, 4, … away, twice: as many partners as a rank of a large run has. The slowest rank's times,
/// on all ranks. Before anything else, so that there are no connections yet. Collective.
parallel::FirstMessages time_first_messages(MPI_Comm comm);

/// `mpi` of the report but for `io`. Collective.
nlohmann::json look_at_mpi(MPI_Comm comm, const parallel::Environment& environment,
                           const parallel::FirstMessages& messages);

/// For people.
std::string describe_mpi(const nlohmann::json& mpi);

}  // namespace groundswell::cli
