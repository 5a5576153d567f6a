#include "groundswell/simulation/run/run.hpp"

#include <iostream>
#include <memory>
#include <numeric>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/cores/kept_cores.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile/hardware_counters.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/profile/timeline.hpp"
#include "groundswell/simulation/case/reference.hpp"
#include "groundswell/simulation/report/core_report.hpp"
#include "groundswell/simulation/report/run_report.hpp"
#include "groundswell/simulation/run/begin.hpp"
#include "groundswell/simulation/run/frame.hpp"
#include "groundswell/simulation/run/read_case.hpp"
#include "groundswell/simulation/run/reports.hpp"
#include "groundswell/simulation/run/step_loop.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"

namespace groundswell::simulation {

namespace {

/// A case, or why there is none: found before MPI runs, and told by one rank once it does.
struct CaseOutcome {
    ReadCase read;
    parallel::LocalOutcome outcome;
};

CaseOutcome try_case(const RunOptions& options, const std::vector<ModelKind>& kinds) {
    CaseOutcome found;
    try {
        base::require(!options.case_file.empty(), "command line", "run", "",
                      "a case file: groundswell run CASE.toml");
        found.read = read_case(options.case_file, {options.set, options.output_folder}, kinds);
    } catch (...) {
        found.outcome = parallel::outcome_of_current_exception();
    }
    return found;
}

// MPI is started for several threads where the case asks for a thread that communicates or writes, or leaves it
// to the output. Where the library gives less, the part that needs more refuses it, with the key to change, or
// does without.
parallel::Environment start_mpi(const RunOptions& options, const CaseOutcome& found) {
    using Level = parallel::ThreadLevel;
    Level wanted = Level::funneled;
    if (found.read.run && !options.explain) {
        const Case& run = *found.read.run;
        if (run.wants_all_threads_in_mpi || run.output.mode == "thread" || run.output.mode == "auto")
            wanted = Level::multiple;
    }
    return parallel::Environment(wanted, Level::funneled);
}

// The run on the ranks that compute, `roles` being those of a run with output servers.
int compute(MPI_Comm ranks, const ReadCase& read, const RunOptions& options, const output::Roles* roles,
            const parallel::KeptCores& kept, const parallel::HardwareCounters& counters) {
    if (is_stopped_early(ranks)) return 0;
    const Case& run = *read.run;
    const parallel::LaunchCores launch = look_at_launch(ranks, run.threads, kept);
    const std::unique_ptr<Model> model = read.kind->make(ranks, run);
    const MPI_Comm comm = model->comm();
    const bool first = parallel::rank_of(comm) == 0;
    if (is_stopped_early(comm)) return 0;
    const Beginning beginning = begin(read, options, *model);
    const RestartPoint& begun = beginning.point;
    if (first) model->announce(begun.schedule);
    if (is_stopped_early(comm)) return 0;
    OutputStreams outputs(run, *model, begun.schedule, beginning.outputs, roles);
    if (options.check) {
        report_check(*model, begun.schedule, run, options);
        return 0;
    }
    if (is_stopped_early(comm)) return 0;
    RunMeasurement measurement;
    std::optional<parallel::CoreWatch> watch;
    try {
        outputs.open();
        watch.emplace(comm, launch);
        const auto start_up = parallel::end_start_up();
        model->profile().add(parallel::Phase::setup, std::accumulate(start_up.begin(), start_up.end(), 0.0));
        const std::int64_t heap = parallel::heap_bytes();
        const auto held = parallel::held_memory();
        const parallel::HardwareCounters::Counts counted = counters.read();
        measurement = step_to_end(run, *model, begun.schedule, begun.step, outputs, *watch,
                                  {!options.quiet && first, !options.quiet && options.rate});
        measurement.start_up = start_up;
        measurement.heap_bytes = heap;
        measurement.held_memory = held;
        measurement.hardware = counters.read();
        for (std::size_t i = 0; i < counted.size(); ++i) measurement.hardware[i] -= counted[i];
        measurement.hardware_missing = counters.missing();
        measurement.peak_memory = parallel::peak_memory_bytes();
        const bool is_judged = parallel::max(comm, measurement.wall_seconds) >= least_judged_seconds;
        measurement.limits = find_run_limits(comm, model->number_bytes(), is_judged);
    } catch (const parallel::Agreed&) {
        outputs.abandon();  // what was handed over before is still written
        throw;
    }
    measurement.restart = beginning.cost;
    report_run(comm, run, options,
               run_result(*model, begun.schedule, outputs, *watch, measurement, run.output.folder));
    return 0;
}

// Cores for the threads that do not compute, of which a server has none.
parallel::KeptCores keep_cores(MPI_Comm world, const Case& run, int threads) {
    return parallel::KeptCores(world, run.free_cores, threads, run.file, "run.free_cores");
}

// On ranks of which some are set apart to write.
int compute_and_serve(const parallel::Environment& environment, const RunOptions& options,
                      const CaseOutcome& found, const parallel::HardwareCounters& counters) {
    const MPI_Comm world = environment.comm();
    const Case& run = *found.read.run;
    const int servers = parallel::agree(world, [&] {
        return output::server_count(run.output.servers, environment.size(), run.file, "output.servers");
    });
    const output::Roles roles = output::split_roles(world, servers);
    const parallel::KeptCores kept = keep_cores(world, run, roles.serves ? 0 : run.threads);
    if (roles.serves) {
        output::serve(roles);  // until the ranks that compute end the run
        return 0;
    }
    // The servers hear of the end in any case, so that an error ends them too.
    const int code = parallel::run_to_exit_code(roles.compute.get(), [&] {
        return compute(roles.compute.get(), found.read, options, &roles, kept, counters);
    });
    output::release_servers(roles);
    return code;
}

int run_case(const parallel::Environment& environment, const RunOptions& options, const CaseOutcome& found,
             const parallel::HardwareCounters& counters) {
    parallel::begin_start_up();
    const MPI_Comm world = environment.comm();
    parallel::agree_on(world, found.outcome);
    const Case& run = *found.read.run;
    parallel::agree(world, [&] {
        if (environment.rank() == 0) check_reports(run, options);
    });
    if (options.explain) {
        explain_case(world, found.read, options.json);
        return 0;
    }
    exec::set_threads(run.threads);
    const bool draws = !options.timeline.empty() && !options.check;
    if (draws) {
        parallel::begin_timeline(world, options.timeline);
        exec::watch_shares({parallel::now, [](double begin) {
                                parallel::add_share_to_timeline(exec::thread_index(), begin);
                            }});
    }
    const int code = run.output.mode == "servers" ? compute_and_serve(environment, options, found, counters)
                                                  : compute(world, found.read, options, nullptr,
                                                            keep_cores(world, run, run.threads), counters);
    if (draws) parallel::end_timeline(world);
    return code;
}

// The keys of the kind of model that the case, or else the command line, names; by default the first.
int print_reference(const RunOptions& options, const std::vector<ModelKind>& kinds) {
    const ModelKind* kind = &kinds.front();
    for (const ModelKind& each : kinds)
        for (const std::string& set : options.set)
            if (set == "model=" + each.name) kind = &each;
    std::cout << case_reference(describe_case(kinds, *kind), kind == &kinds.front() ? "" : kind->name)
              << std::flush;
    return 0;
}

}  // namespace

int run(const RunOptions& options, const std::vector<ModelKind>& kinds) {
    if (options.reference) return print_reference(options, kinds);
    if (options.quiet) base::set_message_level(base::MessageLevel::warning);
    // A check that is cut off must not look like one that found nothing.
    if (!options.check && !options.explain) heed_termination();
    const CaseOutcome found = try_case(options, kinds);
    const parallel::HardwareCounters counters;  // before any thread, so that all are counted
    try {
        const parallel::Environment environment = start_mpi(options, found);
        const int code = parallel::run_to_exit_code(
            environment.comm(), [&] { return run_case(environment, options, found, counters); });
        parallel::drop_timeline();  // of a run that failed
        return code;
    } catch (const parallel::AgreedError<base::Refusal>&) {
        return static_cast<int>(base::ExitCode::refused);  // the environment has spoken
    }
}

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
