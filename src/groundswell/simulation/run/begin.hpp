#pragma once

#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/run/read_case.hpp"
#include "groundswell/simulation/run/run.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"
#include "groundswell/simulation/streams/restart.hpp"

namespace groundswell::simulation {

struct Beginning {
    RestartPoint point;
    OutputStart outputs;
    parallel::ReadCost cost;  ///< of reading a restart file
};

/// Sets the model at the start of the case, or where a restart file ends, and says where it stands, with the options for the output
/// files of a run that begins there. Inputs other than those of the run that wrote the file come before all that follows from them, so
/// that another mesh is refused as that and not for the step that it leads to. Collective.
Beginning begin(const ReadCase& read, const RunOptions& options, Model& model);

}  // namespace groundswell::simulation
