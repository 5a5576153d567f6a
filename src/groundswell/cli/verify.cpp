#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/output/check/finite.hpp"
#include "groundswell/output/check/verification.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

struct VerifyOptions {
    std::vector<std::string> files;
    std::string json;
    bool values = false;  // looks at them, too
};

int verify_files(const VerifyOptions& options) {
    simulation::check_json_target(options.json, options.files);
    nlohmann::json list = nlohmann::json::array();
    std::size_t width = 4;
    for (const std::string& file : options.files) width = std::max(width, file.size());
    const bool speaks = options.json != "-";
    if (speaks)
        std::cout << fmt::format("{:{}}  {:>8}  {:>8}  {:>9}\n", "file", width, "records", "complete",
                                 "checksums");
    bool all = true;
    for (const std::string& file : options.files) {
        output::FileReport report = output::verify_file(file);
        if (options.values && report.ok()) report.problems = output::find_not_finite(file);
        all = all && report.ok();
        list.push_back({{"file", report.file},
                        {"ok", report.ok()},
                        {"records", report.records},
                        {"complete_records", report.complete_records},
                        {"checksums", report.checksums},
                        {"problems", report.problems}});
        if (!speaks) continue;
        std::cout << fmt::format("{:{}}  {:>8}  {:>8}  {:>9}  {}\n", file, width, report.records,
                                 report.complete_records,
                                 report.checksums > 0 ? std::to_string(report.checksums) : "none",
                                 report.ok() ? "sound" : "DAMAGED");
        for (const std::string& problem : report.problems) std::cout << "    " << problem << '\n';
    }
    if (!options.json.empty())
        simulation::write_json(options.json,
                               simulation::json_report("verify", MPI_COMM_NULL, 1, {{"files", list}}));
    return static_cast<int>(all ? base::ExitCode::done : base::ExitCode::negative);
}

}  // namespace

Action add_verify(simulation::Command command) {
    auto options = std::make_shared<VerifyOptions>();
    command.footer(
        "Example: groundswell verify cases/yagi/output/*.nc\n"
        "Checks the header, the size, the times of the records and holes, and recomputes the checksums "
        "that\n"
        "a run with output.checksums = true has stored. With --values also looks for values that are NaN\n"
        "or infinite.\n"
        "Exit code 0 when all files are sound, 1 when one is damaged, 2 when one cannot be read.");
    command.option("FILE", options->files, "NetCDF files").required();
    command.flag("--values", options->values, "also look for NaN and infinite values");
    simulation::add_json_option(command, options->json);
    return [options] { return verify_files(*options); };
}

}  // namespace groundswell::cli
