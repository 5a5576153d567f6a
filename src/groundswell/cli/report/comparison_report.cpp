#include "groundswell/cli/report/comparison_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"

namespace groundswell::cli {

namespace {

/// The moment of a record, where the time coordinate of the file counts seconds since a date; else the
/// number.
std::string time_text(const output::Reader& reader, double value) {
    const std::string plain = fmt::format("{}", value);
    const output::Variable* time = reader.schema().find("time");
    if (!time) return plain;
    for (const output::Attribute& attribute : time->attributes) {
        const auto* units = std::get_if<std::string>(&attribute.value);
        const std::string_view prefix = "seconds since ";
        if (attribute.name != "units" || !units || !units->starts_with(prefix)) continue;
        const auto origin = base::parse_instant(std::string_view(*units).substr(prefix.size()));
        if (!origin) return plain;
        return base::format_instant(*origin + base::Duration{std::llround(1e6 * value)});
    }
    return plain;
}

std::string index_text(const std::vector<std::int64_t>& index) {
    std::string text;
    for (const std::int64_t each : index) text += fmt::format("{}{}", text.empty() ? "" : ", ", each);
    return "[" + text + "]";
}

nlohmann::json worst_json(const output::Reader& reader, const std::optional<output::Worst>& worst) {
    if (!worst) return nullptr;
    nlohmann::json json{{"time", nullptr}, {"index", worst->index}, {"lon", nullptr},
                        {"lat", nullptr},  {"a", worst->a},         {"b", worst->b}};
    if (worst->time) json["time"] = time_text(reader, *worst->time);
    if (worst->lon && worst->lat) {
        json["lon"] = *worst->lon;
        json["lat"] = *worst->lat;
    }
    return json;
}

}  // namespace

nlohmann::json comparison_json(const output::Reader& reader, const output::Comparison& comparison) {
    nlohmann::json variables = nlohmann::json::array();
    for (const output::VariableComparison& each : comparison.variables) {
        variables.push_back({{"name", each.name},
                             {"equal", each.equal},
                             {"max_abs", each.max_abs},
                             {"max_rel", each.max_rel},
                             {"l2", each.l2},
                             {"worst", worst_json(reader, each.worst)}});
    }
    return {{"identical", comparison.identical},
            {"variables", variables},
            {"only_in_a", comparison.only_in_a},
            {"only_in_b", comparison.only_in_b},
            {"differences", comparison.differences}};
}

namespace {

std::string worst_text(const output::Reader& reader, const output::Worst& worst) {
    std::string text = fmt::format("{} and {} at {}", worst.a, worst.b, index_text(worst.index));
    if (worst.lon && worst.lat) text += fmt::format(", lon {:.4f} lat {:.4f}", *worst.lon, *worst.lat);
    if (worst.time) text += ", " + time_text(reader, *worst.time);
    return text;
}

}  // namespace

void print_judgement(const std::string& name, double l2, bool passed) {
    std::cout << fmt::format("{:24}  relative L2 {:9.3g}  {}\n", name, l2, passed ? "pass" : "FAIL");
}

void print_comparison(const output::Reader& reader, const output::Comparison& comparison, bool judged) {
    for (const std::string& each : comparison.differences) std::cout << each << '\n';
    for (const std::string& each : comparison.only_in_a) std::cout << "only in A: " << each << '\n';
    for (const std::string& each : comparison.only_in_b) std::cout << "only in B: " << each << '\n';
    if (judged) {
        for (const auto& each : comparison.variables) print_judgement(each.name, each.l2, each.equal);
        return;
    }
    std::size_t width = 8;
    for (const auto& each : comparison.variables) width = std::max(width, each.name.size());
    std::cout << fmt::format("{:{}}  {:9}  {:>10}  {:>10}  worst (A and B)\n", "variable", width, "",
                             "max abs", "max rel");
    for (const auto& each : comparison.variables) {
        const char* verdict = !each.equal ? "differs" : each.worst ? "close" : "identical";
        // Where shape or type differ, or the variable is text, no value was compared.
        const bool measured = each.equal || each.worst;
        const auto number = [&](double value) { return measured ? fmt::format("{:.3g}", value) : "-"; };
        std::string line = fmt::format("{:{}}  {:9}  {:>10}  {:>10}", each.name, width, verdict,
                                       number(each.max_abs), number(each.max_rel));
        if (each.worst) line += "  " + worst_text(reader, *each.worst);
        std::cout << line << '\n';
    }
}

}  // namespace groundswell::cli
