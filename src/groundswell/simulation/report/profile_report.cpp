#include "groundswell/simulation/report/profile_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "groundswell/base/percentile.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/short_words.hpp"

namespace groundswell::simulation {

nlohmann::json start_up_json(MPI_Comm comm, const RunMeasurement& measurement) {
    nlohmann::json parts;
    const std::vector<parallel::Statistic> found = parallel::statistics(comm, measurement.start_up);
    for (std::size_t part = 0; part < found.size(); ++part)
        parts[std::string(parallel::start_up_part_names[part])] = statistic_json(found[part]);
    return parts;
}

namespace {

// What all ranks together did of the least work, by the mean of their seconds.
void add_rates(nlohmann::json& row, const KernelSpeed& speed, const exec::MachineLimits& limits) {
    if (speed.gflops <= 0.0 && speed.gigabytes_per_second <= 0.0) return;
    const KernelShare share = share_of(speed, limits);
    row["gflops"] = speed.gflops;
    row["gigabytes_per_second"] = speed.gigabytes_per_second;
    row["lanes_filled"] = speed.lanes_filled;
    if (limits.peak_gflops > 0.0) row["share_of_peak"] = share.of_peak;
    if (limits.stream_gigabytes_per_second > 0.0) row["share_of_stream"] = share.of_stream;
}

}  // namespace

nlohmann::json kernels_json(Model& model, std::int64_t steps, const exec::MachineLimits& limits) {
    const std::vector<Model::Kernel> kernels = model.kernel_times(steps);
    std::vector<double> mine;
    for (const Model::Kernel& kernel : kernels)
        mine.insert(mine.end(),
                    {kernel.seconds, kernel.updates, kernel.flop, kernel.bytes, kernel.lanes_filled});
    const std::vector<parallel::Statistic> found = parallel::statistics(model.comm(), mine);
    const double ranks = parallel::size_of(model.comm());
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        const std::span<const parallel::Statistic> of = std::span(found).subspan(5 * k, 5);
        const parallel::Statistic &seconds = of[0], &updates = of[1];
        nlohmann::json row = {{"name", kernels[k].name},
                              {"seconds", statistic_json(seconds)},
                              {"imbalance", seconds.mean > 0.0 ? seconds.max / seconds.mean - 1.0 : 0.0}};
        if (kernels[k].cluster >= 0) row["cluster"] = kernels[k].cluster;
        if (updates.max > 0.0) row["updates"] = statistic_json(updates);
        if (seconds.mean > 0.0) {
            const double rate = 1e-9 * ranks / seconds.mean;
            add_rates(row, {kernels[k].name, of[2].mean * rate, of[3].mean * rate, of[4].mean}, limits);
        }
        list.push_back(row);
    }
    return list;
}

nlohmann::json limits_json(const RunLimits& found) {
    const auto known = [](double value) { return value > 0.0 ? nlohmann::json(value) : nlohmann::json(); };
    if (found.limits.peak_gflops <= 0.0) return nullptr;
    return {{"source", found.stored ? "stored" : "measured"},
            {"isa", found.circumstances.isa},
            {"best_isa", found.circumstances.best_isa},
            {"held_by", found.circumstances.held_by},
            {"flushes_subnormals", found.circumstances.flushes_subnormals},
            {"stream_gigabytes_per_second", known(found.limits.stream_gigabytes_per_second)},
            {"peak_gflops", known(found.limits.peak_gflops)}};
}

nlohmann::json memory_json(const Model& model, const RunMeasurement& measurement, std::int64_t output_bytes) {
    const Model::StateMemory state = model.state_memory();
    std::vector<std::pair<std::string, double>> parts{{"state", static_cast<double>(state.bytes)},
                                                      {"output", static_cast<double>(output_bytes)}};
    double tables = static_cast<double>(measurement.heap_bytes - state.in_heap);
    for (std::size_t i = 0; i < measurement.held_memory.size(); ++i) {
        const auto bytes = static_cast<double>(measurement.held_memory[i]);
        parts.emplace_back(parallel::memory_part_names[i], bytes);
        tables -= bytes;
    }
    parts.emplace_back("tables", std::max(0.0, tables));
    double rest = static_cast<double>(measurement.peak_memory);
    for (const auto& [name, bytes] : parts) rest -= bytes;
    parts.emplace_back("rest", std::max(0.0, rest));
    std::vector<double> mine;
    for (const auto& [name, bytes] : parts) mine.push_back(bytes);
    const std::vector<parallel::Statistic> found = parallel::statistics(model.comm(), mine);
    nlohmann::json memory;
    for (std::size_t i = 0; i < parts.size(); ++i) memory[parts[i].first] = statistic_json(found[i]);
    return memory;
}

nlohmann::json hardware_json(MPI_Comm comm, const RunMeasurement& measurement) {
    // One rank without counters, and what the others have says nothing of the run.
    const bool any_missing = parallel::max(comm, std::int64_t{!measurement.hardware_missing.empty()}) != 0;
    if (any_missing)
        return {{"available", false},
                {"reason", measurement.hardware_missing.empty() ? "another rank has none"
                                                                : measurement.hardware_missing}};
    const std::vector<parallel::Statistic> found = parallel::statistics(comm, measurement.hardware);
    nlohmann::json counters{{"available", true}};
    for (std::size_t i = 0; i < found.size(); ++i)
        counters[std::string(parallel::HardwareCounters::names[i])] = statistic_json(found[i]);
    return counters;
}

nlohmann::json speed_json(const std::vector<std::pair<double, double>>& samples, double work) {
    constexpr double fallen = 0.8;  // of the median
    std::vector<double> speeds;
    std::pair<double, double> before{0.0, 0.0};
    for (const auto& sample : samples) {
        speeds.push_back(work * (sample.first - before.first) /
                         std::max(sample.second - before.second, 1e-9));
        before = sample;
    }
    if (speeds.empty()) return nullptr;
    const double median = base::percentile(speeds, 0.5);
    nlohmann::json speed{{"intervals", speeds.size()},
                         {"min", std::ranges::min(speeds)},
                         {"median", median},
                         {"max", std::ranges::max(speeds)}};
    std::size_t longest = 0, end = 0;
    for (std::size_t i = 0, length = 0; i < speeds.size(); ++i) {
        length = speeds[i] < fallen * median ? length + 1 : 0;
        if (length > longest) {
            longest = length;
            end = i + 1;
        }
    }
    if (longest < std::max<std::size_t>(2, speeds.size() / 20)) return speed;  // a hiccup
    const std::size_t begin = end - longest;
    const std::pair<double, double> from = begin == 0 ? std::pair(0.0, 0.0) : samples[begin - 1],
                                    to = samples[end - 1];
    speed["fell"] = {{"from", from.first},
                     {"to", to.first},
                     {"mean", work * (to.first - from.first) / std::max(to.second - from.second, 1e-9)}};
    return speed;
}

std::string kernels_summary(const nlohmann::json& kernels) {
    std::string text;
    for (const auto& kernel : kernels) {
        if (!kernel.contains("cluster") || kernel["seconds"]["max"].get<double>() <= 0.0) continue;
        text += fmt::format("{:<19}{:<11} of cluster {}: {:.3g} s a rank, {:.0f} % more on the slowest\n",
                            text.empty() ? "kernels" : "", kernel["name"].get<std::string>(),
                            kernel["cluster"].get<int>(), mean_of(kernel["seconds"]),
                            100.0 * kernel["imbalance"].get<double>());
    }
    return text;
}

std::string memory_summary(const nlohmann::json& memory) {
    std::string text;
    for (const auto& [name, bytes] : by_size(memory))
        if (bytes >= 1024.0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, short_bytes(bytes));
    return fmt::format("memory             {} a rank\n", text);
}

std::string hardware_summary(const nlohmann::json& counters) {
    if (!counters["available"].get<bool>())
        return fmt::format("hardware counters  none: {}\n", counters["reason"].get<std::string>());
    const double instructions = mean_of(counters["instructions"]), cycles = mean_of(counters["cycles"]);
    return fmt::format(
        "hardware counters  {:.3g} instructions a rank, {:.2f} a cycle; {:.2f} cache misses in a thousand\n",
        instructions, cycles > 0.0 ? instructions / cycles : 0.0,
        instructions > 0.0 ? 1e3 * mean_of(counters["cache_misses"]) / instructions : 0.0);
}

std::string speed_summary(const nlohmann::json& speed, const std::string& unit,
                          const std::function<std::string(double)>& text_at) {
    if (speed.is_null() || speed["intervals"].get<std::size_t>() < 3) return {};
    const auto million = [&](const nlohmann::json& at) { return 1e-6 * at.get<double>(); };
    std::string text = fmt::format(
        "speed              {:.3g} million {} per second (median of {} intervals), {:.3g} to {:.3g}\n",
        million(speed["median"]), unit, speed["intervals"].get<std::size_t>(), million(speed["min"]),
        million(speed["max"]));
    if (speed.contains("fell"))
        text += fmt::format("                   it fell to {:.3g} from {} to {}\n",
                            million(speed["fell"]["mean"]), text_at(speed["fell"]["from"].get<double>()),
                            text_at(speed["fell"]["to"].get<double>()));
    return text;
}

std::string start_up_summary(const nlohmann::json& start_up) {
    double all = 0.0;
    std::string text;
    for (const auto& [name, seconds] : by_size(start_up)) {
        std::string words = name;
        std::ranges::replace(words, '_', ' ');
        text += fmt::format("{} {} {}", text.empty() ? "" : ",", words, short_time(seconds));
        all += seconds;
    }
    return fmt::format("start-up           {}:{}\n", short_time(all), text);
}

}  // namespace groundswell::simulation
