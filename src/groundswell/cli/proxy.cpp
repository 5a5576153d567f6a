#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/models.hpp"
#include "groundswell/cli/proxy/compare_run.hpp"
#include "groundswell/cli/proxy/findings.hpp"
#include "groundswell/cli/proxy/limits.hpp"
#include "groundswell/cli/proxy/measure.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/cli/proxy/sizes.hpp"
#include "groundswell/cli/proxy/table.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/memory.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/limits/run_limits.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"
#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::cli {

namespace {

using Models = std::map<std::string, std::unique_ptr<ProxyModel>>;

struct ProxyOptions {
    std::string model;
    std::vector<std::string> cells;
    std::vector<int> threads;
    int repeats = 20, spin_up = 3;
    std::string mesh, case_file, compare, json, compilers;
    std::vector<std::string> set;
};

// What is timed, read from the command line.
struct Plan {
    ProxyModel* model;
    std::string name;  // of the model
    std::shared_ptr<const simulation::Case> run;
    std::vector<ProxySize> sizes;
    std::vector<int> threads;
};

// The same on every rank, which all read the case.
Plan make_plan(const ProxyOptions& options, const Models& models) {
    const auto alone = [&](bool given, const char* key, const std::string& value) {
        base::require(!given, "command line", key, value,
                      "not together with --mesh or --case, whose cells count");
    };
    Plan plan;
    plan.name = options.model.empty() ? "sea" : options.model;
    if (!options.case_file.empty()) {
        alone(!options.mesh.empty(), "--mesh", options.mesh);
        const auto read = simulation::read_case(options.case_file, {options.set, ""}, cli::models());
        base::require(options.model.empty() || options.model == read.kind->name, "command line", "--model",
                      options.model,
                      fmt::format("{}, of which {} is a case", read.kind->name, options.case_file));
        plan.name = read.kind->name;
        plan.run = read.run;
    } else {
        base::require(options.compare.empty(), "command line", "--compare", options.compare,
                      "--case CASE.toml, the case of that run");
    }
    base::require(options.mesh.empty() || plan.name == "sea", "command line", "--mesh", options.mesh,
                  "--case CASE.toml for earthquakes: a mesh alone does not say what it is made of");
    if (plan.run || !options.mesh.empty()) {
        if (!options.cells.empty()) alone(true, "--cells", options.cells.front());
        plan.sizes = {{0, false}};
    } else {
        plan.sizes = options.cells.empty() ? read_sizes({"20000"}) : read_sizes(options.cells);
    }
    plan.threads = options.threads;
    if (plan.threads.empty()) plan.threads = {plan.run ? plan.run->threads : 1};
    plan.model = models.at(plan.name).get();
    plan.model->check_options();
    if (!options.compare.empty()) {
        base::require(plan.threads.size() == 1, "command line", "--threads",
                      fmt::format("{}", fmt::join(plan.threads, ",")), "as many as the run had");
    }
    return plan;
}

// What this process has in memory now, without what it has given back and not yet been taken from it.
std::int64_t resident_bytes() {
    ::malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

// Everything that is measured, in the order in which it comes.
class Measurement {
public:
    Measurement(const parallel::Environment& environment, const ProxyOptions& options, Plan plan)
        : environment_(environment),
          options_(options),
          plan_(std::move(plan)),
          units_(plan_.model->units()),
          limits_(environment.comm(), plan_.model->number_bytes({plan_.run, options_.mesh, 0, 0, 0})),
          progress_(environment.rank() != 0) {}

    nlohmann::json all() {
        for (const int threads : plan_.threads) {
            exec::set_threads(threads);
            const std::size_t first = rows_.size();
            limits_.take();
            for (const ProxySize& size : plan_.sizes) {
                for (int variant = 0; variant < (plan_.run ? 1 : plan_.model->variants()); ++variant)
                    one({plan_.run, options_.mesh, size.cells, variant, options_.spin_up}, size);
                limits_.take();
            }
            const exec::MachineLimits best = limits_.best(threads);
            for (std::size_t row = first; row < rows_.size(); ++row) add_shares(rows_[row], best);
        }
        progress_.finish();
        const exec::MachineLimits last = limits_.best(plan_.threads.back());
        nlohmann::json result = {{"model", plan_.name},
                                 {"kernels", rows_},
                                 {"verified", checks_},
                                 {"findings", find_slow_kernels(
                                                  rows_, [&](int threads) { return limits_.best(threads); },
                                                  simulation::circumstances())},
                                 {"limits", limits_.json()},
                                 {"stream_gigabytes_per_second", last.stream_gigabytes_per_second},
                                 {"peak_gflops", last.peak_gflops},
                                 {"differences", differences_},
                                 {"left_out", left_out_},
                                 {units_.memory, memory_}};
        if (plan_.run) result["case"] = plan_.run->file;
        if (!options_.mesh.empty()) result["mesh"] = options_.mesh;
        if (!comparison_.is_null()) result["comparison"] = comparison_;
        result.update(plan_.model->about());
        return result;
    }

    std::string text(const nlohmann::json& result) const {
        return proxy_table(result, units_) + limits_.text();
    }

private:
    void one(const ProxyTask& task, const ProxySize& size) {
        const MPI_Comm comm = environment_.comm();
        if (!fits(task, size)) return;
        say(fmt::format("{} threads, {}: making and checking", exec::threads(), text_of(task)));
        const std::int64_t before = resident_bytes();
        const auto kernels = plan_.model->make(comm, task);
        const std::int64_t grown = parallel::sum(comm, resident_bytes() - before);
        const double units_in_cell = plan_.model->units_in_cell(task);
        if (!options_.compare.empty()) {
            run_ = parallel::agree(comm, [&] {
                return read_run(options_.compare, kernels->identity(), environment_.size(), exec::threads());
            });
        }
        const nlohmann::json checks = verify(kernels->comm(), *kernels);
        for (const nlohmann::json& check : checks) checks_.push_back(check);
        say(fmt::format("{} threads, {}: timing", exec::threads(), text_of(task)));
        const nlohmann::json rows =
            measure(kernels->comm(), *kernels, units_, units_in_cell, options_.repeats, checks);
        const nlohmann::json differences = differences_of(*kernels, rows);
        for (nlohmann::json difference : differences) {
            difference.update({{"cells", rows.front()["cells"]}, {"threads", exec::threads()}});
            difference.update(kernels->about());
            differences_.push_back(difference);
        }
        for (const nlohmann::json& row : rows) rows_.push_back(row);
        if (!run_.is_null()) comparison_ = compare_with_run(run_, rows, differences);
        const auto cells = static_cast<double>(parallel::sum(comm, kernels->cells()));
        // With few cells, memory that does not belong to cells would count.
        if (task.variant == 0 && grown > 0 && cells >= most_cells_) {
            most_cells_ = cells;
            memory_ = static_cast<double>(grown) / (cells * units_in_cell);
        }
    }

    // Whether memory suffices: refused where the size was asked for by itself.
    bool fits(const ProxyTask& task, const ProxySize& size) {
        if (size.cells == 0) return true;
        const double bytes = 1.2 * plan_.model->bytes_of_cell(task.variant) * size.cells;
        const auto mine = static_cast<std::int64_t>(bytes / environment_.size());
        if (!size.of_range) {
            parallel::require_memory(environment_.comm(), mine, "command line", "--cells",
                                     fmt::format("{}", size.cells));
            return true;
        }
        if (parallel::fits_in_memory(environment_.comm(), mine)) return true;
        const std::int64_t available = parallel::min(environment_.comm(), parallel::available_memory_bytes());
        left_out_.push_back({{"cells", size.cells},
                             {"threads", exec::threads()},
                             {"bytes", bytes},
                             {"available_bytes", available}});
        return false;
    }

    std::string text_of(const ProxyTask& task) const {
        if (task.run) return task.run->file;
        if (!task.mesh.empty()) return task.mesh;
        return fmt::format("{} cells", task.cells);
    }
    void say(const std::string& text) {
        if (progress_.is_due()) progress_.show(text);
    }

    const parallel::Environment& environment_;
    const ProxyOptions& options_;
    Plan plan_;
    ProxyUnits units_;
    LimitSamples limits_;
    simulation::ProgressLine progress_;
    nlohmann::json rows_ = nlohmann::json::array(), checks_ = nlohmann::json::array(),
                   differences_ = nlohmann::json::array(), left_out_ = nlohmann::json::array(), memory_, run_,
                   comparison_;
    double most_cells_ = 0.0;
};

int proxy(const parallel::Environment& environment, const ProxyOptions& options, const Models& models) {
    const MPI_Comm comm = environment.comm();
    parallel::agree(comm, [&] {
        if (environment.rank() == 0) simulation::check_json_target(options.json, {options.compare});
    });
    Plan plan = parallel::agree(comm, [&] { return make_plan(options, models); });
    // Models tell of their making, size by size; and what a spectrum is fit for matters where a case is to be run.
    base::set_message_level(options.case_file.empty() ? base::MessageLevel::error
                                                      : base::MessageLevel::warning);
    const int threads = plan.threads.back();
    Measurement measurement(environment, options, std::move(plan));
    const nlohmann::json result = measurement.all();
    const nlohmann::json report = simulation::json_report("proxy", comm, threads, result);
    if (environment.rank() == 0) {
        if (options.json != "-")
            std::cout << measurement.text(result) << std::flush;  // else a report stands alone
        if (!options.json.empty()) simulation::write_json(options.json, report);
    }
    return 0;
}

}  // namespace

Action add_proxy(simulation::Command command) {
    auto options = std::make_shared<ProxyOptions>();
    auto models = std::make_shared<Models>();
    (*models)["sea"] = sea_proxy();
    (*models)["quake"] = quake_proxy();
    command.footer(
        "Example: groundswell proxy --cells 512..524288 --threads 1,2 --json proxy.json\n"
        "         groundswell proxy --model quake --order 2,4,6 --precision double --cells 16384\n"
        "         groundswell proxy --case case.toml --compare output/run.json\n"
        "         groundswell proxy --cells 20000 --compilers release,clang\n"
        "         groundswell plot proxy proxy.json --output proxy.png\n"
        "Kernels of the sea: propagation, source, both, and each source term (timed inside every cell); of\n"
        "the earthquake: predictor, local, neighbour, all, and by the face of a fault sides, friction and "
        "both.\nEach is held against its plain form first; a wrong one ends the command with exit code 4. "
        "One "
        "below a fifth of\nwhat this machine allows it is named, with the likely cause. "
        "Times are\n"
        "medians of all cells where the kernel stands in a step of a run; with several ranks the slowest "
        "counts.");
    std::vector<std::string> names;
    for (const auto& [name, model] : *models) names.push_back(name);
    command.option("--model", options->model, "whose kernels; of a case its own").one_of(names);
    command
        .option("--cells", options->cells,
                "numbers of cells, all ranks together: 20000 (default), 512,8192, or 512..524288 for "
                "doublings as "
                "far as memory suffices")
        .comma_separated();
    command.option("--mesh", options->mesh, "mesh in the MPAS format in place of a globe of --cells (sea)")
        .type_name("FILE");
    command.option("--case", options->case_file, "mesh, physics, orders and sea or ground of a case")
        .type_name("CASE.toml");
    command.option("--set", options->set, "key of the case with another value")
        .one_at_a_time()
        .type_name("KEY=VALUE");
    command
        .option("--compare", options->compare, "run.json of a run of the case: its phases beside the kernels")
        .type_name("RUN.json");
    command
        .option("--compilers", options->compilers,
                "programs, or presets of this source tree, that run the same proxy in turns: which is "
                "faster, and "
                "within what bounds (a Python tool)")
        .type_name("A,B");
    command.option("--threads", options->threads, "threads of each rank").comma_separated().within(1, 1024);
    command.option("--repeats", options->repeats, "steps timed").within(5, 100000);
    command
        .option("--spin-up", options->spin_up,
                "source steps, or meetings of all clusters, before the first that is timed")
        .within(0, 100000);
    for (const auto& [name, model] : *models) model->add_options(command);
    simulation::add_json_option(command, options->json);
    return [options, models] {
        const parallel::Environment environment;
        return parallel::run_to_exit_code(environment.comm(),
                                          [&] { return proxy(environment, *options, *models); });
    };
}

}  // namespace groundswell::cli
