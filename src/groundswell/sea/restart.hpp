#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/time_plan.hpp"

/// Restart files: the whole state of the model after a step, so that a continued run gives the bits of one
/// that was never interrupted, on any number of ranks and threads. NetCDF (CDF-5), cells in mesh-file order.
namespace groundswell::sea {

/// Path of the restart of a moment: FOLDER/restart_YYYYMMDDTHHMMSS.nc.
std::string restart_path(const std::string& folder, base::Instant time);
/// That of the restart after `step`.
std::string restart_path(const std::string& folder, const TimePlan& plan, std::int64_t step);
/// Whether a file of this name is one that restart_path() gives, or one in the making.
bool is_restart_name(std::string_view name);

/// Bytes of one restart file.
std::int64_t restart_bytes(const voronoi::LocalMesh& mesh, const SpectralGrid& grid);

/// Hands the model's state over to be written. The file gets its name only when it is whole; then those of
/// `older`, oldest first, are removed that output.restart.keep does not ask for. Collective.
void write_restart(output::Output& output, const std::string& path, const Case& run, const Model& model,
                   const TimePlan& plan, const output::Decomposition& faces,
                   const std::vector<std::string>& older);

/// Bytes of values of a restart file on this rank.
std::int64_t restart_bytes_here(const voronoi::LocalMesh& mesh, const SpectralGrid& grid);

/// Where a restart file stands.
struct RestartPoint {
    TimePlan plan;  ///< of the run that wrote it; total_steps is not set
    std::int64_t step = 0;
};

/// Reads and checks the head of a restart file: refuses one of another mesh, spectrum, precision, start, or
/// not within the case's period. Not collective: call inside parallel::agree.
RestartPoint read_restart_point(const std::string& path, const Case& run, const voronoi::LocalMesh& mesh,
                                const SpectralGrid& grid);

/// Reads and checks the head of a restart file that another run left as the sea for this one to start from:
/// refuses one of another mesh, spectrum or precision, or of another time than the case's start. Not
/// collective: call inside parallel::agree.
void check_initial_restart(const Case& run, const voronoi::LocalMesh& mesh, const SpectralGrid& grid);

/// Fills the model's action and source states. Each rank of `comm`, the model's, reads contiguous rows of the
/// file, a few megabytes at a time, which then go to the ranks that own the cells. Throws base::Refusal on
/// all ranks. Returns what it cost this rank. Collective.
parallel::ReadCost read_restart_state(MPI_Comm comm, const std::string& path, Model& model);

}  // namespace groundswell::sea
