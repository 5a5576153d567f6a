#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/simulation/report/core_report.hpp"
#include "groundswell/simulation/report/profile_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"
#include "groundswell/simulation/report/rate.hpp"
#include "groundswell/simulation/report/run_report.hpp"
#include "groundswell/simulation/report/short_words.hpp"

namespace groundswell::simulation {

namespace {

// Phases by size, with their shares of what they add up to: set-up and run by the clock.
std::string phase_table(const nlohmann::json& phases) {
    std::vector<std::pair<std::string, nlohmann::json>> rows;
    double total = 0.0;
    for (const auto& [name, phase] : phases.items()) {
        rows.emplace_back(name, phase);
        total += mean_of(phase);
    }
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return mean_of(row.second); });
    std::string text =
        fmt::format("{:<18}{:>12}{:>12}{:>12}{:>9}\n", "seconds over ranks", "min", "mean", "max", "share");
    for (const auto& [name, phase] : rows)
        text += fmt::format("{:<18}{:>12.3f}{:>12.3f}{:>12.3f}{:>7.1f} %\n", name, phase["min"].get<double>(),
                            mean_of(phase), phase["max"].get<double>(),
                            total > 0.0 ? 100.0 * mean_of(phase) / total : 0.0);
    return text + fmt::format("{:<18}{:>24.3f}{:>19.1f} %\n", "total", total, 100.0);
}

// What the model spent in output, the number of the phases once more and what it is made of; what the writers
// did, and what they did only once.
std::string output_summary(const nlohmann::json& result, const std::string& folder) {
    const nlohmann::json& output = result["output"];
    const auto most = [&](const char* key) { return output[key]["max"].get<double>(); };
    std::string text = fmt::format("output             {} records, {:.1f} MiB, mode {}, in {}\n",
                                   output["records"].get<int>(), output["bytes"].get<double>() / 1048576.0,
                                   output["mode"].get<std::string>(), folder);
    text += fmt::format("  of the model     {:.3f} s: {:.3f} s to prepare fields, {:.3f} s in output calls",
                        mean_of(result["phases"]["output"]), mean_of(output["preparing_seconds"]),
                        mean_of(output["blocked_seconds"]));
    if (const int waits = output["waits"].get<int>(); waits > 0)
        text += fmt::format(" ({:.3f} s of them for room in the buffer, {} time{})",
                            mean_of(output["waited_seconds"]), waits, waits == 1 ? "" : "s");
    text += fmt::format(", {:.3f} s at the end\n", mean_of(output["finish_seconds"]));
    text += fmt::format("  writing          {:.3f} s\n", most("writing_seconds") - most("setup_seconds"));
    text +=
        fmt::format("  set-up           {:.3f} s to find out which cells go where", most("setup_seconds"));
    if (output["files"].size() > 1)
        for (const auto& file : output["files"])
            text += fmt::format("\n    {:<14} {}: front end {}, back end {}", file["file"].get<std::string>(),
                                short_bytes(file["bytes"].get<double>()),
                                short_time(file["blocked_seconds"]["max"].get<double>()),
                                short_time(file["writing_seconds"]["max"].get<double>()));
    for (const auto& reason : output["given_up"])
        text += fmt::format("\noutput given up    {}", reason.get<std::string>());
    return text;
}

}  // namespace

std::string run_summary(const nlohmann::json& result, const Model::Work& work, const std::string& lines,
                        const std::string& folder) {
    std::string text = findings_summary(result["cores"]) + phase_table(result["phases"]);
    const double simulated = result["simulated_seconds"].get<double>();
    text += fmt::format("whole run          {} for {} simulated: {:.3g} million {} per second\n",
                        format_seconds(result["wall_seconds"].get<double>()),
                        simulated < 100.0 ? fmt::format("{:.4g} s", simulated) : format_seconds(simulated),
                        1e-6 * result[speed_key(work)].get<double>(), work.unit);
    if (const std::string rate = rate_text(result["rate"]); !rate.empty())
        text += "                   " + rate + " of the least work that its formulas need\n";
    text += fmt::format("computing imbalance {:.1f} %, peak memory {:.0f} MiB a rank\n",
                        100.0 * result["imbalance"].get<double>(),
                        result["peak_memory_bytes"]["max"].get<double>() / 1048576.0);
    text += fmt::format("instructions       kernels for {}, of a program for {}\n",
                        exec::name_of(exec::instruction_set()), exec::build_architecture());
    return text + cores_summary(result["cores"]) + lines + output_summary(result, folder) + "\n" +
           start_up_summary(result["startup"]) + memory_summary(result["memory"]) +
           kernels_summary(result["kernels"]) + mpi_summary(result["mpi"]) +
           hardware_summary(result["hardware_counters"]);
}

}  // namespace groundswell::simulation
