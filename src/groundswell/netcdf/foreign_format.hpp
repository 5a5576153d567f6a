#pragma once

#include <string>

namespace groundswell::netcdf {

/// Kind of a file that netCDF-C does not open, and the command that makes NetCDF of it, in words: "this is a ZIP archive:
/// unzip FILE". By its first bytes; empty where they say nothing.
std::string foreign_format(const std::string& path);

/// Whether the file begins as HDF5 files do.
bool is_hdf5(const std::string& path);

}  // namespace groundswell::netcdf
