#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Whether a file on the disk is complete and true.
namespace groundswell::output {

struct FileReport {
    std::string file;
    std::int64_t records = 0;           ///< as readers see them
    std::int64_t complete_records = 0;  ///< the first so many, without a fault
    std::int64_t checksums = 0;         ///< stored ones that were recomputed; 0: the file has none
    std::vector<std::string> problems;  ///< for people
    bool ok() const { return problems.empty(); }
};

/// Looks for what can be wrong with a netCDF file: a header that cannot be read, records that the header
/// counts and the file does not hold, times that do not increase, holes (ranges that were never written), and
/// values, names and attributes that are not those whose checksum stands beside them (checksum.hpp). Bytes
/// after the last record are no fault: a run that was killed within a record leaves some, and no reader sees
/// them. Reads piece by piece. Refusal when there is no such file that may be read. Not collective.
FileReport verify_file(const std::string& path);

}  // namespace groundswell::output
