#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/cli/report/part_traffic.hpp"

/// Report of `groundswell volume` on parts, for people and for programs. `bytes`: of one thing that is received.
namespace groundswell::cli {

/// The array `partitions` of the JSON.
nlohmann::json partitions_json(const std::vector<PartTraffic>& measured, double bytes);

/// The matrix of all partitions as comma-separated values, with a line of heads: `partition` counts them from 0 as in the JSON.
/// Throws RunFailure when the file cannot be written.
void write_matrix(const std::string& path, const std::vector<PartTraffic>& measured);

/// The table, without what stands above it.
std::string volume_table(const std::vector<PartTraffic>& measured, double bytes);

}  // namespace groundswell::cli
