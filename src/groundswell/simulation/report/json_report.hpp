#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::simulation {

/// Wraps a command's result as every JSON file of this program is wrapped:
/// {"schema":1, "command", "version", "machine":{"mpi","hosts","ranks","threads","cpu","isa"}, "build":
/// build_json(), "result"}. `isa`: the instruction set of the kernels.
/// `comm` is MPI_COMM_NULL where the command runs without MPI. Collective over `comm`.
nlohmann::json json_report(const std::string& command, MPI_Comm comm, int threads, nlohmann::json result);

/// Refusal where a report cannot be written to this path ("-", or none: nothing to refuse), to be had before
/// the work that it reports; or where it is one of `taken`, files that the command reads or writes itself.
/// Not collective: ask on one rank, inside parallel::agree.
void check_json_target(const std::string& path, const std::vector<std::string>& taken = {});

/// Writes a text to a file, which appears under its name when it is whole: readers may poll for it. A link goes on leading to
/// it. Throws RunFailure with the system's words when it cannot.
void replace_file(const std::string& path, std::string_view text);

/// Writes a report to a file, whole or not at all, or into a device or a pipe ("-": standard output). Throws
/// RunFailure with the system's words when it cannot.
void write_json(const std::string& path, const nlohmann::json& report);

/// {"min", "mean", "max"}, times `factor`.
inline nlohmann::json statistic_json(const parallel::Statistic& statistic, double factor = 1.0) {
    return {
        {"min", statistic.min * factor}, {"mean", statistic.mean * factor}, {"max", statistic.max * factor}};
}

/// The processor's name as the operating system tells it.
std::string cpu_name();

}  // namespace groundswell::simulation
