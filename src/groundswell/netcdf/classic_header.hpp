#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The header of a netCDF file of a classic format as it stands on the disk, without a library in between:
/// where every value lies, and how many records readers see. (NetCDF Classic format specification, Unidata:
/// CDF-1, and CDF-2 with 8-byte offsets; CDF-5 of PnetCDF: all counts and offsets are 8-byte big-endian
/// integers. The number of records stands at byte 4.)
namespace groundswell::netcdf {

struct ClassicHeader {
    struct Entry {
        std::string name;
        bool record = false;
        std::int64_t begin = 0;        ///< byte of its first value (of record 0)
        std::int64_t bytes = 0;        ///< of the whole variable, or of one record, padded to 4
        std::int64_t value_bytes = 0;  ///< the same without padding
    };
    std::int64_t records = 0;
    /// Byte of the first record; the end of the fixed part when there are none.
    std::int64_t record_begin = 0;
    std::int64_t record_bytes = 0;  ///< from one record to the next
    std::int64_t fixed_end = 0;     ///< byte after the last variable without record dimension
    std::vector<Entry> entries;     ///< in the order of definition
    int version = 5;                ///< of the format: 1, 2 or 5

    const Entry* find(std::string_view name) const;
    /// Size of a file that holds `count` records.
    std::int64_t end_of_record(std::int64_t count) const { return record_begin + count * record_bytes; }
    /// Byte after the last value of a variable (in its last record); 0 when it has none.
    std::int64_t end_of_values(const Entry& entry) const { return end_of_values(entry, records); }
    /// The same in the first `count` records.
    std::int64_t end_of_values(const Entry& entry, std::int64_t count) const;
    /// Byte after the last value of all. A file may end there, with no padding behind it.
    std::int64_t end_of_values() const;
};

/// Whether a file that can be read begins as those of a classic format do.
bool is_classic(const std::string& path);

/// Refusal when the file cannot be read, or has no whole header of a classic format.
ClassicHeader read_classic_header(const std::string& path);

/// Checks how much of what its header promises a file holds. Beyond the end of a file of a classic format the netCDF library
/// reads zeros and reports nothing, so who reads values asks here first. Other formats tell by themselves:
/// their files, and what is no file, pass.
class StoredExtent {
public:
    /// Refusal when the header is damaged, or the path leads to no plain file.
    explicit StoredExtent(const std::string& path);

    /// Refusal when the file ends before the last value of the variable (in its last record, or of the first
    /// so many records). A variable that is not in the file passes.
    void require(std::string_view variable, std::optional<std::int64_t> records = std::nullopt) const;

private:
    std::string path_;
    std::int64_t bytes_ = 0;
    std::optional<ClassicHeader> header_;
};

}  // namespace groundswell::netcdf
