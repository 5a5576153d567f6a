#pragma once

#include <string>
#include <vector>

#include "groundswell/output/file.hpp"
#include "groundswell/output/schema.hpp"

/// Values that are no finite numbers: NaN, and what has overflowed.
namespace groundswell::output {

/// Whether there are any among the values of a variable that this rank is about to write. Not collective.
bool all_finite(const Schema& schema, const Values& values);

/// One problem, for people, for each variable, and each record of it, of a netCDF file that holds such values. Reads piece by piece.
/// base::Refusal where the file cannot be read. Not collective.
std::vector<std::string> find_not_finite(const std::string& path);

}  // namespace groundswell::output
