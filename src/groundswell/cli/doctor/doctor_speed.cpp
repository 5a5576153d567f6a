#include "groundswell/cli/doctor/doctor_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <set>

#include "groundswell/base/log.hpp"
#include "groundswell/cli/proxy/findings.hpp"
#include "groundswell/cli/proxy/limits.hpp"
#include "groundswell/cli/proxy/measure.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/limits/run_limits.hpp"

namespace groundswell::cli {

namespace {

using simulation::StoredLimits;

// A kernel that is all of a phase of a run and stays below this is trouble whatever the cause: none that is compiled as it should
// be does. A single source term may, where registers are wide and it has work for each cell.
constexpr double hopeless_share = 0.05;
constexpr int repeats = 20;

// One rank alone stands for a run with one thread or with all its cores too.
std::set<int> thread_counts(MPI_Comm comm, int threads) {
    std::set<int> counts{threads};
    if (parallel::size_of(comm) == 1) {
        counts.insert(1);
        counts.insert(static_cast<int>(std::max<std::size_t>(1, parallel::allowed_cpus().size())));
    }
    return counts;
}

// What all ranks of a machine can do at the same time; the same on all of them.
StoredLimits measure_machine(MPI_Comm machine) {
    StoredLimits found =
        simulation::limits_to_find(static_cast<int>(parallel::sum(machine, std::int64_t{exec::threads()})));
    found.stream_gigabytes_per_second = measure_stream_together(machine);
    found.peak_gflops_float = measure_peak_together(machine, sizeof(float));
    found.peak_gflops_double = measure_peak_together(machine, sizeof(double));
    found.measured = std::time(nullptr);
    return found;
}

// A rank's part of what its machine can do with `threads` threads of each rank. On rank 0 `every_machine` gets all that was
// measured, of all machines.
struct RankLimits {
    double stream, peak_float, peak_double;
};
RankLimits measure_limits(MPI_Comm comm, int threads, std::vector<StoredLimits>& every_machine) {
    const parallel::Communicator machine = parallel::machine_communicator(comm);
    std::vector<StoredLimits> mine;
    StoredLimits planned;
    for (const int count : thread_counts(comm, threads)) {
        exec::set_threads(count);
        const StoredLimits found = measure_machine(machine.get());
        if (machine.rank() == 0) mine.push_back(found);
        if (count == threads) planned = found;
    }
    exec::set_threads(threads);
    for (const std::string& text : parallel::gather_texts(comm, simulation::text_of(mine)))
        for (StoredLimits& one : simulation::limits_in(text)) every_machine.push_back(std::move(one));
    const double ranks = machine.size();
    return {planned.stream_gigabytes_per_second / ranks, planned.peak_gflops_float / ranks,
            planned.peak_gflops_double / ranks};
}

nlohmann::json to_json(const StoredLimits& limits) {
    return {{"host", limits.host},
            {"isa", limits.isa},
            {"threads", limits.threads},
            {"stream_gigabytes_per_second", limits.stream_gigabytes_per_second},
            {"peak_gflops_float", limits.peak_gflops_float},
            {"peak_gflops_double", limits.peak_gflops_double}};
}

// Sums of other kernels, and source terms beside a second scheme, say nothing new.
bool is_told(const nlohmann::json& row) {
    const std::string name = row["name"], scheme = row.value("scheme", "");
    return name != "both" && name != "all" && (scheme != "upwind" || name == "propagation");
}

// Rows of a model's kernels on this rank, every variant of them, at their best: what a machine allows, and not what else it
// does meanwhile.
nlohmann::json time_kernels(ProxyModel& model, int cells) {
    nlohmann::json all = nlohmann::json::array();
    model.check_options();
    for (int variant = 0; variant < model.variants(); ++variant) {
        const ProxyTask task{nullptr, "", cells, variant, 1};
        const auto kernels = model.make(MPI_COMM_SELF, task);
        for (nlohmann::json row :
             measure(kernels->comm(), *kernels, model.units(), model.units_in_cell(task), repeats, nullptr)) {
            if (!is_told(row)) continue;
            const double faster = row["median_seconds"].get<double>() / row["best_seconds"].get<double>();
            for (const char* key : {"gflops", "gigabytes_per_second"})
                if (!row[key].is_null()) row[key] = row[key].get<double>() * faster;
            all.push_back(row);
        }
    }
    return all;
}

bool is_trouble(const nlohmann::json& slow) {
    const std::string code = slow["code"];
    if (!slow.contains("kernel") || code == "subnormals") return true;  // of all kernels
    return code != "disturbed-cores" && slow["whole_phase"].get<bool>() &&
           slow["share"].get<double>() < hopeless_share;
}

struct TimedModel {
    const char* name;
    std::unique_ptr<ProxyModel> (*make)();
    int cells_of_thread;  // few: they stay in the caches
};
constexpr TimedModel timed_models[] = {{"sea", sea_proxy, 300}, {"quake", quake_proxy, 2000}};

// Each rank has a model of its own, and all work at the same time; those of rank 0 are told.
void look_at_kernels(MPI_Comm comm, const RankLimits& limits, SpeedReport& report) {
    base::set_message_level(base::MessageLevel::error);  // models tell of their making
    const simulation::KernelCircumstances circumstances = simulation::circumstances();
    for (const TimedModel& timed : timed_models) {
        const auto model = timed.make();
        const exec::MachineLimits bounds{
            limits.stream, model->number_bytes({}) == sizeof(float) ? limits.peak_float : limits.peak_double};
        MPI_Barrier(comm);
        nlohmann::json rows = parallel::agree(
            comm, [&] { return time_kernels(*model, timed.cells_of_thread * exec::threads()); });
        for (nlohmann::json& row : rows) {
            add_shares(row, bounds);
            // The best of several short tries is disturbed only where other programs leave hardly any time at all.
            const nlohmann::json& share = row["share_of_bound"];
            if (!share.is_null() && share.get<double>() >= hopeless_share) row["core_share"] = 1.0;
            report.kernels.push_back({{"model", timed.name},
                                      {"name", row["name"]},
                                      {"kind", kind_of(row)},
                                      {"share_of_peak", row["share_of_peak"]},
                                      {"share_of_stream", row["share_of_stream"]},
                                      {"share_of_bound", row["share_of_bound"]}});
        }
        for (const nlohmann::json& slow : find_slow_kernels(
                 rows, [&](int) { return bounds; }, circumstances))
            if (slow.contains("kernel")) report.slow.push_back(slow);  // what is said of all was said already
    }
}

bool is_stored(const SpeedReport& report) {
    return !report.stored_in.empty() && report.not_stored.empty();
}

std::string share_text(const nlohmann::json& kernel) {
    return fmt::format("{} {:.0f} %", kernel["name"].get<std::string>(),
                       100.0 * kernel["share_of_bound"].get<double>());
}

}  // namespace

SpeedReport look_at_speed(MPI_Comm comm, int threads, bool measures) {
    SpeedReport report;
    std::vector<StoredLimits> every_machine;
    if (const auto narrow = simulation::judge_registers(simulation::circumstances()))
        report.slow.push_back({{"code", narrow->code}, {"message", narrow->message}, {"fix", narrow->fix}});
    if (measures) look_at_kernels(comm, measure_limits(comm, threads, every_machine), report);
    if (parallel::rank_of(comm) != 0) return report;
    for (const StoredLimits& one : every_machine) report.limits.push_back(to_json(one));
    if (measures) {
        report.stored_in = simulation::limits_path();
        report.not_stored = simulation::store_limits(report.stored_in, every_machine);
    }
    for (const nlohmann::json& slow : report.slow)
        if (is_trouble(slow))
            report.findings.push_back(
                {slow["code"],
                 slow["message"].get<std::string>() +
                     (slow.contains("cause") ? "; likely: " + slow["cause"].get<std::string>() : ""),
                 slow["fix"]});
    return report;
}

nlohmann::json to_json(const SpeedReport& report) {
    return {{"limits", report.limits},
            {"stored_in", is_stored(report) ? nlohmann::json(report.stored_in) : nlohmann::json()},
            {"kernels", report.kernels},
            {"slow", report.slow}};
}

std::string describe(const SpeedReport& report) {
    std::string text;
    for (const nlohmann::json& one : report.limits) {
        const int threads = one["threads"];
        text += fmt::format(
            "limits       {}, {} thread{}, {}: STREAM {:.1f} GB/s, {:.0f} GFLOP/s in float, {:.0f} in "
            "double\n",
            one["host"].get<std::string>(), threads, threads == 1 ? "" : "s", one["isa"].get<std::string>(),
            one["stream_gigabytes_per_second"].get<double>(), one["peak_gflops_float"].get<double>(),
            one["peak_gflops_double"].get<double>());
    }
    if (is_stored(report)) text += fmt::format("             stored in {}, for runs\n", report.stored_in);
    if (!report.not_stored.empty())
        text += fmt::format("             not stored for runs: {}\n", report.not_stored);
    std::string kind;
    for (const nlohmann::json& kernel : report.kernels) {
        if (kernel["share_of_bound"].is_null()) continue;
        const std::string here = kernel["model"].get<std::string>() + " " + kernel["kind"].get<std::string>();
        if (here != kind)
            text += fmt::format("{}{:<13}{}, of what this machine allows:\n             {}",
                                kind.empty() ? "" : "\n", kind.empty() ? "kernels" : "", here,
                                share_text(kernel));
        else
            text += ", " + share_text(kernel);
        kind = here;
    }
    if (!kind.empty()) text += '\n';
    return text + findings_text(report.slow);
}

}  // namespace groundswell::cli
