#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/parallel/cores/finding.hpp"

/// Findings of `doctor` about the machine's speed and the use that the models' kernels make of it.
namespace groundswell::cli {

/// On rank 0; the findings are empty on the others.
struct SpeedReport {
    /// For each number of threads on each host: host, isa, threads, GB/s and GFLOP/s.
    nlohmann::json limits = nlohmann::json::array();
    nlohmann::json kernels = nlohmann::json::array();  ///< each with its shares; empty: left out
    nlohmann::json slow = nlohmann::json::array();     ///< what is said of those below a fifth
    std::string stored_in, not_stored;  ///< the file, none if nothing was measured; why it was not written
    /// Causes of slowness that are faults of this machine: narrow registers, subnormals, and kernels slow beyond doubt.
    std::vector<parallel::Finding> findings;
};

/// Tells of narrow registers. If it `measures`, which takes some seconds: the limits with so many threads of each rank, and alone
/// also with one and with all cores, which it stores for runs; then each kernel of both models on a few cells. Collective.
SpeedReport look_at_speed(MPI_Comm comm, int threads, bool measures);

nlohmann::json to_json(const SpeedReport& report);

/// For people.
std::string describe(const SpeedReport& report);

}  // namespace groundswell::cli
