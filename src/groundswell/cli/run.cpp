#include <fmt/format.h>

#include <bit>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/report/core_report.hpp"
#include "groundswell/cli/report/json_report.hpp"
#include "groundswell/cli/report/progress_line.hpp"
#include "groundswell/cli/report/run_report.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/case_reference.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/output_streams.hpp"
#include "groundswell/sea/restart.hpp"
#include "groundswell/sea/time_plan.hpp"
#include "groundswell/simulation/case/case_file.hpp"

namespace groundswell::cli {

namespace {

struct RunOptions {
    std::string case_file;
    std::vector<std::string> set;
    std::string restart, output_folder, json;
    bool overwrite = false, check = false, explain = false, reference = false, quiet = false;
};

volatile std::sig_atomic_t termination_wanted = 0;
void on_termination(int) {
    termination_wanted = 1;
}

// Whether any rank was asked to stop before the first step; says so. What was set up goes the way of all
// things that leave their scope, the lock of the output folder among them. Collective.
bool is_stopped_early(MPI_Comm comm) {
    if (parallel::max(comm, static_cast<std::int64_t>(termination_wanted)) == 0) return false;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) base::log_info("asked to stop before the first step: nothing was computed");
    return true;
}

void print_explanation(const std::vector<simulation::KeyRecord>& keys) {
    for (const simulation::KeyRecord& key : keys) {
        std::cout << fmt::format("{} = {}{}\n", key.key, key.value.empty() ? "(not given)" : key.value,
                                 key.given ? "" : "   (default)");
        std::cout << fmt::format("    {}", key.meaning);
        if (!key.unit.empty()) std::cout << fmt::format(" [{}]", key.unit);
        std::cout << fmt::format("; default {}", key.default_text.empty() ? "none" : key.default_text);
        if (!key.range.empty()) std::cout << fmt::format(", range {}", key.range);
        if (!key.source.empty()) std::cout << fmt::format("; {}", key.source);
        std::cout << "\n";
    }
}

nlohmann::json explanation_json(const std::vector<simulation::KeyRecord>& keys) {
    nlohmann::json list = nlohmann::json::array();
    for (const simulation::KeyRecord& key : keys)
        list.push_back({{"key", key.key},
                        {"value", key.value},
                        {"given", key.given},
                        {"type", key.type},
                        {"unit", key.unit},
                        {"default", key.default_text},
                        {"range", key.range},
                        {"meaning", key.meaning},
                        {"source", key.source}});
    return {{"parameters", list}};
}

// MPI is started for several threads where the case asks for a thread that communicates or writes, or leaves
// it to the output. Where the library gives less, the part that needs more refuses it, with the key to
// change, or does without. A case that cannot be read is refused later, when the ranks can agree on it.
parallel::Environment start_mpi(const RunOptions& options) {
    using Level = parallel::ThreadLevel;
    Level wanted = Level::funneled;
    try {
        const sea::Case run = sea::read_case(options.case_file, {options.set, options.output_folder});
        if (!options.explain && (run.halo.progress == sea::Progress::thread || run.output.mode == "thread" ||
                                 run.output.mode == "auto"))
            wanted = Level::multiple;
    } catch (const base::Refusal&) {
        // Met again, and told by one rank, once MPI runs.
    }
    return parallel::Environment(wanted, Level::funneled);
}

voronoi::LoadedMesh load_mesh(MPI_Comm comm, const sea::Case& run) {
    voronoi::LoadOptions options;
    options.read.uniform_depth = run.mesh.uniform_depth;
    options.method = graph::partition_method(run.mesh.partition, run.file);
    options.imbalance = run.mesh.imbalance;
    options.map_to_hosts = run.mesh.map_to_hosts;
    options.layers = sea::Propagator::layers(run.propagation.scheme);
    options.reorder = run.halo.reorder;
    voronoi::LoadedMesh loaded = voronoi::load_mesh(comm, run.mesh.file, options);
    const voronoi::LoadReport& report = loaded.report;
    if (loaded.comm.rank() == 0) {
        std::string left_out;
        if (report.cull.land + report.cull.enclosed > 0)
            left_out = fmt::format("; left out: {} on land, {} in {} enclosed waters", report.cull.land,
                                   report.cull.enclosed, report.cull.enclosed_waters);
        base::log_info("mesh {}: {} sea cells{}", run.mesh.file, loaded.mesh.global_cells, left_out);
        if (report.partition.disconnected_parts > 0)
            base::log_warning("{} of {} parts are in several pieces", report.partition.disconnected_parts,
                              loaded.comm.size());
        if (run.halo.reorder)
            base::log_info(
                "halo.reorder: {} moved {} of {} ranks; neighbouring cells on different hosts: {} "
                "pairs, before {}",
                parallel::library().name, report.moved_ranks, loaded.comm.size(),
                report.host_cut_after_reorder, report.partition.host_cut);
    }
    return loaded;
}

void log_plan(const sea::Case& run, const sea::Model& model, const sea::TimePlan& plan) {
    const sea::GlobalStepLimit& limit = model.step_limit();
    base::log_info("{} frequencies × {} directions, {} cells, transport {}{}", model.grid().frequencies,
                   model.grid().directions, model.mesh().global_cells, model.exchange().transport(),
                   model.exchange().selects() ? " (directions that the receiver needs)" : "");
    base::log_info("step {:.4g} s, source terms every {:.4g} s", plan.step_seconds(),
                   plan.source_step_seconds());
    if (run.propagates)
        base::log_info(
            "the longest stable step is {:.4g} s, set by cell {} at {:.3f} E {:.3f} N, frequency {} and "
            "direction {}",
            limit.seconds, limit.mesh_cell, limit.lon / base::degree, limit.lat / base::degree,
            limit.frequency, limit.direction);
    // Outputs at odd moments can force steps far below the stable one, and a run many times as long.
    if (!run.time.step &&
        plan.step_seconds() < 0.5 * run.courant * std::min(limit.seconds, plan.source_step_seconds()))
        base::log_warning(
            "{}: time.end and the outputs have no common interval longer than {}: it sets the step", run.file,
            base::format_duration(plan.interval));
    base::log_info("{} to {}", base::format_instant(plan.start), base::format_instant(run.time.end));
}

std::string progress_text(const sea::Model& model, const sea::TimePlan& plan, std::int64_t first_step,
                          double wall) {
    const double simulated = plan.seconds_at(model.step()) - plan.seconds_at(first_step);
    const double left = plan.seconds_at(plan.total_steps) - plan.seconds_at(model.step());
    const double bin_steps = static_cast<double>(model.mesh().global_cells) * model.grid().bins() *
                             static_cast<double>(model.step() - first_step);
    return fmt::format("{}  {:5.1f} %  {:.1f} days per hour  {:.1f} million bin-steps/s  {} left",
                       base::format_instant(plan.instant_at(model.step())),
                       100.0 * plan.seconds_at(model.step()) / plan.seconds_at(plan.total_steps),
                       simulated / 86400.0 / (wall / 3600.0), 1e-6 * bin_steps / wall,
                       format_seconds(wall * left / simulated));
}

// Steps to the end, or to the end of the source step in which a rank was asked to stop.
RunMeasurement step_to_end(sea::Model& model, const sea::TimePlan& plan, sea::OutputStreams& outputs,
                           const parallel::CoreWatch& watch, const std::string& folder, bool speaks) {
    RunMeasurement measurement;
    measurement.first_step = model.step();
    measurement.blocked_before = outputs.report().blocked_seconds;
    model.profile().start();
    const double begin = parallel::now();
    bool said = false;
    const std::int64_t sample_every = std::max<std::int64_t>(1, (plan.total_steps - model.step()) / 100);
    ProgressLine progress(!speaks);
    const auto write = [&] {
        const parallel::PhaseTimer timer(model.profile(), parallel::Phase::output);
        outputs.write_due(model);
    };
    write();
    while (model.step() < plan.total_steps && !model.stop_requested()) {
        if (termination_wanted != 0) model.request_stop();
        model.advance();
        write();
        const double wall = parallel::now() - begin;
        const std::int64_t steps = model.step() - measurement.first_step;
        if (steps % sample_every == 0) {
            measurement.samples.emplace_back(
                plan.seconds_at(model.step()) - plan.seconds_at(measurement.first_step), wall);
            // Whoever starts a run of hours wants to know in the first minutes.
            if (std::has_single_bit(measurement.samples.size())) look_at_cores(watch, model, steps, said);
        }
        if (progress.is_due()) progress.show(progress_text(model, plan, measurement.first_step, wall));
    }
    {
        const parallel::PhaseTimer timer(model.profile(), parallel::Phase::output);
        if (model.step() < plan.total_steps) outputs.write_restart_now(model);
        outputs.close();
    }
    model.profile().stop();
    measurement.wall_seconds = parallel::now() - begin;
    progress.finish();
    measurement.cores = look_at_cores(watch, model, model.step() - measurement.first_step, said);
    if (speaks && model.step() < plan.total_steps)
        base::log_info("asked to stop: continue with --restart {}",
                       sea::restart_path(folder, plan, model.step()));
    return measurement;
}

int explain_case(const parallel::Environment& environment, const RunOptions& options, int threads,
                 const std::vector<simulation::KeyRecord>& keys) {
    const nlohmann::json report = json_report("run", environment.comm(), threads, explanation_json(keys));
    if (environment.rank() != 0) return 0;
    if (options.json != "-") print_explanation(keys);
    if (!options.json.empty()) write_json(options.json, report);
    return 0;
}

// Sets the model at the start of the case, or where a restart file ends. Returns the plan of its steps, and
// what reading a restart file cost.
sea::TimePlan set_model(MPI_Comm comm, const sea::Case& run, const RunOptions& options, sea::Model& model,
                        parallel::ReadCost& cost) {
    const double longest_step = model.step_limit().seconds;
    if (options.restart.empty()) {
        const sea::TimePlan plan =
            parallel::agree(comm, [&] { return sea::make_time_plan(run, longest_step); });
        if (run.initial.state == sea::InitialState::restart) {
            parallel::agree(comm, [&] { sea::check_initial_restart(run, model.mesh(), model.grid()); });
            cost = sea::read_restart_state(comm, run.initial.file, model);
        }
        model.start(plan);
        return plan;
    }
    const sea::RestartPoint point = parallel::agree(comm, [&] {
        sea::RestartPoint found = sea::read_restart_point(options.restart, run, model.mesh(), model.grid());
        found.plan = sea::continue_time_plan(run, found.plan, longest_step);
        return found;
    });
    cost = sea::read_restart_state(comm, options.restart, model);
    model.restart(point.plan, point.step);
    return point.plan;
}

// run.json in the output folder, the report asked for, and a summary for people.
void report_run(MPI_Comm comm, const sea::Case& run, const RunOptions& options, bool first,
                const nlohmann::json& result) {
    const nlohmann::json report = json_report("run", comm, run.threads, result);
    parallel::agree(comm, [&] {
        if (!first) return;
        write_json(run.output.folder + "/run.json", report);
        if (!options.json.empty()) write_json(options.json, report);
    });
    // On standard output a report stands alone.
    if (first && !options.quiet && options.json != "-")
        std::cout << run_summary(result, run.output.folder) << std::endl;
}

// Names in the output folder that the run gives to files of its own, besides those of the case.
bool is_own_name(const std::string& path, const std::string& folder) {
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    const std::string name = std::filesystem::path(path).filename().string();
    return output::is_same_file(parent.empty() ? "." : parent.string(), folder) &&
           (sea::is_restart_name(name) || name.starts_with(".groundswell") || name.ends_with(".part"));
}

// What is written at the end of the run, refused before it begins.
void check_reports(const sea::Case& run, const RunOptions& options) {
    std::vector<std::string> taken = sea::input_files(run);
    taken.push_back(options.restart);
    const std::string report = run.output.folder + "/run.json";
    std::error_code too_long;  // found, and said, where the folder is made
    if (!options.explain && std::filesystem::is_directory(run.output.folder, too_long))
        check_json_target(report, taken);
    for (const sea::MapSection& map : run.output.maps) taken.push_back(run.output.folder + "/" + map.file);
    for (const sea::PointsSection& points : run.output.points)
        taken.push_back(run.output.folder + "/" + points.file);
    if (is_own_name(options.json, run.output.folder)) taken.push_back(options.json);
    // `--json` may name run.json: it is the same report.
    check_json_target(options.json, taken);
}

// The run on the ranks that compute, `roles` being those of a run with output servers.
int compute(MPI_Comm ranks, const sea::Case& run, const RunOptions& options, const output::Roles* roles,
            double begin) {
    if (is_stopped_early(ranks)) return 0;
    const parallel::LaunchCores launch = look_at_launch(ranks, run.threads);
    const voronoi::LoadedMesh loaded = load_mesh(ranks, run);
    const voronoi::LocalMesh& mesh = loaded.mesh;
    // From here on ranks are those that the mesh was distributed to.
    const MPI_Comm comm = loaded.comm.get();
    const bool first = loaded.comm.rank() == 0;
    if (is_stopped_early(comm)) return 0;
    sea::Model model(comm, run, mesh);
    if (is_stopped_early(comm)) return 0;
    parallel::ReadCost restart_cost;
    const sea::TimePlan plan = set_model(comm, run, options, model, restart_cost);
    if (first) log_plan(run, model, plan);
    if (is_stopped_early(comm)) return 0;
    sea::OutputStart start;
    start.overwrite = options.overwrite;
    start.checks_only = options.check;
    start.inputs = sea::input_files(run);
    start.inputs.push_back(options.restart);
    if (!options.restart.empty()) start.continue_after = model.step();
    sea::OutputStreams outputs(comm, run, model, plan, start, roles);
    if (options.check) {
        if (first) base::log_info("{}: all input is sound; nothing was run", run.file);
        nlohmann::json result = steps_result(model, plan);
        result["checked"] = true;
        const nlohmann::json report = json_report("run", comm, run.threads, result);
        if (first && !options.json.empty()) write_json(options.json, report);
        return 0;
    }
    if (is_stopped_early(comm)) return 0;
    RunMeasurement measurement;
    std::optional<parallel::CoreWatch> watch;
    try {
        outputs.open(model);
        watch.emplace(comm, launch);
        model.profile().add(parallel::Phase::setup, parallel::now() - begin);
        measurement = step_to_end(model, plan, outputs, *watch, run.output.folder, first && !options.quiet);
    } catch (const parallel::Agreed&) {
        outputs.abandon();  // what was handed over before is still written
        throw;
    }
    measurement.mesh = loaded.cost;
    measurement.restart = restart_cost;
    measurement.moved_ranks = loaded.report.moved_ranks;
    report_run(comm, run, options, first, run_result(comm, model, plan, outputs, *watch, measurement));
    return 0;
}

int run_case(const parallel::Environment& environment, const RunOptions& options) {
    const double begin = parallel::now();
    std::vector<simulation::KeyRecord> keys;
    const MPI_Comm world = environment.comm();
    const sea::Case run = parallel::agree(world, [&] {
        base::require(!options.case_file.empty(), "command line", "run", "",
                      "a case file: groundswell run CASE.toml");
        sea::Case read = sea::read_case(options.case_file, {options.set, options.output_folder}, &keys);
        if (environment.rank() == 0) check_reports(read, options);
        return read;
    });
    if (options.explain) return explain_case(environment, options, run.threads, keys);
    exec::set_threads(run.threads);
    if (run.output.mode != "servers") return compute(world, run, options, nullptr, begin);

    const int servers = parallel::agree(world, [&] {
        return output::server_count(run.output.servers, environment.size(), run.file, "output.servers");
    });
    const output::Roles roles = output::split_roles(world, servers);
    if (roles.serves) {
        std::signal(SIGTERM, SIG_IGN);  // the ranks that compute end the run, and the servers with it
        output::serve(roles);
        return 0;
    }
    // The servers hear of the end in any case, so that an error ends them too.
    const int code = parallel::run_to_exit_code(
        roles.compute.get(), [&] { return compute(roles.compute.get(), run, options, &roles, begin); });
    output::release_servers(roles);
    return code;
}

}  // namespace

Action add_run(CLI::App& program) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = program.add_subcommand("run", "run a simulation");
    command->footer(
        "Example: mpirun -n 2 groundswell run cases/yagi/case.toml --set time.end=2024-09-04T00:00:00Z\n"
        "Output goes to the folder output/ next to the case file; run.json there has time, speed and "
        "memory.");
    command->add_option("case", options->case_file, "the case file (TOML)")->type_name("CASE.toml");
    command
        ->add_option("--set", options->set,
                     "use this value of a key in place of the case file's; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command->add_option("--restart", options->restart, "continue from a restart file, and its output files")
        ->type_name("FILE");
    command->add_option("--output", options->output_folder, "folder for all output")->type_name("DIR");
    command->add_flag("--overwrite", options->overwrite, "replace output files that exist");
    command->add_flag("--check", options->check, "read and verify all input, run nothing");
    command->add_flag("--explain", options->explain,
                      "list every parameter with value, unit, default and source");
    command->add_flag("--reference", options->reference,
                      "print the reference of all case file keys (Markdown), run nothing");
    command->add_flag("--quiet", options->quiet, "no progress line, no summary");
    add_json_option(*command, options->json);
    return [options] {
        if (options->reference) {
            std::cout << sea::case_reference() << std::flush;
            return 0;
        }
        if (options->quiet) base::set_message_level(base::MessageLevel::warning);
        // A check that is cut off must not look like one that found nothing.
        if (!options->check && !options->explain) std::signal(SIGTERM, on_termination);
        try {
            const parallel::Environment environment = start_mpi(*options);
            return parallel::run_to_exit_code(environment.comm(),
                                              [&] { return run_case(environment, *options); });
        } catch (const parallel::AgreedError<base::Refusal>&) {
            return static_cast<int>(base::ExitCode::refused);  // the environment has spoken
        }
    };
}

}  // namespace groundswell::cli
