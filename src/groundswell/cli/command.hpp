#pragma once

#include <functional>
#include <span>
#include <vector>

#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/run/command_line.hpp"

/// The subcommands of the program, one file each.
namespace groundswell::cli {

/// Action of a parsed subcommand; returns the program's exit code. It may throw Refusal, RunFailure or
/// Defect.
using Action = std::function<int()>;

/// The action of a command whose ranks work together: `run` gets the environment of MPI.
template <class Run>
Action together(Run run) {
    return [run] {
        const parallel::Environment environment;
        return parallel::run_to_exit_code(environment.comm(), [&] { return run(environment); });
    };
}

/// One row of the table of all commands, commands.inc.
struct CommandRow {
    const char* name;
    const char* meaning;
    /// Adds options and help to the command and returns what to do when it was chosen; null for a Python tool.
    Action (*add)(simulation::Command command);
};

/// All commands, in the order of the help.
std::span<const CommandRow> commands();

/// The models of this program, groundswell_models of CMakeLists.txt; a case without the key `model` is one of the first.
const std::vector<simulation::ModelKind>& models();

#define COMMAND(name, meaning) Action add_##name(simulation::Command command);
#define TOOL(name, meaning)
#include "groundswell/cli/commands.inc"
#undef COMMAND
#undef TOOL

}  // namespace groundswell::cli
