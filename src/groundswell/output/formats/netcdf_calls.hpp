#pragma once

#include <netcdf.h>

#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/schema.hpp"

/// What the writer and the reader through netCDF-C share.
namespace groundswell::output {

inline nc_type netcdf_type(Type type) {
    switch (type) {
        case Type::character:
            return NC_CHAR;
        case Type::int32:
            return NC_INT;
        case Type::int64:
            return NC_INT64;
        case Type::float32:
            return NC_FLOAT;
        case Type::float64:
            return NC_DOUBLE;
    }
    GS_ASSERT(false);
    return NC_NAT;
}

/// Throws `Error` with the library's words unless `status` says success.
template <class Error>
void check_netcdf(int status, const std::string& what) {
    if (status != NC_NOERR) throw Error(what + ": " + nc_strerror(status));
}

}  // namespace groundswell::output
