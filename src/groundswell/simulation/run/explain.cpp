#include "groundswell/simulation/run/explain.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::simulation {

namespace {

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
