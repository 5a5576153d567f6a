#ifdef GROUNDSWELL_PNETCDF
#include <pnetcdf.h>
#endif

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/output/formats/backend.hpp"

// The only file that knows which libraries this build has; the build sets GROUNDSWELL_PNETCDF for it alone.
namespace groundswell::output {

std::vector<std::string> available_modes(Format format) {
#ifdef GROUNDSWELL_PNETCDF
    constexpr bool together = true;
#else
    constexpr bool together = false;
#endif
    if (together || format == Format::netcdf4) return {"direct", "serial"};
    return {"serial"};
}

std::string pnetcdf_version() {
#ifdef GROUNDSWELL_PNETCDF
    const auto lock = netcdf::own_library();
    const std::string text = ncmpi_inq_libvers();  // "1.12.3 of February 21, 2022"
    return text.substr(0, text.find(' '));
#else
    return {};
#endif
}

std::string resolve_mode(std::string_view mode, std::string_view where, Format format) {
    const std::vector<std::string> available = available_modes(format);
    if (mode == "auto") return available.front();
    if (std::find(available.begin(), available.end(), mode) != available.end()) return std::string(mode);
    std::string expected = "auto";
    for (const std::string& each : available) expected += " or " + each;
    if (mode == "direct") base::refuse(where, "mode", mode, expected + " (this build has no PnetCDF)");
    base::refuse(where, "mode", mode, expected);
}

std::unique_ptr<Backend> make_backend(std::string_view mode, const Storage& storage, MPI_Comm comm,
                                      const std::string& path, const Schema& schema) {
    GS_ASSERT(mode == "direct" || mode == "serial");
    if (storage.format == Format::netcdf4)
        return make_hdf5_backend(comm, path, schema, storage.compression, mode == "direct");
#ifdef GROUNDSWELL_PNETCDF
    if (mode == "direct") return make_pnetcdf_backend(comm, path, schema);
#endif
    GS_ASSERT(mode == "serial");
    return make_netcdf_backend(comm, path, schema);
}

}  // namespace groundswell::output
