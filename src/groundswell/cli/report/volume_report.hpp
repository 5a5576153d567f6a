#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/cli/report/part_traffic.hpp"

/// What `groundswell volume` tells of parts, for people and for programs. `bytes`: of one thing that is received.
namespace groundswell::cli {

/// The array `partitions` of the JSON.
nlohmann::json partitions_json(const std::vector<PartTraffic>& measured, double bytes);

/// The table, without what stands above it.
std::string volume_table(const std::vector<PartTraffic>& measured, double bytes);

}  // namespace groundswell::cli
