#include "groundswell/netcdf/library_versions.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <netcdf.h>

#include "groundswell/netcdf/lock.hpp"

namespace groundswell::netcdf {

std::string netcdf_version() {
    const auto lock = own_library();
    const std::string text = nc_inq_libvers();  // "4.9.0 of Jan 7 2023 …"
    return text.substr(0, text.find(' '));
}

std::string hdf5_version() {
    const auto lock = own_library();
    unsigned major = 0, minor = 0, release = 0;
    if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
    return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace groundswell::netcdf
