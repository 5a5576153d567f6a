#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/halo/measure/measurement.hpp"

/// Report of `groundswell halo` on its measurement, for people and for programs.
namespace groundswell::cli {

/// One line of the table: a transport, and what was found where it is there.
struct HaloEntry {
    std::string name;
    std::string reason;  ///< why it is not available; empty where it is
    halo::MeasuredTransport whole, selected;
    bool has_selected = false;  ///< it was also timed with the selection, and sends selected values
};

/// The baseline of speed-ups, as in Pang et al. 2025.
inline constexpr const char* halo_baseline = "point-to-point";

/// The array `transports` of the JSON. `off_host_whole`, `off_host_selected`: bytes of one exchange that
/// leave their host.
nlohmann::json halo_transports(const std::vector<HaloEntry>& entries, double memcpy_p10,
                               std::int64_t off_host_whole, std::int64_t off_host_selected);

/// The table of a `result`.
std::string halo_table(const nlohmann::json& machine, const nlohmann::json& result);

}  // namespace groundswell::cli
