#include "groundswell/simulation/run/begin.hpp"

#include <fmt/ranges.h>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/simulation/run/remembered_inputs.hpp"

namespace groundswell::simulation {

namespace {

// The inputs, for the restart files of this run; those of the run that wrote the restart file of this one are compared with them. The
// first rank reads the files; all are given the text.
std::string remember(MPI_Comm comm, const ReadCase& read, const RunOptions& options) {
    if (options.check && options.restart.empty()) return "";
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    std::string text = parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) != 0) return std::string();
        std::string here = remember_inputs(read.settings, read.kind->of_state);
        const std::string there = options.restart.empty() ? "" : read_inputs(options.restart);
        if (there.empty()) return here;
        const auto differences =
            compare_inputs(here, there, read.kind->of_state, read.run->file, options.restart);
        if (!differences.empty())
            base::log_warning("restart: this case is not that of the run that wrote {}: {}", options.restart,
                              fmt::join(differences, "; "));
        return here;
    });
    parallel::broadcast(comm, text, 0);
    return text;
}

RestartPoint set_model(const Case& run, const RunOptions& options, Model& model, parallel::ReadCost& cost) {
    const MPI_Comm comm = model.comm();
    const StepRules rules = model.step_rules();
    const State state = model.state();
    RestartPoint point;
    if (options.restart.empty()) {
        point.schedule = parallel::agree(comm, [&] { return make_schedule(run, rules); });
        if (!run.initial_restart.empty()) {
            parallel::agree(comm, [&] { check_initial_restart(run, state); });
            cost = read_restart_state(comm, run.initial_restart, state);
        }
        model.start(point.schedule);
        return point;
    }
    point = parallel::agree(comm, [&] {
        RestartPoint found = read_restart_point(options.restart, run, state);
        found.schedule = continue_schedule(run, found.schedule, rules);
        return found;
    });
    cost = read_restart_state(comm, options.restart, state);
    model.resume(point.schedule, point.step);
    return point;
}

}  // namespace

Beginning begin(const ReadCase& read, const RunOptions& options, Model& model) {
    Beginning begun;
    OutputStart& outputs = begun.outputs;
    outputs.remembered = remember(model.comm(), read, options);
    begun.point = set_model(*read.run, options, model, begun.cost);
    outputs.overwrite = options.overwrite;
    outputs.checks_only = options.check;
    outputs.inputs = read.run->input_files();
    outputs.inputs.push_back(options.restart);
    if (!options.restart.empty()) outputs.continue_after = begun.point.step;
    return begun;
}

}  // namespace groundswell::simulation
