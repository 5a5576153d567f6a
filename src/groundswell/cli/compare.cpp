#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/report/comparison_report.hpp"
#include "groundswell/cli/report/text_series.hpp"
#include "groundswell/netcdf/classic_header.hpp"
#include "groundswell/output/check/comparison.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

namespace fs = std::filesystem;

struct CompareOptions {
    std::string a, b, json, within;
    std::vector<std::string> files;  // of both folders; none: all
    output::Tolerance tolerance;
    bool speaks() const { return json != "-"; }  // on standard output a report stands alone
};

/// A file that is cut short has no values to compare; the library would make some up.
void require_whole(const std::string& path, const output::Reader& reader) {
    const netcdf::StoredExtent extent(path);
    for (const output::Variable& variable : reader.schema().variables) extent.require(variable.name);
}

struct Answer {
    bool identical = true;
    nlohmann::json json;
};

Answer compare_files(const std::string& path_a, const std::string& path_b, const CompareOptions& options) {
    simulation::check_json_target(options.json, {path_a, path_b});
    const output::Reader a(path_a), b(path_b);
    require_whole(path_a, a);
    require_whole(path_b, b);
    const output::Comparison comparison = output::compare(a, b, options.tolerance,
                                                          {{"mesh_face_lon", "mesh_face_lat"},
                                                           {"mesh_node_lon", "mesh_node_lat"},
                                                           {"longitude", "latitude"},
                                                           {"lon", "lat"}});
    if (options.speaks()) print_comparison(a, comparison, options.tolerance.within.has_value());
    return {comparison.identical, comparison_json(a, comparison)};
}

// Columns of text are judged by their relative L2 difference; without --within it has to be 0.
Answer compare_text(const std::string& path_a, const std::string& path_b, const CompareOptions& options) {
    simulation::check_json_target(options.json, {path_a, path_b});
    const TextSeries a = read_text_series(path_a), b = read_text_series(path_b);
    Answer answer{true, nlohmann::json::object()};
    nlohmann::json columns = nlohmann::json::array(), only_in_a = columns, only_in_b = columns;
    for (const TextSeries::Column& column : a.columns) {
        const TextSeries::Column* const other = b.find(column.name);
        if (other == nullptr) {
            only_in_a.push_back(column.name);
            continue;
        }
        const double l2 = difference_of(column, *other);
        const bool passed = l2 <= options.tolerance.within.value_or(0.0);
        answer.identical = answer.identical && passed;
        columns.push_back({{"name", column.name}, {"equal", passed}, {"l2", l2}});
        if (options.speaks()) print_judgement(column.name, l2, passed);
    }
    for (const TextSeries::Column& column : b.columns)
        if (a.find(column.name) == nullptr) only_in_b.push_back(column.name);
    base::require(!columns.empty(), path_b, "", "",
                  fmt::format("a column with a name that {} has too", path_a));
    // Programs and their versions write different columns; what is judged is what both have.
    const bool judged = options.tolerance.within.has_value();
    answer.identical = answer.identical && (judged || (only_in_a.empty() && only_in_b.empty()));
    for (const auto& [what, names] : {std::pair{"A", &only_in_a}, std::pair{"B", &only_in_b}})
        for (const auto& name : *names)
            if (options.speaks()) std::cout << "only in " << what << ": " << name.get<std::string>() << '\n';
    answer.json = {{"identical", answer.identical},
                   {"variables", std::move(columns)},
                   {"only_in_a", std::move(only_in_a)},
                   {"only_in_b", std::move(only_in_b)}};
    return answer;
}

Answer compare_either(const std::string& a, const std::string& b, const CompareOptions& options) {
    return is_text_series(a) && is_text_series(b) ? compare_text(a, b, options)
                                                  : compare_files(a, b, options);
}

/// The names of the NetCDF files and text series of a folder, sorted.
std::vector<std::string> files_of(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename();
        if (name.ends_with(".nc") || is_series_of_folder(name)) names.push_back(name);
    }
    base::require(!error, folder, "", "", "a folder that can be read: " + error.message());
    std::sort(names.begin(), names.end());
    return names;
}

/// The one of a folder's names that is the same but for the rank in it; null: none.
const std::string* find_same(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find_if(
        names, [&](const std::string& one) { return series_name(one) == series_name(name); });
    return found == names.end() ? nullptr : &*found;
}

std::vector<std::string> without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& others) {
    std::vector<std::string> rest;
    for (const std::string& name : names)
        if (find_same(others, name) == nullptr) rest.push_back(name);
    return rest;
}

Answer compare_folders(const CompareOptions& options) {
    const std::vector<std::string> all_a = files_of(options.a), all_b = files_of(options.b);
    std::vector<std::string> only_in_a, only_in_b, common = options.files;
    if (common.empty()) {
        only_in_a = without(all_a, all_b);
        only_in_b = without(all_b, all_a);
        common = without(all_a, only_in_a);
        base::require(
            !common.empty(), options.b, "", "",
            fmt::format("a folder with a NetCDF file, or a series in text, of a name that {} has too",
                        options.a));
    }
    Answer answer{only_in_a.empty() && only_in_b.empty(), nlohmann::json::object()};
    nlohmann::json files = nlohmann::json::array();
    for (const std::string& name : common) {
        if (options.speaks()) std::cout << name << ":\n";
        const std::string* const other = find_same(all_b, name);
        Answer file = compare_either(fs::path(options.a) / name,
                                     fs::path(options.b) / (other != nullptr ? *other : name), options);
        answer.identical = answer.identical && file.identical;
        file.json["name"] = name;
        files.push_back(std::move(file.json));
    }
    if (options.speaks()) {
        for (const std::string& name : only_in_a) std::cout << "only in A: " << name << '\n';
        for (const std::string& name : only_in_b) std::cout << "only in B: " << name << '\n';
    }
    answer.json = {{"identical", answer.identical},
                   {"files", std::move(files)},
                   {"only_in_a", only_in_a},
                   {"only_in_b", only_in_b}};
    return answer;
}

bool is_folder(const std::string& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

// "1%" or "0.01".
double share_of(const std::string& text) {
    char* end = nullptr;
    double share = std::strtod(text.c_str(), &end);
    const bool percent = *end == '%';
    if (percent) {
        share /= 100.0;
        ++end;
    }
    base::require(!text.empty() && *end == '\0' && share >= 0.0 && std::isfinite(share), "command line",
                  "--within", text, "a share such as 1% or 0.01");
    return share;
}

int compare(CompareOptions& options) {
    if (!options.within.empty()) options.tolerance.within = share_of(options.within);
    const bool judged = options.tolerance.within.has_value();
    const bool folders = is_folder(options.a);
    base::require(folders == is_folder(options.b), options.b, "", "",
                  folders ? "a folder, like the first" : "a file, like the first");
    base::require(folders || options.files.empty(), options.a, "", "", "a folder that has what --file names");
    const Answer answer = folders ? compare_folders(options) : compare_either(options.a, options.b, options);
    if (options.speaks() && judged)
        std::cout << (answer.identical ? "pass" : "fail") << ": within " << options.within << std::endl;
    else if (options.speaks())
        std::cout << (folders ? "the folders " : "the files ")
                  << (answer.identical ? "hold the same" : "differ") << std::endl;
    if (!options.json.empty())
        simulation::write_json(options.json,
                               simulation::json_report("compare", MPI_COMM_NULL, 1, answer.json));
    return static_cast<int>(answer.identical ? base::ExitCode::done : base::ExitCode::negative);
}

}  // namespace

Action add_compare(simulation::Command command) {
    auto options = std::make_shared<CompareOptions>();
    command.footer(
        "Examples: groundswell compare one/yagi.nc two/yagi.nc --rtol 1e-5\n"
        "          groundswell compare one two\n"
        "          groundswell compare one two --file yagi.nc --file spectra.nc\n"
        "          groundswell compare mine theirs --within 1%\n"
        "Of two folders, NetCDF files (*.nc) of the same name are compared, and series in text as SeisSol\n"
        "writes them (*receiver-*.dat, *energy.csv); one that only one folder has is a difference.\n"
        "Values are equal when |a - b| <= atol + rtol * max(|a|, |b|); NaN equals NaN. With --within, and\n"
        "in text always, a variable or column is judged as a whole, by the square root of the sum of\n"
        "(a - b)^2 over that of b^2, in text at the times of B; attributes do not count, nor do columns of\n"
        "text that only one file has. Of the global\n"
        "attributes, history, date_created, groundswell_case, groundswell_inputs, groundswell_run and "
        "groundswell_build do not count.\n"
        "Exit code 0 when they hold the same, 1 when they differ, 2 when a file cannot be read or is cut "
        "short, or\n"
        "the folders have no name in common.");
    command.option("A", options->a, "a NetCDF file, a series in text, or a folder of them").required();
    command.option("B", options->b, "what to compare it with").required();
    command.option("--file", options->files, "of two folders, only the file of this name; may be repeated")
        .type_name("NAME")
        .one_at_a_time();
    command.option("--within", options->within, "pass what differs by no more than this share in relative L2")
        .type_name("SHARE");
    command.option("--rtol", options->tolerance.relative, "relative tolerance")
        .shows_default()
        .not_below_zero();
    command.option("--atol", options->tolerance.absolute, "absolute tolerance, in each variable's unit")
        .shows_default()
        .not_below_zero();
    simulation::add_json_option(command, options->json);
    return [options] { return compare(*options); };
}

}  // namespace groundswell::cli
