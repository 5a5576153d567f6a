#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/output/dataset.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/simulation/model.hpp"

/// Restart files: the whole state of a model at the end of a cycle, so that a continued run gives the bits of one
/// that was never interrupted, on any number of ranks and threads. NetCDF (CDF-5).
namespace groundswell::simulation {

/// Path of the restart of a moment: FOLDER/restart_YYYYMMDDTHHMMSS.nc, or FOLDER/restart_12.500000s.nc.
std::string restart_path(const std::string& folder, const Schedule& schedule, base::Instant time);
/// Whether a file of this name is one that restart_path() gives, or one in the making.
bool is_restart_name(std::string_view name);

/// Bytes of one restart file, and of its values on this rank.
std::int64_t restart_bytes(const State& state);
std::int64_t restart_bytes_here(const State& state);

/// Progress of a run: its schedule and the steps it has done.
struct RestartPoint {
    Schedule schedule;  ///< total_steps is not set where it was read from a file
    std::int64_t step = 0;
};

/// Hands the model's state over to be written. The file gets its name only when it is whole; then those of
/// `older`, oldest first, are removed that output.restart.keep does not ask for. `inputs`: remember_inputs(). Collective.
void write_restart(output::Output& output, const std::string& path, const Case& run, const State& state,
                   const RestartPoint& point, const std::string& inputs,
                   const std::vector<std::string>& older);

/// The inputs that a restart file remembers; empty for one of before there were any. Not collective.
std::string read_inputs(const std::string& path);

/// Reads and checks the head of a restart file: refuses one of another mesh, setting, precision, start, or not
/// within the case's period. Not collective: call inside parallel::agree.
RestartPoint read_restart_point(const std::string& path, const Case& run, const State& state);

/// Reads and checks the head of the restart file that another run left for this one to start from: refuses one
/// of another mesh, setting or precision, or of another time than the case's start. Not collective: call inside
/// parallel::agree.
void check_initial_restart(const Case& run, const State& state);

/// Fills the state. Each rank of `comm` reads contiguous rows of the file, a few megabytes at a time, which then
/// go to the ranks that own them. Throws base::Refusal on all ranks. Returns what it cost this rank. Collective.
parallel::ReadCost read_restart_state(MPI_Comm comm, const std::string& path, const State& state);

}  // namespace groundswell::simulation
