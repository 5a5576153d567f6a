#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

/// Calls of C libraries that read files which may be damaged. HDF5 believes what it finds in a file: it
/// follows a list that ends in itself for ever, and a place that is none into the void.
namespace groundswell::netcdf {

/// Lock held during any call of netCDF, PnetCDF or HDF5, closing included: none of them may be entered by two
/// threads of a process. Taken for the length of one call.
std::unique_lock<std::mutex> own_library();

/// Versions of the libraries that this process runs with: "4.9.0", "1.10.8".
std::string netcdf_version();
std::string hdf5_version();

/// Result of `call`. Refusal that names the file where the library faults on it (an address or a division
/// that is none), or computes for longer than a sound file of so many bytes takes. Time in which it waits,
/// for a slow disk or a loaded machine, does not count. `call` is left in the middle then: it must do nothing
/// but call the library, and hold no object that needs its end.
int limited_call(const std::string& path, const std::function<int()>& call, std::int64_t bytes = 0);

/// Whether a call was left: the library must not be called again, not even to close a file or by exit().
bool library_is_lost();

}  // namespace groundswell::netcdf
