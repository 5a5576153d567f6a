#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>

namespace groundswell::cli {

/// Wraps a command's result as every JSON file of this program is wrapped:
/// {"schema":1, "command", "version", "machine":{"mpi","hosts","ranks","threads","cpu"}, "result"}.
/// `comm` is MPI_COMM_NULL where the command runs without MPI. Collective over `comm`.
nlohmann::json json_report(const std::string& command, MPI_Comm comm, int threads, nlohmann::json result);

/// Refusal where a report cannot be written to this path ("-", or none: nothing to refuse), to be had before
/// the work that it reports. Not collective: ask on one rank, inside parallel::agree.
void check_json_target(const std::string& path);

/// Writes a report to a file ("-": standard output), whole or not at all. Throws RunFailure when it cannot.
void write_json(const std::string& path, const nlohmann::json& report);

/// The processor's name as the operating system tells it.
std::string cpu_name();

}  // namespace groundswell::cli
