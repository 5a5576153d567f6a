#pragma once

#include <string>

#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// Meaning of a dimension of a variable: of the places in it, of time, or of what else there may be several of.
enum class Role { time, start_of_forecast, latitude, longitude, y, x, level, member, version, other };

/// The role of a coordinate variable: by units, else standard name or axis attribute, else its name.
Role role_of(const netcdf::Reader& file, const netcdf::Reader::Variable& coordinate);

/// The role of a dimension without a coordinate variable, by its name.
Role role_of_name(const std::string& dimension);

/// Whether a unit counts degrees to the north, or to the east; "degrees" alone says nothing.
bool is_north(const std::string& units);
bool is_east(const std::string& units);

}  // namespace groundswell::gridded
