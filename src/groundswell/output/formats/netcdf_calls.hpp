#pragma once

#include <netcdf.h>

#include <string>

/// Shared parts of the writer and the reader through netCDF-C.
namespace groundswell::output {

/// Throws `Error` with the library's words unless `status` says success.
template <class Error>
void check_netcdf(int status, const std::string& what) {
    if (status != NC_NOERR) throw Error(what + ": " + nc_strerror(status));
}

}  // namespace groundswell::output
