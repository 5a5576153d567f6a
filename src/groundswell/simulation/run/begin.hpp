#pragma once

#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/run/read_case.hpp"
#include "groundswell/simulation/run/run.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"
#include "groundswell/simulation/streams/restart.hpp"

namespace groundswell::simulation {

/// Sets the model at the start of the case, or where a restart file ends, and says where it stands. `cost`: of
/// reading a restart file. Collective.
RestartPoint set_model(const Case& run, const RunOptions& options, Model& model, parallel::ReadCost& cost);

/// Options for the output files of a run that begins there. Collective.
OutputStart output_start(MPI_Comm comm, const ReadCase& read, const RunOptions& options,
                         const RestartPoint& begun);

}  // namespace groundswell::simulation
