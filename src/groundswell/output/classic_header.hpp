#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The header of a CDF-5 file as it stands on the disk, without a library in between: where every value lies,
/// and how many records readers see. (NetCDF Classic format specification, Unidata; CDF-5 of PnetCDF:
/// all counts and offsets are 8-byte big-endian integers, the number of records stands at byte 4.)
namespace groundswell::output {

struct ClassicHeader {
    struct Entry {
        std::string name;
        bool record = false;
        std::int64_t begin = 0;  ///< byte of its first value (of record 0)
        std::int64_t bytes = 0;  ///< of the whole variable, or of one record, padded to 4
    };
    std::int64_t records = 0;
    std::int64_t record_begin =
        0;  ///< byte of the first record; the end of the fixed part when there are none
    std::int64_t record_bytes = 0;  ///< from one record to the next
    std::int64_t fixed_end = 0;     ///< byte after the last variable without record dimension
    std::vector<Entry> entries;     ///< in the order of definition

    const Entry* find(std::string_view name) const;
    /// Size of a file that holds `count` records.
    std::int64_t end_of_record(std::int64_t count) const { return record_begin + count * record_bytes; }
};

/// Refusal when the file cannot be read, or is not a whole CDF-5 header.
ClassicHeader read_classic_header(const std::string& path);

/// The record count alone. RunFailure when it cannot be read.
std::int64_t read_record_count(const std::string& path);

/// Sets the record count; nobody else may have the file open for writing. RunFailure when that fails.
void write_record_count(const std::string& path, std::int64_t records);

}  // namespace groundswell::output
