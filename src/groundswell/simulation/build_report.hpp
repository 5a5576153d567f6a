#pragma once

#include <nlohmann/json.hpp>
#include <string>

/// Description of this program's build. Nothing here depends on how a run uses it, so files may hold it too.
namespace groundswell::simulation {

/// {"architecture", "instruction_sets", "compiler", "flags", "version", "source", "libraries": {"mpi", "netcdf", "hdf5",
/// "pnetcdf", "metis"}}. `source`: the commit, null where it is not known; `pnetcdf` is null where the build has none.
nlohmann::json build_json();

/// The same in a line, with the instruction set of the kernels in use.
std::string build_text();

/// The name of the global attribute of files that holds build_text().
inline constexpr const char* build_attribute = "groundswell_build";

}  // namespace groundswell::simulation
