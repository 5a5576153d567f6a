#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/proxy/measurement.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/exec/device/choice/choice.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::cli {

namespace {

using Models = std::map<std::string, std::unique_ptr<ProxyModel>>;

// What a processor alone can do is refused.
std::unique_ptr<exec::Device> gpu_of(const parallel::Environment& environment, const ProxyOptions& options) {
    const auto alone = [](const char* key, const std::string& value, const char* instead) {
        base::require(value.empty(), "command line", key, value,
                      fmt::format("not together with --device gpu: {}", instead));
    };
    constexpr auto* run = "a run with --set run.device=gpu tells its phases in run.json";
    alone("--case", options.case_file, run);
    alone("--mesh", options.mesh, "kernels of the sea have a square of --cells there");
    alone("--compilers", options.compilers, "compilers differ on processors");
    base::require(environment.size() == 1, "command line", "--device", "gpu",
                  fmt::format("one rank, not {}: a GPU is measured by itself", environment.size()));
    std::unique_ptr<exec::Device> gpu = exec::make_gpu({});
    gpu->require_memory();  // each array is refused by itself, and so its size
    return gpu;
}

// The same on every rank, which all read the case.
ProxyPlan make_plan(const parallel::Environment& environment, const ProxyOptions& options,
                    const Models& models) {
    const auto alone = [&](bool given, const char* key, const std::string& value) {
        base::require(!given, "command line", key, value,
                      "not together with --mesh or --case, whose cells count");
    };
    ProxyPlan plan;
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
    if (options.device == "gpu") plan.device = gpu_of(environment, options);
    return plan;
}

int proxy(const parallel::Environment& environment, const ProxyOptions& options, const Models& models) {
    const MPI_Comm comm = environment.comm();
    parallel::agree(comm, [&] {
        if (environment.rank() == 0) simulation::check_json_target(options.json, {options.compare});
    });
    ProxyPlan plan = parallel::agree(comm, [&] { return make_plan(environment, options, models); });
    // Models tell of their making, size by size; and what a spectrum is fit for matters where a case is to be run.
    base::set_message_level(options.case_file.empty() ? base::MessageLevel::error
                                                      : base::MessageLevel::warning);
    const int threads = plan.threads.back();
    ProxyMeasurement measurement(environment, options, std::move(plan));
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
        "         groundswell proxy --device gpu --model quake --order 4 --cells 20000,200000\n"
        "         groundswell plot proxy proxy.json --output proxy.png\n"
        "Kernels of the sea: propagation, source, both, and each source term (timed inside every cell); of\n"
        "the earthquake: predictor, local, neighbour, all, and by the face of a fault sides, friction and "
        "both.\nEach is held against its plain form first; a wrong one ends the command with exit code 4. "
        "One below a fifth of\nwhat this machine allows it is named, with the likely cause. Times are\n"
        "medians of all cells where the kernel stands in a step of a run; with several ranks the slowest "
        "counts.");
    std::vector<std::string> names;
    for (const auto& [name, model] : *models) names.push_back(name);
    command.option("--model", options->model, "whose kernels; of a case its own").one_of(names);
    command
        .option("--cells", options->cells,
                "numbers of cells, all ranks together: 20000 (default), 512,8192, or 512..524288 for "
                "doublings as far as memory suffices")
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
                "faster, and within what bounds (a Python tool)")
        .type_name("A,B");
    command
        .option("--device", options->device,
                "what computes: the processor, or the GPU of this machine, beside that GPU's own limits")
        .one_of({"cpu", "gpu"});
    command.option("--threads", options->threads, "threads of each rank").comma_separated().within(1, 1024);
    command.option("--repeats", options->repeats, "steps timed").within(5, 100000);
    command
        .option("--spin-up", options->spin_up,
                "source steps, or meetings of all clusters, before the first that is timed")
        .within(0, 100000);
    for (const auto& [name, model] : *models) model->add_options(command);
    simulation::add_json_option(command, options->json);
    return together(
        [options, models](const auto& environment) { return proxy(environment, *options, *models); });
}

}  // namespace groundswell::cli
