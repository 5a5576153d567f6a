#include "groundswell/output/storage.hpp"

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

std::string_view name_of(Format format) {
    return format == Format::cdf5 ? "cdf5" : "netcdf4";
}

std::vector<std::string> format_names() {
    return {"cdf5", "netcdf4"};
}

Format parse_format(std::string_view name, std::string_view where, std::string_view key) {
    for (const Format format : {Format::cdf5, Format::netcdf4})
        if (name == name_of(format)) return format;
    base::refuse(where, key, name, "cdf5 or netcdf4");
}

void check_storage(const Storage& storage, std::string_view where, std::string_view key) {
    const std::string level = std::to_string(storage.compression);
    base::require(storage.compression >= 0 && storage.compression <= 9, where, key, level, "0 to 9");
    base::require(storage.compression == 0 || storage.format == Format::netcdf4, where, key, level,
                  "0, or format = \"netcdf4\" with it: CDF-5 files cannot be compressed");
}

}  // namespace groundswell::output
