#include "groundswell/simulation/run/reports.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/streams/restart.hpp"

namespace groundswell::simulation {

namespace {

// Names in the output folder that the run gives to files of its own, besides those of the case.
bool is_own_name(const std::string& path, const std::string& folder) {
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    const std::string name = std::filesystem::path(path).filename().string();
    return output::is_same_file(parent.empty() ? "." : parent.string(), folder) &&
           (is_restart_name(name) || name.starts_with(".groundswell") || name.ends_with(".part"));
}

void print_explanation(const std::vector<KeyRecord>& keys, const std::vector<std::string>& input) {
    for (const KeyRecord& key : keys) {
        std::cout << fmt::format("{} = {}{}\n", key.key, key.value.empty() ? "(not given)" : key.value,
                                 key.given ? "" : "   (default)");
        std::cout << fmt::format("    {}", key.meaning);
        if (!key.unit.empty()) std::cout << fmt::format(" [{}]", key.unit);
        std::cout << fmt::format("; default {}", key.default_text.empty() ? "none" : key.default_text);
        if (!key.range.empty()) std::cout << fmt::format(", range {}", key.range);
        if (!key.source.empty()) std::cout << fmt::format("; {}", key.source);
        std::cout << "\n";
    }
    for (const std::string& line : input) std::cout << line << "\n";
}

nlohmann::json explanation_json(const std::vector<KeyRecord>& keys, const std::vector<std::string>& input) {
    nlohmann::json list = nlohmann::json::array();
    for (const KeyRecord& key : keys)
        list.push_back({{"key", key.key},
                        {"value", key.value},
                        {"given", key.given},
                        {"type", key.type},
                        {"unit", key.unit},
                        {"default", key.default_text},
                        {"range", key.range},
                        {"meaning", key.meaning},
                        {"source", key.source}});
    return {{"parameters", list}, {"input", input}};
}

}  // namespace

void report_run(MPI_Comm comm, const Case& run, const RunOptions& options, const RunResult& result) {
    const bool first = parallel::rank_of(comm) == 0;
    const nlohmann::json report = json_report("run", comm, run.threads, result.json);
    parallel::agree(comm, [&] {
        if (!first) return;
        write_json(run.output.folder + "/run.json", report);
        if (!options.json.empty()) write_json(options.json, report);
    });
    // On standard output a report stands alone.
    if (first && !options.quiet && options.json != "-") std::cout << result.summary << std::endl;
}

void check_reports(const Case& run, const RunOptions& options) {
    std::vector<std::string> taken = run.input_files();
    taken.push_back(options.restart);
    const std::string report = run.output.folder + "/run.json";
    std::error_code too_long;  // found, and said, where the folder is made
    if (!options.explain && std::filesystem::is_directory(run.output.folder, too_long))
        check_json_target(report, taken);
    for (const Interval& entry : run.intervals())
        if (!entry.file.empty()) taken.push_back(run.output.folder + "/" + entry.file);
    if (is_own_name(options.json, run.output.folder)) taken.push_back(options.json);
    // `--json` may name run.json: it is the same report.
    check_json_target(options.json, taken);
    taken.push_back(report);
    taken.push_back(options.json);
    base::require(options.timeline != "-", "command line", "--timeline", "-", "the name of a file");
    check_json_target(options.timeline, taken);
}

void report_check(Model& model, const Schedule& schedule, const Case& run, const RunOptions& options) {
    const bool first = parallel::rank_of(model.comm()) == 0;
    if (first) base::log_info("{}: all input is sound; nothing was run", run.file);
    const nlohmann::json report =
        json_report("run", model.comm(), run.threads, check_result(model, schedule));
    if (first && !options.json.empty()) write_json(options.json, report);
}

void explain_case(MPI_Comm comm, const ReadCase& read, const std::string& json) {
    const bool first = parallel::rank_of(comm) == 0;
    const auto input =
        parallel::agree(comm, [&] { return first ? read.run->about_input() : std::vector<std::string>{}; });
    const nlohmann::json report =
        json_report("run", comm, read.run->threads, explanation_json(read.keys, input));
    if (!first) return;
    if (json != "-") print_explanation(read.keys, input);
    if (!json.empty()) write_json(json, report);
}

}  // namespace groundswell::simulation
