#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/output_streams.hpp"
#include "groundswell/sea/time_plan.hpp"

namespace groundswell::cli {

/// What a run measured, gathered over ranks.
struct RunMeasurement {
    parallel::ReadCost mesh, restart;  ///< of this rank, to read them
    int moved_ranks = 0;               ///< processes that the MPI library gave another rank
    std::int64_t first_step = 0;       ///< after a restart, the step it began with
    double wall_seconds = 0.0;         ///< from the first step to the last file closed
    double blocked_before = 0.0;       ///< s that output calls took of the set-up
    parallel::CoreReport cores;
    std::vector<std::pair<double, double>> samples;  ///< simulated and wall seconds since the first step
};

/// The steps of a run and what limits them: `step_seconds`, `source_step_seconds` and `limiting` of run.json.
nlohmann::json steps_result(const sea::Model& model, const sea::TimePlan& plan);

/// The `result` of `run`'s JSON. Collective.
nlohmann::json run_result(MPI_Comm comm, sea::Model& model, const sea::TimePlan& plan,
                          const sea::OutputStreams& outputs, const parallel::CoreWatch& watch,
                          const RunMeasurement& measurement);

/// The same for people: first what slowed the run, if anything did; then the phases by size, which add up to
/// the wall clock, speed, memory, cores, the exchange, and what the output cost the model and its writers.
/// `folder`: where the output is.
std::string run_summary(const nlohmann::json& result, const std::string& folder);

}  // namespace groundswell::cli
