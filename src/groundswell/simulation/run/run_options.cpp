#include "groundswell/simulation/run/run_options.hpp"

#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::simulation {

void add_run_options(Command& command, RunOptions& options) {
    command.option("case", options.case_file, "the case file (TOML)").type_name("CASE.toml");
    command
        .option("--set", options.set, "use this value of a key in place of the case file's; may be repeated")
        .type_name("KEY=VALUE")
        .one_at_a_time();
    command.option("--restart", options.restart, "continue from a restart file, and its output files")
        .type_name("FILE");
    command.option("--output", options.output_folder, "folder for all output").type_name("DIR");
    command.flag("--overwrite", options.overwrite, "replace output files that exist");
    command.flag("--check", options.check, "read and verify all input, run nothing");
    command.flag("--explain", options.explain, "list every parameter with value, unit, default and source");
    command.flag("--reference", options.reference,
                 "print the reference of all case file keys (Markdown), run nothing");
    command.flag("--quiet", options.quiet, "no progress line, no summary");
    command.flag("--rate", options.rate,
                 "also show GFLOP/s and GB/s of the least work that formulas need in the progress line");
    command
        .option("--timeline", options.timeline,
                "write when each rank and thread did what: a file for Perfetto (ui.perfetto.dev) or "
                "chrome://tracing")
        .type_name("FILE");
    add_json_option(command, options.json);
}

}  // namespace groundswell::simulation
