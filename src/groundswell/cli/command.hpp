#pragma once

#include <functional>

#include "groundswell/simulation/run/command_line.hpp"

/// The subcommands of the program, one file each.
namespace groundswell::cli {

/// What a parsed subcommand does; returns the program's exit code. It may throw Refusal, RunFailure or
/// Defect.
using Action = std::function<int()>;

/// Each adds a subcommand with its options to the program and returns what to do when it was chosen.
Action add_run(simulation::Command& program);
Action add_compare(simulation::Command& program);
Action add_verify(simulation::Command& program);
Action add_doctor(simulation::Command& program);
Action add_proxy(simulation::Command& program);
Action add_halo(simulation::Command& program);
Action add_partition(simulation::Command& program);
Action add_volume(simulation::Command& program);
Action add_clusters(simulation::Command& program);
Action add_box(simulation::Command& program);

}  // namespace groundswell::cli
