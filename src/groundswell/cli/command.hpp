#pragma once

#include <functional>
#include <span>

#include "groundswell/simulation/run/command_line.hpp"

/// The subcommands of the program, one file each.
namespace groundswell::cli {

/// Action of a parsed subcommand; returns the program's exit code. It may throw Refusal, RunFailure or
/// Defect.
using Action = std::function<int()>;

/// One row of the table of all commands, commands.inc.
struct CommandRow {
    const char* name;
    const char* meaning;
    /// Adds options and help to the command and returns what to do when it was chosen; null for a Python tool.
    Action (*add)(simulation::Command command);
};

/// All commands, in the order of the help.
std::span<const CommandRow> commands();

#define COMMAND(name, meaning) Action add_##name(simulation::Command command);
#define TOOL(name, meaning)
#include "groundswell/cli/commands.inc"
#undef COMMAND
#undef TOOL

}  // namespace groundswell::cli
