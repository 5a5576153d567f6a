#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Storage of values in files: which format, and how compressed.
namespace groundswell::output {

enum class Format : std::int32_t {
    cdf5,    ///< netCDF classic with 64-bit sizes; values stand in the file as they are
    netcdf4  ///< an HDF5 file as netCDF-4 lays it out; values may be compressed
};

/// cdf5, netcdf4: the words of the case file.
std::string_view name_of(Format format);
std::vector<std::string> format_names();

struct Storage {
    Format format = Format::cdf5;
    int compression = 0;  ///< level of deflate with shuffled bytes, 1 (fast) to 9 (small); 0: none
};

/// The format of that name. Refusal naming `where` and `key` when there is none.
Format parse_format(std::string_view name, std::string_view where, std::string_view key);

/// Refusal when the format cannot be compressed, or the level is none.
void check_storage(const Storage& storage, std::string_view where, std::string_view key);

}  // namespace groundswell::output
