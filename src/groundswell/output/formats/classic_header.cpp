#include "groundswell/output/formats/classic_header.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

int netcdf_type(Type type) {
    constexpr int numbers[] = {2, 4, 10, 5, 6};  // in the order of Type
    return numbers[static_cast<std::size_t>(type)];
}

ClassicHeader read_classic_header(const std::string& path) {
    ClassicHeader header = netcdf::read_classic_header(path);
    base::require(header.version == 5, path, "", "", "a netCDF file of format CDF-5 (64-bit data)");
    return header;
}

std::int64_t read_record_count(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    const int error = stream ? 0 : errno;
    std::array<unsigned char, 12> head{};
    stream.read(reinterpret_cast<char*>(head.data()), 12);
    if (!stream)
        throw base::RunFailure(fmt::format("{}: cannot read the record count back: {}", path,
                                           error != 0 ? std::strerror(error) : "the file is too short"));
    std::uint64_t records = 0;
    for (std::size_t i = 4; i < head.size(); ++i) records = records << 8 | head[i];
    return static_cast<std::int64_t>(records);
}

void write_record_count(const std::string& path, std::int64_t records) {
    std::array<char, 8> raw{};
    for (int i = 0; i < 8; ++i) raw[i] = static_cast<char>(records >> (56 - 8 * i));
    std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(record_count_offset);
    stream.write(raw.data(), 8);
    stream.flush();
    if (!stream) {
        throw base::RunFailure(
            fmt::format("{}: cannot set the record count to {}: {}", path, records, std::strerror(errno)));
    }
}

}  // namespace groundswell::output
