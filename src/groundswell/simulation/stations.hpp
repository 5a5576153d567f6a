#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groundswell/output/dataset.hpp"
#include "groundswell/simulation/case.hpp"

/// Stations: points with names whose values stand in one file, as CF-1.11 has time series of discrete places
/// (section 9).
namespace groundswell::simulation {

/// Length of the character rows that hold their names.
inline constexpr std::int64_t station_name_length = 40;

/// The key `names` of an entry that lists so many points; P1, P2, … for those it does not name.
std::vector<std::string> read_station_names(const Section& entry, std::size_t points);

/// Adds the dimensions time, station and string40, and the variables time, station and station_name.
void add_stations(output::Schema& schema, const TimeSection& time, std::size_t stations);
/// Writes station and station_name. Collective.
void write_stations(output::Dataset& file, std::span<const std::string> names);

}  // namespace groundswell::simulation
