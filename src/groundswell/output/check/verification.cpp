#include "groundswell/output/check/verification.hpp"
#include "groundswell/netcdf/foreign_format.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>

#include "groundswell/base/descriptor.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"
#include "groundswell/output/reader.hpp"

namespace groundswell::output {

namespace {

struct ByteRange {
    std::int64_t begin = 0, end = 0;
};

/// Ranges of the first `size` bytes that the file system holds no data for.
std::vector<ByteRange> find_holes(const std::string& path, std::int64_t size) {
    std::vector<ByteRange> holes;
    const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) return holes;
    for (std::int64_t at = 0; at < size;) {
        const std::int64_t hole = ::lseek(file.get(), at, SEEK_HOLE);
        if (hole < 0 || hole >= size) break;
        const std::int64_t data = ::lseek(file.get(), hole, SEEK_DATA);  // fails where only the hole is left
        at = data < 0 ? size : std::min(data, size);
        holes.push_back({hole, at});
    }
    return holes;
}

class Verification {
public:
    explicit Verification(const std::string& path) { report_.file = path; }

    FileReport run() {
        std::optional<ClassicHeader> header;
        std::optional<Reader> reader;
        std::vector<Hdf5Stored> stored;
        try {
            if (netcdf::is_classic(report_.file)) header = netcdf::read_classic_header(report_.file);
            const Schema schema = Reader(report_.file).schema();
            if (netcdf::is_hdf5(report_.file)) stored = read_hdf5_places(report_.file, schema);
            reader.emplace(report_.file);
            check(*reader, header, stored);
        } catch (const base::Refusal& refusal) {
            std::string_view message = refusal.what();
            if (message.starts_with(report_.file + ": ")) message.remove_prefix(report_.file.size() + 2);
            report_.problems.emplace_back(message);
        }
        return report_;
    }

private:
    void check(const Reader& reader, const std::optional<ClassicHeader>& header,
               const std::vector<Hdf5Stored>& stored) {
        report_.records = report_.complete_records = reader.records();
        if (header) check_size(*header);
        if (!stored.empty()) check_places(reader, stored);
        check_times(reader);
        check_header(reader.schema());
        const std::size_t before = report_.problems.size();
        check_checksums(reader);
        // What has the right checksum is right, hole or not: a copy may have made one of zeros.
        const bool proven = report_.checksums > 0 && report_.problems.size() == before;
        // Other programs may leave holes in the formats that this one does not write, and mean them.
        if (header && header->version == 5 && !proven) check_holes(*header);
        if (!stored.empty() && !proven) check_stored_values(reader, stored);
    }

    /// A fault within a record makes it, and those after it, no complete ones.
    void note(std::int64_t record, const std::string& text) {
        if (record >= 0) report_.complete_records = std::min(report_.complete_records, record);
        constexpr std::size_t enough = 100;
        if (report_.problems.size() < enough)
            report_.problems.push_back(record < 0 ? text : fmt::format("record {}: {}", record, text));
    }

    void check_size(const ClassicHeader& header) {
        const std::int64_t size = file_size(report_.file);
        const std::int64_t end = std::min(header.end_of_record(header.records), header.end_of_values());
        if (size >= end) return;
        const std::int64_t held =
            header.record_bytes > 0
                ? std::max<std::int64_t>(0, size - header.record_begin) / header.record_bytes
                : 0;
        const std::int64_t whole = std::min(header.records, held);
        report_.complete_records = whole;
        report_.problems.push_back(
            fmt::format("the file ends at byte {}: {} of its {} records are whole, and {} bytes are missing",
                        size, whole, header.records, end - size));
    }

    void check_times(const Reader& reader) {
        const Dimension* dimension = reader.schema().record_dimension();
        if (dimension == nullptr || reader.schema().find(dimension->name) == nullptr) return;
        double last = -std::numeric_limits<double>::infinity();
        for (std::int64_t record = 0; record < report_.complete_records; ++record) {
            const double time = reader.read_all<double>(dimension->name, record)[0];
            if (!(time > last) || !std::isfinite(time))
                note(record, fmt::format("{} = {} does not follow on {}", dimension->name, time, last));
            last = time;
        }
    }

    template <class T>
    std::uint64_t sum_of(const Reader& reader, const Variable& variable, std::int64_t record,
                         const RowShape& counted) {
        constexpr std::int64_t piece_bytes = std::int64_t{4} << 20;
        const std::int64_t rows = reader.schema().rows(variable), width = reader.schema().row_width(variable);
        const std::int64_t row_bytes = width * static_cast<std::int64_t>(sizeof(T));
        const std::int64_t piece = std::max<std::int64_t>(1, piece_bytes / row_bytes);
        std::vector<T> values;
        std::uint64_t sum = 0;
        for (std::int64_t row = 0; row < rows; row += piece) {
            const std::int64_t count = std::min(piece, rows - row);
            values.resize(count * width);
            reader.read<T>(variable.name, record, row, count, values);
            // Whole rows of the first dimension are whole rows of any other one too.
            sum += rows_checksum(row * width / counted.row_width, std::as_bytes(std::span(values)),
                                 counted.row_width * static_cast<std::int64_t>(sizeof(T)));
        }
        return sum;
    }

    /// The checksum of values as they are read; none, and a problem, where they cannot be.
    std::optional<std::uint64_t> read_values(const Reader& reader, const Variable& variable,
                                             std::int64_t record, const RowShape& counted) {
        try {
            return with_type(variable.type, [&]<class T>(T) {
                return sum_of<T>(reader, variable, std::max<std::int64_t>(record, 0), counted);
            });
        } catch (const base::Refusal& refusal) {
            note(record,
                 fmt::format("variable {}: its values cannot be read: {}", variable.name, refusal.what()));
            return std::nullopt;
        }
    }

    void check_header(const Schema& schema) {
        const bool sums =
            std::any_of(schema.variables.begin(), schema.variables.end(),
                        [&](const auto& each) { return !checked_variable(schema, each.name).empty(); });
        const std::optional<bool> sound = is_header_true(schema);
        if (sound.value_or(!sums)) return;
        report_.problems.emplace_back(
            sound ? "the header does not match its checksum: a name, type, dimension or attribute was altered"
                  : "the header has no checksum although the values have: an attribute was altered, or an "
                    "older version wrote the file");
    }

    void check_checksums(const Reader& reader) {
        const Schema& schema = reader.schema();
        for (const Variable& sums : schema.variables) {
            const std::string_view name = checked_variable(schema, sums.name);
            if (name.empty()) continue;
            const Variable& variable = *schema.find(name);
            const bool is_record = schema.is_record(variable);
            const std::int64_t records = is_record ? report_.complete_records : 1;
            for (std::int64_t record = 0; record < records; ++record) {
                const auto stored =
                    static_cast<std::uint64_t>(reader.read_all<std::int64_t>(sums.name, record)[0]);
                ++report_.checksums;
                const auto found = read_values(reader, variable, is_record ? record : -1,
                                               checked_rows(schema, variable, sums));
                if (found && *found != stored)
                    note(is_record ? record : -1,
                         fmt::format("variable {}: its values do not match their checksum", name));
            }
        }
    }

    void check_holes(const ClassicHeader& header) {
        const std::int64_t end = header.end_of_record(report_.complete_records);
        for (const ByteRange& hole : find_holes(report_.file, std::min(end, file_size(report_.file)))) {
            const std::int64_t record = hole.begin < header.record_begin || header.record_bytes == 0
                                            ? -1
                                            : (hole.begin - header.record_begin) / header.record_bytes;
            note(record, fmt::format("bytes {} to {}{} are a hole: never written, and read as zeros",
                                     hole.begin, hole.end - 1, variable_at(header, record, hole.begin)));
        }
    }

    /// Record of a chunk by its number in the file's list; -1 for what has no records.
    static std::int64_t record_of(const Schema& schema, const Variable& variable, const Hdf5Stored& stored,
                                  std::size_t number) {
        if (!schema.is_record(variable) || stored.chunk.empty() || stored.records == 0) return -1;
        const std::int64_t along_records = (stored.records + stored.chunk.front() - 1) / stored.chunk.front();
        const std::int64_t per_step = static_cast<std::int64_t>(stored.places.size()) / along_records;
        return static_cast<std::int64_t>(number) / per_step * stored.chunk.front();
    }

    /// Checks that every piece of every variable is there, as far as the metadata of a netCDF-4 file tell.
    void check_places(const Reader& reader, const std::vector<Hdf5Stored>& all) {
        const Schema& schema = reader.schema();
        const std::int64_t size = file_size(report_.file);
        for (std::size_t v = 0; v < all.size(); ++v) {
            const Variable& variable = schema.variables[v];
            const Hdf5Stored& stored = all[v];
            if (schema.is_record(variable) && stored.records < report_.records)
                note(stored.records, fmt::format("variable {} has {} of {} records", variable.name,
                                                 stored.records, report_.records));
            for (std::size_t i = 0; i < stored.places.size(); ++i) {
                const Place& place = stored.places[i];
                const std::int64_t record = record_of(schema, variable, stored, i);
                if (place.address < 0)
                    note(record,
                         fmt::format("variable {}: values were never written, and read as missing ones",
                                     variable.name));
                else if (place.address + place.bytes > size)
                    note(record, fmt::format("variable {}: the file ends at byte {}, and its values at {}",
                                             variable.name, size, place.address + place.bytes));
            }
        }
    }

    /// Holes where a netCDF-4 file has values, and values that cannot be uncompressed.
    void check_stored_values(const Reader& reader, const std::vector<Hdf5Stored>& all) {
        const Schema& schema = reader.schema();
        const std::vector<ByteRange> holes = find_holes(report_.file, file_size(report_.file));
        for (std::size_t v = 0; v < all.size(); ++v) {
            const Variable& variable = schema.variables[v];
            const Hdf5Stored& stored = all[v];
            for (std::size_t i = 0; i < stored.places.size(); ++i) {
                const Place& place = stored.places[i];
                for (const ByteRange& hole : holes)
                    if (hole.begin < place.address + place.bytes && place.address < hole.end)
                        note(record_of(schema, variable, stored, i),
                             fmt::format("bytes {} to {}, of variable {}, are a hole: never written, and "
                                         "read as zeros",
                                         hole.begin, hole.end - 1, variable.name));
            }
            if (!stored.deflated) continue;
            const bool is_record = schema.is_record(variable);
            const std::int64_t records = is_record ? report_.complete_records : 1;
            for (std::int64_t record = 0; record < records; ++record)
                read_values(reader, variable, is_record ? record : -1, schema.row_shape(variable));
        }
    }

    static std::string variable_at(const ClassicHeader& header, std::int64_t record, std::int64_t byte) {
        for (const ClassicHeader::Entry& entry : header.entries) {
            const std::int64_t begin = entry.begin + (entry.record ? record * header.record_bytes : 0);
            if (entry.record == (record >= 0) && byte >= begin && byte < begin + entry.bytes)
                return fmt::format(", from variable {} on,", entry.name);
        }
        return "";
    }

    FileReport report_;
};

}  // namespace

FileReport verify_file(const std::string& path) {
    std::error_code ignored;
    base::require(std::filesystem::exists(path, ignored), path, "", "", "a file that exists");
    base::require(std::filesystem::is_regular_file(path, ignored), path, "", "", "a file, not a folder");
    const bool readable = ::access(path.c_str(), R_OK) == 0;
    base::require(readable, path, "", "",
                  fmt::format("a file that can be read: {}", readable ? "" : std::strerror(errno)));
    return Verification(path).run();
}

}  // namespace groundswell::output
