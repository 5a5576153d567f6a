#pragma once

#include "groundswell/simulation/run/command_line.hpp"
#include "groundswell/simulation/run/run.hpp"

namespace groundswell::simulation {

/// The options of a run on a command line. `options` must outlive the reading of it.
void add_run_options(Command& command, RunOptions& options);

}  // namespace groundswell::simulation
