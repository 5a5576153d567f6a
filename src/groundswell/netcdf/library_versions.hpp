#pragma once

#include <string>

namespace groundswell::netcdf {

/// Versions of the libraries that this process runs with: "4.9.0", "1.10.8".
std::string netcdf_version();
std::string hdf5_version();

}  // namespace groundswell::netcdf
