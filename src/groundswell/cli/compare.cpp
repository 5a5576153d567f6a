#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/time.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/number_checks.hpp"
#include "groundswell/cli/report/json_report.hpp"
#include "groundswell/netcdf/classic_header.hpp"
#include "groundswell/output/check/comparison.hpp"

namespace groundswell::cli {

namespace {

struct CompareOptions {
    std::string a, b, json;
    output::Tolerance tolerance;
};

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
        return base::format_instant({origin->milliseconds + std::llround(1e3 * value)});
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

nlohmann::json result_json(const output::Reader& reader, const output::Comparison& comparison) {
    nlohmann::json variables = nlohmann::json::array();
    for (const output::VariableComparison& each : comparison.variables) {
        variables.push_back({{"name", each.name},
                             {"equal", each.equal},
                             {"max_abs", each.max_abs},
                             {"max_rel", each.max_rel},
                             {"worst", worst_json(reader, each.worst)}});
    }
    return {{"identical", comparison.identical},
            {"variables", variables},
            {"only_in_a", comparison.only_in_a},
            {"only_in_b", comparison.only_in_b},
            {"differences", comparison.differences}};
}

std::string worst_text(const output::Reader& reader, const output::Worst& worst) {
    std::string text = fmt::format("{} and {} at {}", worst.a, worst.b, index_text(worst.index));
    if (worst.lon && worst.lat) text += fmt::format(", lon {:.4f} lat {:.4f}", *worst.lon, *worst.lat);
    if (worst.time) text += ", " + time_text(reader, *worst.time);
    return text;
}

void print(const output::Reader& reader, const output::Comparison& comparison) {
    for (const std::string& each : comparison.differences) std::cout << each << '\n';
    for (const std::string& each : comparison.only_in_a) std::cout << "only in A: " << each << '\n';
    for (const std::string& each : comparison.only_in_b) std::cout << "only in B: " << each << '\n';
    std::size_t width = 8;
    for (const auto& each : comparison.variables) width = std::max(width, each.name.size());
    std::cout << fmt::format("{:{}}  {:9}  {:>10}  {:>10}  worst (A and B)\n", "variable", width, "",
                             "max abs", "max rel");
    for (const auto& each : comparison.variables) {
        const char* verdict = !each.equal ? "differs" : each.worst ? "close" : "identical";
        // Of other shapes, types or text no value was compared.
        const bool measured = each.equal || each.worst;
        const auto number = [&](double value) { return measured ? fmt::format("{:.3g}", value) : "-"; };
        std::string line = fmt::format("{:{}}  {:9}  {:>10}  {:>10}", each.name, width, verdict,
                                       number(each.max_abs), number(each.max_rel));
        if (each.worst) line += "  " + worst_text(reader, *each.worst);
        std::cout << line << '\n';
    }
    std::cout << (comparison.identical ? "the files hold the same\n" : "the files differ\n") << std::flush;
}

/// A file that is cut short has no values to compare; the library would make some up.
void require_whole(const std::string& path, const output::Reader& reader) {
    const netcdf::StoredExtent extent(path);
    for (const output::Variable& variable : reader.schema().variables) extent.require(variable.name);
}

int compare_files(const CompareOptions& options) {
    check_json_target(options.json, {options.a, options.b});
    const output::Reader a(options.a), b(options.b);
    require_whole(options.a, a);
    require_whole(options.b, b);
    const output::Comparison comparison = output::compare(a, b, options.tolerance);
    if (options.json != "-") print(a, comparison);  // on standard output a report stands alone
    if (!options.json.empty()) {
        write_json(options.json, json_report("compare", MPI_COMM_NULL, 1, result_json(a, comparison)));
    }
    return static_cast<int>(comparison.identical ? base::ExitCode::done : base::ExitCode::negative);
}

}  // namespace

Action add_compare(CLI::App& program) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = program.add_subcommand("compare", "whether two NetCDF files hold the same");
    command->footer(
        "Example: groundswell compare one/yagi.nc two/yagi.nc --rtol 1e-5\n"
        "Values are equal when |a - b| <= atol + rtol * max(|a|, |b|); NaN equals NaN. Of the global "
        "attributes,\n"
        "history, date_created, groundswell_case and groundswell_run do not count.\n"
        "Exit code 0 when the files hold the same, 1 when they differ, 2 when one cannot be read or is cut "
        "short.");
    command->add_option("A", options->a, "a NetCDF file")->required();
    command->add_option("B", options->b, "the file to compare it with")->required();
    command->add_option("--rtol", options->tolerance.relative, "relative tolerance")
        ->capture_default_str()
        ->check(not_below_zero);
    command->add_option("--atol", options->tolerance.absolute, "absolute tolerance, in each variable's unit")
        ->capture_default_str()
        ->check(not_below_zero);
    add_json_option(*command, options->json);
    return [options] { return compare_files(*options); };
}

}  // namespace groundswell::cli
