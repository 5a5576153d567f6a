#pragma once

#include <string>
#include <vector>

#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/run/command_line.hpp"

namespace groundswell::simulation {

/// Options on the command line of a run.
struct RunOptions {
    std::string case_file;
    std::vector<std::string> set;
    std::string restart, output_folder, json, timeline;
    bool overwrite = false, check = false, explain = false, reference = false, quiet = false;
    bool rate = false;  ///< shown in the progress line
};

/// The options of a run on a command line. `options` must outlive the reading of it.
void add_run_options(Command& command, RunOptions& options);

/// A run from the case file to the summary. Starts and ends MPI. Returns the program's exit code.
int run(const RunOptions& options, const std::vector<ModelKind>& kinds);

}  // namespace groundswell::simulation
