#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/simulation/report/run_report.hpp"

/// Report of a run on its start-up, kernels, memory, MPI library, and how its speed held.
namespace groundswell::simulation {

/// The part `startup`: a statistic of the seconds of each part. Collective.
nlohmann::json start_up_json(MPI_Comm comm, const RunMeasurement& measurement);

/// The part `mpi`: what ranks called, by name, most seconds first, and by the phase of the profile; null where the program does not count. Collective.
nlohmann::json mpi_json(MPI_Comm comm, const parallel::Profile& profile, const RunMeasurement& measurement);

/// The part `kernels` after so many steps: by name and cluster; shares of the machine's limits where their work is counted.
/// Collective.
nlohmann::json kernels_json(Model& model, std::int64_t steps, const exec::MachineLimits& limits);

/// The part `limits`; null where there are none. Not collective.
nlohmann::json limits_json(const RunLimits& limits);

/// The part `memory`: statistics of the bytes of each holder, which add up to the peak. Collective.
nlohmann::json memory_json(const Model& model, const RunMeasurement& measurement, std::int64_t output_bytes);

/// The part `hardware_counters`. Collective.
nlohmann::json hardware_json(MPI_Comm comm, const RunMeasurement& measurement);

/// The part `speed`: of the intervals between samples, in units of work a second; and the longest stretch in which it was
/// below four fifths of the median, of a twentieth of them at least. `work`: of a simulated second.
nlohmann::json speed_json(const std::vector<std::pair<double, double>>& samples, double work);

/// For people: lines of the summary.
std::string start_up_summary(const nlohmann::json& start_up);
std::string mpi_summary(const nlohmann::json& mpi);
std::string kernels_summary(const nlohmann::json& kernels);
std::string memory_summary(const nlohmann::json& memory);
std::string hardware_summary(const nlohmann::json& counters);
/// `text_at`: a simulated time, s after the first step, for people.
std::string speed_summary(const nlohmann::json& speed, const std::string& unit,
                          const std::function<std::string(double)>& text_at);

}  // namespace groundswell::simulation
