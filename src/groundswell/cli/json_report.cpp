#include "groundswell/cli/json_report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/space.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::cli {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

nlohmann::json json_report(const std::string& command, MPI_Comm comm, int threads, nlohmann::json result) {
    int ranks = 1, hosts = 1;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_size(comm, &ranks);
        hosts = parallel::find_placement(comm).hosts;
    }
    const parallel::Library library = parallel::library();
    return {{"schema", 1},
            {"command", command},
            {"version", GROUNDSWELL_VERSION},
            {"machine",
             {{"mpi", fmt::format("{} {}", library.name, library.version)},
              {"hosts", hosts},
              {"ranks", ranks},
              {"threads", threads},
              {"cpu", cpu_name()}}},
            {"result", std::move(result)}};
}

void check_json_target(const std::string& path) {
    if (!path.empty() && path != "-") output::check_target(path, true);
}

void write_json(const std::string& path, const nlohmann::json& report) {
    const std::string text = report.dump(2) + "\n";
    if (path == "-") {
        std::cout << text << std::flush;
        return;
    }
    // Readers poll for this file: it appears when it is whole.
    const std::string part = path + ".part";
    std::ofstream stream(part, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    std::error_code error;
    if (stream) std::filesystem::rename(part, path, error);
    if (stream && !error) return;
    std::filesystem::remove(part, error);
    throw base::RunFailure(path + ": cannot be written");
}

}  // namespace groundswell::cli
