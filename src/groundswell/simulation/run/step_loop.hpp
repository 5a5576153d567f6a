#pragma once

#include <string>

#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/report/run_report.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"

namespace groundswell::simulation {

/// From now on SIGTERM asks this process to end its run early, with a restart. Not collective.
void heed_termination();
/// Whether any rank was asked to stop before the first step; says so. Collective.
bool is_stopped_early(MPI_Comm comm);

struct Progress {
    bool shown = false;     ///< by this rank
    bool has_rate = false;  ///< with the rate of computing; on all ranks or none
};

/// Steps from `first_step` to the end, or to the end of the cycle in which a rank was asked to stop, writing what
/// is due. Throws on all ranks what the model or the output meets on any.
/// Collective over the model's communicator.
RunMeasurement step_to_end(const Case& run, Model& model, const Schedule& schedule, std::int64_t first_step,
                           OutputStreams& outputs, const parallel::CoreWatch& watch, Progress shows);

}  // namespace groundswell::simulation
