#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/percentile.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

using Models = std::map<std::string, std::unique_ptr<ProxyModel>>;

struct ProxyOptions {
    std::string model = "sea";
    std::vector<int> cells{20000};
    std::vector<int> threads{1};
    int repeats = 20;
    std::string json;
};

// Seconds of one repetition, over all of them.
struct Timing {
    double p10 = 0.0, median = 0.0;
};

Timing time_of(const std::vector<double>& seconds) {
    return {base::percentile(seconds, 0.1), base::percentile(seconds, 0.5)};
}

// A row for each kernel; shares of the machine's limits where the least work is known. All ranks work at the same time;
// the slowest counts.
nlohmann::json measure(MPI_Comm comm, ProxyKernels& kernels, const ProxyUnits& units, int repeats) {
    const auto repeat = [&](const std::function<void()>& body) {
        std::vector<double> seconds;
        for (int i = 0; i < repeats; ++i) {
            MPI_Barrier(comm);
            const double begin = parallel::now();
            body();
            seconds.push_back(parallel::now() - begin);
        }
        return seconds;
    };
    nlohmann::json rows = nlohmann::json::array();
    for (TimedKernel& kernel : kernels.time(repeats, repeat)) {
        for (double& one : kernel.seconds) one = parallel::max(comm, one);
        const Timing timing = time_of(kernel.seconds);
        const std::int64_t cells = parallel::sum(comm, kernel.count > 0 ? kernel.count : kernels.cells());
        nlohmann::json row = {{"name", kernel.name},
                              {"cells", cells},
                              {"threads", exec::threads()},
                              {"p10_seconds", timing.p10},
                              {"median_seconds", timing.median},
                              {units.rate, static_cast<double>(cells) * units.in_a_cell / timing.p10}};
        row.update(kernels.about());
        const auto of_work = [&](double work) {
            return work > 0.0 ? nlohmann::json(1e-9 * work * static_cast<double>(cells) / timing.p10)
                              : nlohmann::json();
        };
        row["gflops"] = of_work(kernel.flop);
        row["gigabytes_per_second"] = of_work(kernel.bytes);
        rows.push_back(row);
    }
    return rows;
}

void add_shares(nlohmann::json& rows, const exec::MachineLimits& limits) {
    const auto share = [](const nlohmann::json& value, double limit) {
        return value.is_null() ? nlohmann::json() : nlohmann::json(value.get<double>() / limit);
    };
    for (nlohmann::json& row : rows) {
        row["share_of_peak"] = share(row["gflops"], limits.peak_gflops);
        row["share_of_stream"] = share(row["gigabytes_per_second"], limits.stream_gigabytes_per_second);
    }
}

exec::MachineLimits limits_of_all(MPI_Comm comm, const ProxyModel& model) {
    exec::MachineLimits limits = model.limits();
    limits.stream_gigabytes_per_second = parallel::sum(comm, std::vector{limits.stream_gigabytes_per_second});
    limits.peak_gflops = parallel::sum(comm, std::vector{limits.peak_gflops});
    return limits;
}

// What a row says of the kernels, in a few characters: bins, or order and precision.
std::string kind_of(const nlohmann::json& row) {
    if (row.contains("bins")) return fmt::format("{} bins", row["bins"].get<int>());
    return fmt::format("{}, {}", row["order"].get<int>(), row["precision"].get<std::string>());
}

void print_table(const nlohmann::json& result, const ProxyUnits& units) {
    std::cout << fmt::format("{:<18}{:>9}{:>11}{:>9}{:>12}{:>14}{:>10}{:>10}\n", "kernel", "cells", "kind",
                             "threads", "p10 ms", units.rate_title, "% peak", "% STREAM");
    for (const nlohmann::json& row : result["kernels"]) {
        const auto share = [&](const char* key) {
            return row[key].is_null() ? std::string("-")
                                      : fmt::format("{:.1f}", 100.0 * row[key].get<double>());
        };
        std::cout << fmt::format("{:<18}{:>9}{:>11}{:>9}{:>12.3f}{:>14.3f}{:>10}{:>10}\n",
                                 row["name"].get<std::string>(), row["cells"].get<int>(), kind_of(row),
                                 row["threads"].get<int>(), 1e3 * row["p10_seconds"].get<double>(),
                                 1e-6 * row[units.rate].get<double>(), share("share_of_peak"),
                                 share("share_of_stream"));
    }
    std::cout << fmt::format(
        "STREAM triad {:.1f} GB/s, peak {:.0f} GFLOP/s (fused multiply-add, this type), ",
        result["stream_gigabytes_per_second"].get<double>(), result["peak_gflops"].get<double>());
    const nlohmann::json& memory = result[units.memory];
    std::cout << (memory.is_null()
                      ? fmt::format("memory: give two numbers of cells to see bytes per {}\n", units.unit)
                      : fmt::format("{:.2f} bytes of memory per {}\n", memory.get<double>(), units.unit));
}

int proxy(const parallel::Environment& environment, const ProxyOptions& options, const ProxyModel& model) {
    const MPI_Comm comm = environment.comm();
    parallel::agree(comm, [&] {
        if (environment.rank() == 0) simulation::check_json_target(options.json);
    });
    const ProxyUnits units = model.units();
    // Ascending, so that the growth of the peak from one to the next is what the additional cells take.
    std::vector<int> cells = options.cells;
    std::sort(cells.begin(), cells.end());
    nlohmann::json rows = nlohmann::json::array(), all_limits = nlohmann::json::array(), bytes_per_unit;
    exec::MachineLimits limits;
    for (const int threads : options.threads) {
        exec::set_threads(threads);
        nlohmann::json these = nlohmann::json::array();
        std::vector<double> peaks;
        double first_cells = 0.0, last_cells = 0.0;
        for (const int count : cells) {
            for (int variant = 0; variant < model.variants(); ++variant) {
                const auto kernels = model.make(comm, count, variant);
                for (nlohmann::json& row : measure(comm, *kernels, units, options.repeats))
                    these.push_back(row);
                last_cells = static_cast<double>(parallel::sum(comm, kernels->cells()));
            }
            if (peaks.empty()) first_cells = last_cells;
            peaks.push_back(static_cast<double>(parallel::sum(comm, parallel::peak_memory_bytes())));
        }
        if (last_cells > first_cells && model.variants() == 1 && bytes_per_unit.is_null())
            bytes_per_unit = (peaks.back() - peaks.front()) / ((last_cells - first_cells) * units.in_a_cell);
        // After the kernels: the arrays of STREAM would hide the memory that fewer cells take.
        limits = limits_of_all(comm, model);
        all_limits.push_back({{"threads", threads},
                              {"stream_gigabytes_per_second", limits.stream_gigabytes_per_second},
                              {"peak_gflops", limits.peak_gflops}});
        add_shares(these, limits);
        for (const nlohmann::json& row : these) rows.push_back(row);
    }
    nlohmann::json result = {{"model", options.model},
                             {"kernels", rows},
                             {"limits", all_limits},
                             {"stream_gigabytes_per_second", limits.stream_gigabytes_per_second},
                             {"peak_gflops", limits.peak_gflops},
                             {units.memory, bytes_per_unit}};
    result.update(model.about());
    const nlohmann::json report = simulation::json_report("proxy", comm, options.threads.back(), result);
    if (environment.rank() == 0) {
        if (options.json != "-") print_table(result, units);  // on standard output a report stands alone
        if (!options.json.empty()) simulation::write_json(options.json, report);
    }
    return 0;
}

}  // namespace

Action add_proxy(simulation::Command& program) {
    auto options = std::make_shared<ProxyOptions>();
    auto models = std::make_shared<Models>();
    (*models)["sea"] = sea_proxy();
    (*models)["quake"] = quake_proxy();
    simulation::Command command =
        program.add_command("proxy", "time a model's kernels alone, compared with the machine's limits");
    command.footer(
        "Example: groundswell proxy --cells 20000,40000 --threads 1,2 --json proxy.json\n"
        "         groundswell proxy --model quake --order 2,4,6 --precision double --cells 16384\n"
        "Kernels of the sea: propagation, source, both, and each source term (timed inside every cell); of\n"
        "the earthquake: predictor, local, neighbour, all, and by the face of a fault sides, friction and "
        "both.\n"
        "Times are of all cells, p10 the 10th percentile of the repeats; with several ranks the slowest "
        "counts.");
    std::vector<std::string> names;
    for (const auto& [name, model] : *models) names.push_back(name);
    command.option("--model", options->model, "whose kernels").one_of(names);
    command.option("--cells", options->cells, "numbers of cells, all ranks together")
        .comma_separated()
        .within(1, 20'000'000);
    command.option("--threads", options->threads, "threads of each rank").comma_separated().within(1, 1024);
    command.option("--repeats", options->repeats, "steps timed").within(5, 100000);
    for (const auto& [name, model] : *models) model->add_options(command);
    simulation::add_json_option(command, options->json);
    return [options, models] {
        const parallel::Environment environment;
        return parallel::run_to_exit_code(
            environment.comm(), [&] { return proxy(environment, *options, *models->at(options->model)); });
    };
}

}  // namespace groundswell::cli
