#pragma once

#include <mpi.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/cores/kept_cores.hpp"
#include "groundswell/parallel/profile.hpp"

/// Report of a run on the cores that it had, or had not.
namespace groundswell::simulation {

/// Says at the start, in one line each from one rank, what is wrong with how ranks of so many threads were started.
/// Collective.
parallel::LaunchCores look_at_launch(MPI_Comm comm, int threads, const parallel::KeptCores& kept);

/// Looks at the cores of the steps so far, in which this rank stepped so many cells, and says what is found that was not known from the start, unless
/// something was `said` before. Collective.
parallel::CoreReport look_at_cores(const parallel::CoreWatch& watch, const parallel::Profile& profile,
                                   double cell_steps, bool& said);

/// The part `cores` of a run's JSON, on rank 0. Collective.
nlohmann::json cores_json(MPI_Comm comm, const parallel::CoreWatch& watch,
                          const parallel::CoreReport& report);

/// The part `ranks`: each rank's own times, on rank 0; empty where there are more than `most_ranks_listed`.
/// Collective.
nlohmann::json ranks_json(MPI_Comm comm, const parallel::CoreWatch& watch, const parallel::CoreReport& report,
                          const parallel::Profile& profile, std::int64_t cells);
inline constexpr std::size_t most_ranks_listed = 4096;

/// [{"code", "message", "fix"}].
nlohmann::json findings_json(std::span<const parallel::Finding> findings);

/// For people: what is wrong, with its cure, to stand before everything else. Empty if nothing is.
std::string findings_summary(const nlohmann::json& cores);
/// For people: threads, cores and load.
std::string cores_summary(const nlohmann::json& cores);

}  // namespace groundswell::simulation
