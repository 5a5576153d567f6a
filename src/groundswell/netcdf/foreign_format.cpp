#include "groundswell/netcdf/foreign_format.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

namespace groundswell::netcdf {

std::string foreign_format(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::string begin(64, '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(file.gcount()));
    if (begin.empty()) return "this file is empty";
    const auto is = [&](std::string_view signature) { return begin.starts_with(signature); };
    if (is("PK\x03\x04")) return fmt::format("this is a ZIP archive: unzip {}", path);
    if (begin.find("GRIB") != std::string::npos)
        return fmt::format(
            "this is GRIB: `groundswell import wind {} --output OUT.nc`, or `cdo -f nc4 copy {} OUT.nc`",
            path, path);
    if (is("BUFR")) return "this is BUFR, which holds observations and no fields";
    if (is("\x0e\x03\x13\x01")) return fmt::format("this is HDF4: h4toh5 {} OUT.h5, or ncl_convert2nc", path);
    if (is("\x1f\x8b")) return fmt::format("this is compressed: gunzip {}", path);
    if (is("BZh")) return fmt::format("this is compressed: bunzip2 {}", path);
    if (is("\xfd"
           "7zXZ"))
        return fmt::format("this is compressed: unxz {}", path);
    if (is("\x28\xb5\x2f\xfd")) return fmt::format("this is compressed: unzstd {}", path);
    if (is("Rar!") || is("7z\xbc\xaf")) return fmt::format("this is an archive: unpack {}", path);
    if (is("version https://git-lfs"))
        return "this is Git LFS's stand-in for a file that was not fetched: git lfs pull";
    const auto word = begin.find_first_not_of(" \t\r\n");
    if (word != std::string::npos && (begin[word] == '<' || begin[word] == '{'))
        return fmt::format("this is a text, perhaps what a server answered in place of a file: look into {}",
                           path);
    return {};
}

bool is_hdf5(const std::string& path) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    std::string begin(signature.size(), '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return begin == signature;
}

}  // namespace groundswell::netcdf
