#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/profile/hardware_counters.hpp"
#include "groundswell/parallel/profile/mpi_calls.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/simulation/limits/run_limits.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"

namespace groundswell::simulation {

/// Measurements of a run on this rank.
struct RunMeasurement {
    parallel::ReadCost restart;   ///< to read it
    std::int64_t first_step = 0;  ///< after a restart, the step it began with
    std::int64_t last_step = 0;
    double wall_seconds = 0.0;    ///< from the first step to the last file closed
    double blocked_before = 0.0;  ///< s that output calls took of the set-up
    parallel::CoreReport cores;
    std::array<double, parallel::start_up_part_names.size()> start_up{};  ///< s, by part
    /// Calls of MPI by this process before the first step, and after the last file was closed.
    struct {
        std::vector<parallel::MpiCall> before, after;
        std::vector<parallel::MpiCall> places_before, places_after;  ///< by phase
    } mpi;
    std::int64_t heap_bytes = 0;   ///< in use before the first step
    std::int64_t peak_memory = 0;  ///< bytes, before the limits were measured
    RunLimits limits;
    std::array<std::int64_t, parallel::memory_part_names.size()> held_memory{};
    parallel::HardwareCounters::Counts hardware{};   ///< in the steps
    std::string hardware_missing;                    ///< why there are none
    std::vector<std::pair<double, double>> samples;  ///< simulated and wall seconds since the first step

    std::int64_t steps() const { return last_step - first_step; }
};

/// The `result` of `run --check`: the step, and what the model tells of it. Collective.
nlohmann::json check_result(Model& model, const Schedule& schedule);

/// The `result` of `run`'s JSON, and the same for people: first what slowed the run, if anything did; then the
/// phases by size, which add up to the wall clock, speed, memory, cores, the model's own lines, and what the
/// output cost the model and its writers.
struct RunResult {
    nlohmann::json json;
    std::string summary;
};
/// Collective. `folder`: where the output is.
RunResult run_result(Model& model, const Schedule& schedule, const OutputStreams& outputs,
                     const parallel::CoreWatch& watch, const RunMeasurement& measurement,
                     const std::string& folder);

/// See RunResult. `lines`: the model's own.
std::string run_summary(const nlohmann::json& result, const Model::Work& work, const std::string& lines,
                        const std::string& folder);

/// "bin_steps_per_second" of the unit "bin-steps".
std::string speed_key(const Model::Work& work);

}  // namespace groundswell::simulation
