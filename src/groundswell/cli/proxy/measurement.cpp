#include "groundswell/cli/proxy/measurement.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/proxy/compare_run.hpp"
#include "groundswell/cli/proxy/findings.hpp"
#include "groundswell/cli/proxy/measure.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/memory.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/limits/run_limits.hpp"

namespace groundswell::cli {

namespace {

std::string number_of(const nlohmann::json& value, double factor, int digits) {
    return value.is_null() ? std::string("-") : fmt::format("{:.{}f}", factor * value.get<double>(), digits);
}

std::string differences_text(const nlohmann::json& differences) {
    std::string text, last;
    for (const nlohmann::json& one : differences) {
        const std::string words = one["words"];
        text +=
            fmt::format("  {} ({} cells, {}, {} threads): {} × {:.2f}\n", one["kernel"].get<std::string>(),
                        one["cells"].get<std::int64_t>(), kind_of(one), one["threads"].get<int>(),
                        one["name"].get<std::string>(), one["ratio"].get<double>());
        if (words != last) text += fmt::format("    {}\n", words);
        last = words;
    }
    return text.empty() ? text : "what a step changes, named:\n" + text;
}

// The result of `groundswell proxy` for people, without the machine's limits.
std::string proxy_table(const nlohmann::json& result, const ProxyUnits& units) {
    std::string text =
        fmt::format("{:<17}{:>9} {:<19}{:>4}{:>11}{:>11}{:>7}{:>11}{:>14}{:>9}{:>9}{:>8}{:>9}{:>3}\n",
                    "kernel", "cells", "kind", "thr", "median ms", "mean ms", "var %", "alone ms",
                    units.rate_title, "GFLOP/s", "GB/s", "% peak", "% STREAM", "ok");
    for (const nlohmann::json& row : result["kernels"]) {
        text +=
            fmt::format("{:<17}{:>9} {:<19}{:>4}{:>11}{:>11}{:>7}{:>11}{:>14.3f}{:>9}{:>9}{:>8}{:>9}{:>3}\n",
                        row["name"].get<std::string>(), row["cells"].get<std::int64_t>(), kind_of(row),
                        row["threads"].get<int>(), number_of(row["median_seconds"], 1e3, 3),
                        number_of(row["mean_seconds"], 1e3, 3), number_of(row["variation"], 100.0, 1),
                        number_of(row["alone_seconds"], 1e3, 3), 1e-6 * row[units.rate].get<double>(),
                        number_of(row["gflops"], 1.0, 2), number_of(row["gigabytes_per_second"], 1.0, 2),
                        number_of(row["share_of_peak"], 100.0, 1),
                        number_of(row["share_of_stream"], 100.0, 1), row["verified"].is_null() ? "-" : "✓");
    }
    double worst = 0.0;
    for (const nlohmann::json& check : result["verified"])
        worst = std::max(worst, check["error"].get<double>() / check["allowed"].get<double>());
    text += fmt::format(
        "✓: held against its plain form ({} checks, at most {:.0f} % of the difference that rounding "
        "allows)\n",
        result["verified"].size(), 100.0 * worst);
    text += findings_text(result["findings"]) + differences_text(result["differences"]);
    for (const nlohmann::json& one : result["left_out"])
        text += fmt::format("left out: {} cells, which need {:.1f} GiB of the {:.1f} that are free\n",
                            one["cells"].get<int>(), one["bytes"].get<double>() / 1073741824.0,
                            one["available_bytes"].get<double>() / 1073741824.0);
    if (result.contains("comparison")) text += comparison_text(result["comparison"]);
    if (!result[units.memory].is_null())
        text +=
            fmt::format("{:.2f} bytes of memory per {}\n", result[units.memory].get<double>(), units.unit);
    return text;
}

// What this process has in memory now, without what it has given back and not yet been taken from it.
std::int64_t resident_bytes() {
    ::malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

std::string text_of(const ProxyTask& task) {
    if (task.run) return task.run->file;
    if (!task.mesh.empty()) return task.mesh;
    return fmt::format("{} cells", task.cells);
}

}  // namespace

ProxyMeasurement::ProxyMeasurement(const parallel::Environment& environment, const ProxyOptions& options,
                                   ProxyPlan plan)
    : environment_(environment),
      options_(options),
      plan_(std::move(plan)),
      units_(plan_.model->units()),
      limits_(environment.comm(), plan_.model->number_bytes({plan_.run, options_.mesh, 0, 0, 0}),
              plan_.device.get()),
      progress_(environment.rank() != 0) {}

nlohmann::json ProxyMeasurement::all() {
    for (const int threads : plan_.threads) {
        exec::set_threads(threads);
        const std::size_t first = rows_.size();
        limits_.take();
        for (const ProxySize& size : plan_.sizes) {
            for (int variant = 0; variant < (plan_.run ? 1 : plan_.model->variants()); ++variant)
                one({plan_.run, options_.mesh, size.cells, variant, options_.spin_up, plan_.device.get()},
                    size);
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
                             {"findings", findings()},
                             {"limits", limits_.json()},
                             {"stream_gigabytes_per_second", last.stream_gigabytes_per_second},
                             {"peak_gflops", last.peak_gflops},
                             {"differences", differences_},
                             {"left_out", left_out_},
                             {units_.memory, memory_}};
    if (plan_.device) {
        const exec::DeviceLimits& limits = plan_.device->limits();
        result["device"] = {{"name", limits.name}, {"memory_bytes", limits.memory_bytes}};
    }
    if (plan_.run) result["case"] = plan_.run->file;
    if (!options_.mesh.empty()) result["mesh"] = options_.mesh;
    if (!comparison_.is_null()) result["comparison"] = comparison_;
    result.update(plan_.model->about());
    return result;
}

// What makes kernels slow is known of processors.
nlohmann::json ProxyMeasurement::findings() const {
    if (plan_.device) return nlohmann::json::array();
    return find_slow_kernels(
        rows_, [&](int threads) { return limits_.best(threads); }, simulation::circumstances());
}

std::string ProxyMeasurement::text(const nlohmann::json& result) const {
    return proxy_table(result, units_) + limits_.text();
}

void ProxyMeasurement::one(const ProxyTask& task, const ProxySize& size) {
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
    if (task.device == nullptr && task.variant == 0 && grown > 0 && cells >= most_cells_) {
        most_cells_ = cells;
        memory_ = static_cast<double>(grown) / (cells * units_in_cell);
    }
}

// Whether memory suffices: refused where the size was asked for by itself.
bool ProxyMeasurement::fits(const ProxyTask& task, const ProxySize& size) {
    if (size.cells == 0) return true;
    const double bytes = 1.2 * plan_.model->bytes_of_cell(task.variant) * size.cells;
    if (task.device) {
        const auto memory = static_cast<double>(task.device->limits().memory_bytes);
        base::require(bytes <= memory, "command line", "--cells", fmt::format("{}", size.cells),
                      fmt::format("at most {:.0f}: they take {:.3g} GB, and {} has {:.3g} GB",
                                  std::floor(size.cells * memory / bytes), 1e-9 * bytes,
                                  task.device->limits().name, 1e-9 * memory));
    }
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

}  // namespace groundswell::cli
