#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/cores/kept_cores.hpp"

/// Findings of `doctor` about hosts, cores, memory and each rank's share of them.
namespace groundswell::cli {

/// Conditions with which a run would start.
struct PlannedRun {
    int threads = 1;
    std::string servers = {};  ///< as output.servers; empty: none
    parallel::FreeCores free_cores = {};
};

/// On rank 0; empty on the others.
struct MachineReport {
    std::vector<nlohmann::json> hosts, ranks;
    std::vector<parallel::Finding> findings;
};

/// Launch of the ranks, and a moment's look at who else uses their cores. Throws base::Refusal on all ranks if
/// servers or free cores cannot be so. Collective.
MachineReport look_at_machines(MPI_Comm comm, const PlannedRun& plan);

/// For people.
std::string describe_machines(const MachineReport& report);

}  // namespace groundswell::cli
