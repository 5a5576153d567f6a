#include "groundswell/output/formats/classic_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/foreign_format.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/formats/netcdf_calls.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

/// Gives attributes of an existing file other values of the same size, so that nothing moves in it.
void move_attributes(const std::string& path, const std::vector<Attribute>& wanted) {
    if (wanted.empty()) return;
    const auto lock = netcdf::own_library();
    int id = -1;
    check_netcdf<base::RunFailure>(nc_open(path.c_str(), NC_WRITE, &id), path + ": cannot open for writing");
    int put = NC_NOERR;
    for (const Attribute& attribute : wanted) {
        const int status = std::visit(
            [&](const auto& values) {
                using Value = typename std::decay_t<decltype(values)>::value_type;
                return nc_put_att(id, NC_GLOBAL, attribute.name.c_str(), netcdf_type(type_of<Value>()),
                                  values.size(), values.data());
            },
            attribute.value);
        if (put == NC_NOERR) put = status;
    }
    check_netcdf<base::RunFailure>(nc_close(id), path + ": cannot close");
    check_netcdf<base::RunFailure>(put, path + ": cannot be extended to its full length");
}

/// Records that a file of this size can hold.
std::int64_t most_records(const ClassicHeader& header, std::int64_t size) {
    return header.record_bytes > 0
               ? std::max<std::int64_t>(0, size - header.record_begin) / header.record_bytes
               : header.records;
}

}  // namespace

void ClassicBackend::create_unnamed(const std::map<std::string, std::string>& hints) {
    create_file(hints);
    try {
        share_layout();
    } catch (const parallel::AgreedError<base::Refusal>&) {
        // A full disk may be silent: then the header is not there.
        parallel::agree(comm_, [&] {
            if (rank_ == 0)
                throw base::RunFailure(
                    fmt::format("{}: the header is not on the disk although the write reported success; {}",
                                path_, room_on(path_)));
        });
        throw;
    }
    parallel::agree(comm_, [&] {
        if (rank_ == 0) reserve(path_, 0, layout_.fixed_end, "the header and the variables without time");
    });
}

std::int64_t ClassicBackend::reopen(const std::map<std::string, std::string>& hints, double last_time) {
    parallel::agree(comm_, [&] {
        if (rank_ == 0) cut(last_time);
    });
    open_file(hints);
    share_layout();
    return layout_.records;
}

/// Drops the records after `last_time`. Returns how many are left.
std::int64_t ClassicBackend::cut(double last_time) const {
    base::require(!netcdf::is_hdf5(path_), path_, "format", name_of(Format::netcdf4),
                  "cdf5, to be continued after a restart");
    const ClassicHeader header = read_classic_header(path_);
    std::int64_t kept = 0;
    std::vector<Attribute> moved;
    {
        const Reader reader(path_);
        moved = to_be_moved(reader.schema());
        // One more than there is room for, so that a file that was cut within what it must hold is found.
        kept = records_until(reader, last_time, most_records(header, file_size(path_)) + 1);
    }
    move_attributes(path_, moved);
    const std::int64_t size = end_of_file(header, kept);
    base::require(file_size(path_) >= size, path_, "size", std::to_string(file_size(path_)),
                  fmt::format("at least {} bytes for its {} records", size, kept));
    if (kept < header.records) write_record_count(path_, kept);
    std::error_code error;
    std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(size), error);
    base::require(!error, path_, "", "", "a file that can be shortened: " + error.message());
    return kept;
}

/// Rank 0 reads the header (other hosts might still see an old one) and the others learn what they need of
/// it.
void ClassicBackend::share_layout() {
    ClassicHeader header;
    parallel::agree(comm_, [&] {
        if (rank_ == 0) header = read_classic_header(path_);
    });
    std::vector<std::int64_t> numbers(4 + 2 * schema_.variables.size());
    if (rank_ == 0) {
        numbers = {header.records, header.record_begin, header.record_bytes, header.fixed_end};
        for (const Variable& variable : schema_.variables) {
            const ClassicHeader::Entry* entry = header.find(variable.name);
            GS_ASSERT(entry != nullptr);
            numbers.push_back(entry->begin);
            numbers.push_back(entry->bytes);
        }
    }
    parallel::check(MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, 0, comm_),
                    "sharing the layout of " + path_);
    layout_ = {};
    layout_.records = numbers[0];
    layout_.record_begin = numbers[1];
    layout_.record_bytes = numbers[2];
    layout_.fixed_end = numbers[3];
    for (std::size_t i = 0; i < schema_.variables.size(); ++i) {
        const Variable& variable = schema_.variables[i];
        layout_.entries.push_back(
            {variable.name, schema_.is_record(variable), numbers[4 + 2 * i], numbers[5 + 2 * i]});
    }
}

void ClassicBackend::begin(std::int64_t record, std::int64_t records, const std::string& what) {
    if (record < 0) return;  // create_unnamed() made room
    parallel::agree(comm_, [&] {
        if (rank_ == 0) reserve(path_, layout_.end_of_record(record), records * layout_.record_bytes, what);
    });
}

void ClassicBackend::write_from_root(const Target& target, std::span<std::byte> bytes) {
    if (rank_ == 0) write_here(target, bytes);
}

void ClassicBackend::write_here(const Target& target, std::span<std::byte> bytes) {
    const Variable& variable = variable_of(target.variable);
    const RowShape shape = schema_.row_shape(variable);
    const std::int64_t width = shape.row_width * size_of(variable.type);
    for (std::int64_t segment = 0; segment < shape.segments; ++segment) {
        const auto part = bytes.subspan(segment * target.rows * width, target.rows * width);
        attempt({offset_of(target, segment), target.rows * width, size_of(variable.type), checksum(part),
                 place_of(target)},
                target.rows, target.rows < shape.rows, [&](std::int64_t rows) {
                    put({target.variable, target.record, target.first_row, rows}, segment,
                        part.first(rows * width));
                });
    }
}

std::int64_t ClassicBackend::offset_of(const Target& target, std::int64_t segment) const {
    const Variable& variable = variable_of(target.variable);
    const RowShape shape = schema_.row_shape(variable);
    const ClassicHeader::Entry* entry = layout_.find(variable.name);
    GS_ASSERT(entry != nullptr);
    const std::int64_t record = target.record < 0 ? 0 : target.record;
    return entry->begin + record * layout_.record_bytes +
           shape.number(segment, target.first_row) * shape.row_width * size_of(variable.type);
}

/// As in the file: a record's variables one after another.
std::vector<RecordPlace> ClassicBackend::places_among(std::int64_t) const {
    std::vector<RecordPlace> places;
    for (const ClassicHeader::Entry& entry : layout_.entries)
        places.push_back({entry.record ? entry.begin - layout_.record_begin : 0, layout_.record_bytes});
    return places;
}

std::int64_t ClassicBackend::bytes_of_records(std::int64_t records) const {
    return records * layout_.record_bytes;
}

/// One write of this rank: whole records follow one another in the file.
void ClassicBackend::write_records(std::int64_t first, const RecordSplit& split, std::span<std::byte> bytes,
                                   std::span<const double> times) {
    const Block mine = split.of_rank(rank_);
    const std::vector<RecordPlace> places = places_among(mine.rows());
    for (std::size_t v = 0; v < places.size(); ++v) {
        if (!layout_.entries[v].record) continue;
        const Variable& variable = schema_.variables[v];
        const auto size =
            static_cast<std::size_t>(schema_.row_shape(variable).values() * size_of(variable.type));
        for (std::int64_t record = 0; record < mine.rows(); ++record)
            swap_big_endian(bytes.subspan(places[v].offset + record * places[v].stride, size),
                            size_of(variable.type));
    }
    const std::string what =
        fmt::format("records {} to {}", first + mine.begin, first + std::max(mine.begin, mine.end - 1));
    const std::int64_t offset = layout_.end_of_record(first + mine.begin);
    attempt({offset, static_cast<std::int64_t>(bytes.size()), 1, checksum(bytes), what}, mine.rows(),
            split.writers > 1, [&](std::int64_t records) {
                put_bytes(offset, bytes.first(records * layout_.record_bytes), what);
            });
    note_records(first + split.records, times.back());
}

void ClassicBackend::check_published(std::int64_t records) {
    parallel::agree(comm_, [&] {
        if (rank_ != 0) return;
        std::int64_t shown = 0;
        try {
            shown = read_record_count(path_);
        } catch (const base::RunFailure& failure) {
            throw base::RunFailure(fmt::format("{}, after record {}", failure.what(), records - 1));
        }
        if (shown != records)
            throw base::RunFailure(fmt::format("{}: the file shows {} records after writing record {}", path_,
                                               shown, records - 1));
    });
}

void ClassicBackend::withdraw(std::int64_t records) {
    parallel::agree(comm_, [&] {
        if (rank_ == 0) write_record_count(path_, records);
    });
}

void ClassicBackend::check_closed(std::int64_t records) {
    parallel::agree(comm_, [&] {
        if (rank_ != 0) return;
        const ClassicHeader header = read_back([&] { return read_classic_header(path_); });
        const std::int64_t size = file_size(path_);
        const std::int64_t wanted = end_of_file(header, records);
        if (header.records != records || size < wanted)
            throw base::RunFailure(fmt::format("{}: {} records in {} bytes after closing, expected {} in {}",
                                               path_, header.records, size, records, wanted));
    });
}

}  // namespace groundswell::output
