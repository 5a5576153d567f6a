#pragma once

#include <CLI/App.hpp>
#include <functional>

/// The subcommands of the program, one file each.
namespace groundswell::cli {

/// What a parsed subcommand does; returns the program's exit code. It may throw Refusal, RunFailure or
/// Defect.
using Action = std::function<int()>;

/// Each adds a subcommand with its options to the program and returns what to do when it was chosen.
Action add_run(CLI::App& program);
Action add_compare(CLI::App& program);
Action add_verify(CLI::App& program);
Action add_doctor(CLI::App& program);
Action add_proxy(CLI::App& program);
Action add_halo(CLI::App& program);
Action add_partition(CLI::App& program);
Action add_volume(CLI::App& program);

}  // namespace groundswell::cli
