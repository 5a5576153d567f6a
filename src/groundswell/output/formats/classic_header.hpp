#pragma once

#include <cstdint>
#include <string>

#include "groundswell/netcdf/classic_header.hpp"
#include "groundswell/output/schema.hpp"

/// Headers of CDF-5 files, the classic format that we write.
namespace groundswell::output {

using netcdf::ClassicHeader;

/// The format's number of a type (nc_type in the CDF-5 format specification), which all libraries take.
int netcdf_type(Type type);

/// Byte of the file where the record count stands.
inline constexpr std::int64_t record_count_offset = 4;

/// Refusal when the file cannot be read, or is not a whole CDF-5 header.
ClassicHeader read_classic_header(const std::string& path);

/// The record count alone. RunFailure when it cannot be read.
std::int64_t read_record_count(const std::string& path);

/// Sets the record count; nobody else may have the file open for writing. RunFailure when that fails.
void write_record_count(const std::string& path, std::int64_t records);

}  // namespace groundswell::output
