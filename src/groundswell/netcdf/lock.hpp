#pragma once

#include <mutex>

namespace groundswell::netcdf {

/// Lock held during any call of netCDF, PnetCDF or HDF5, closing included: none of them may be entered by two
/// threads of a process. Taken for the length of one call.
std::unique_lock<std::mutex> own_library();

}  // namespace groundswell::netcdf
