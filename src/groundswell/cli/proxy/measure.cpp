#include "groundswell/cli/proxy/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/percentile.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::cli {

namespace {

/// Seconds of one repetition, over all of them.
struct Timing {
    double best = 0.0, p10 = 0.0, median = 0.0, mean = 0.0;
    double deviation = 0.0;  ///< standard deviation, of the sample; 0 of one repetition
    double variation() const { return mean > 0.0 ? deviation / mean : 0.0; }
};

/// At least one repetition.
Timing time_of(const std::vector<double>& seconds) {
    Timing timing{*std::ranges::min_element(seconds), base::percentile(seconds, 0.1),
                  base::percentile(seconds, 0.5)};
    const auto count = static_cast<double>(seconds.size());
    timing.mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
    double squares = 0.0;
    for (const double one : seconds) squares += (one - timing.mean) * (one - timing.mean);
    if (count > 1.0) timing.deviation = std::sqrt(squares / (count - 1.0));
    return timing;
}

// Kernels that a row is made of, for those that have no plain form of their own.
std::vector<std::string> parts_of(const std::string& kernel) {
    if (kernel == "both") return {"propagation", "source"};
    if (kernel == "all") return {"local", "neighbour"};
    if (kernel == "fault") return {"fault sides", "fault friction"};
    return {kernel};
}

nlohmann::json verified(const std::string& kernel, const nlohmann::json& checks) {
    for (const std::string& part : parts_of(kernel)) {
        if (std::ranges::none_of(checks, [&](const auto& check) { return check["kernel"] == part; }))
            return {};
    }
    return true;  // a wrong one ends the command
}

// From as much as this they are told: below, the clock decides.
constexpr double worth_telling = 0.05;

}  // namespace

nlohmann::json verify(MPI_Comm comm, ProxyKernels& kernels) {
    nlohmann::json all = nlohmann::json::array();
    std::string wrong;
    const char* pretended = std::getenv("GROUNDSWELL_TEST_WRONG_KERNEL");
    for (const exec::KernelCheck& check : kernels.check()) {
        const std::string& name = check.kernel;
        const std::int64_t cells = parallel::sum(comm, check.cells);
        if (cells == 0) continue;
        const double largest = parallel::max(comm, check.largest), apart = parallel::max(comm, check.apart);
        const double allowed = parallel::max(comm, check.allowed);
        const bool finite = parallel::max(comm, std::int64_t{check.finite ? 0 : 1}) == 0;
        double error = largest > 0.0 ? apart / largest : apart;
        if (pretended != nullptr && pretended == name) error += 1.0;
        all.push_back({{"kernel", name}, {"cells", cells}, {"error", error}, {"allowed", allowed}});
        if (finite && error <= allowed) continue;
        wrong += fmt::format(
            "{}{}: {} apart from its plain form, relative to the largest value, in one of {} cells: expected "
            "{:.1g} at most",
            wrong.empty() ? "" : "; ", name, finite ? fmt::format("{:.3g}", error) : "not finite,", cells,
            allowed);
    }
    parallel::agree(comm, [&] {
        if (!wrong.empty()) throw base::Defect(fmt::format("wrong kernel {}", wrong));
    });
    return all;
}

nlohmann::json measure(MPI_Comm comm, ProxyKernels& kernels, const ProxyUnits& units, double units_in_cell,
                       int repeats, const nlohmann::json& checks) {
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
    const auto slowest = [&](std::vector<double> seconds) {
        for (double& one : seconds) one = parallel::max(comm, one);
        return time_of(seconds);
    };
    nlohmann::json rows = nlohmann::json::array();
    const double begin = parallel::now(), processor_begin = parallel::processor_seconds();
    const std::vector<TimedKernel> timed = kernels.time(repeats, repeat);
    // Measured on the main thread: all others wait for it, and it waits for them.
    const double core_share =
        parallel::min(comm, (parallel::processor_seconds() - processor_begin) / (parallel::now() - begin));
    for (const TimedKernel& kernel : timed) {
        const Timing timing = slowest(kernel.seconds);
        const std::int64_t cells = parallel::sum(comm, kernel.count.value_or(kernels.cells()));
        const double cell_rate = static_cast<double>(cells) / timing.median;
        nlohmann::json row = {{"name", kernel.name},
                              {"cells", cells},
                              {"threads", exec::threads()},
                              {"repeats", kernel.seconds.size()},
                              {"best_seconds", timing.best},
                              {"p10_seconds", timing.p10},
                              {"median_seconds", timing.median},
                              {"mean_seconds", timing.mean},
                              {"standard_deviation_seconds", timing.deviation},
                              {"variation", timing.variation()},
                              {"alone_seconds", nullptr},
                              {"lanes_filled", kernel.lanes_filled},
                              {"core_share", core_share},
                              {"verified", verified(kernel.name, checks)},
                              {units.rate, cell_rate * kernel.times * units_in_cell}};
        if (!kernel.alone.empty()) row["alone_seconds"] = slowest(kernel.alone).median;
        if (!kernel.phase.empty()) {
            row["phase"] = kernel.phase;
            row["in_a_step"] = kernel.in_a_step;
        }
        row.update(kernels.about());
        const auto of_work = [&](double work) {
            return work > 0.0 ? nlohmann::json(1e-9 * work * cell_rate) : nlohmann::json();
        };
        row["gflops"] = of_work(kernel.flop);
        row["gigabytes_per_second"] = of_work(kernel.bytes);
        rows.push_back(row);
    }
    return rows;
}

nlohmann::json differences_of(const ProxyKernels& kernels, const nlohmann::json& rows) {
    nlohmann::json all = nlohmann::json::array();
    for (const nlohmann::json& row : rows) {
        if (row["alone_seconds"].is_null()) continue;
        const double ratio = row["median_seconds"].get<double>() / row["alone_seconds"].get<double>();
        if (std::abs(ratio - 1.0) < worth_telling) continue;
        all.push_back({{"kernel", row["name"]},
                       {"name", "place in the step"},
                       {"ratio", ratio},
                       {"words",
                        "in a step of a run over the kernel repeated by itself: other kernels use the caches "
                        "before it, rims are computed apart, and messages are pushed along"}});
    }
    for (const Difference& one : kernels.differences())
        all.push_back(
            {{"kernel", one.kernel}, {"name", one.name}, {"ratio", one.ratio}, {"words", one.words}});
    return all;
}

}  // namespace groundswell::cli
