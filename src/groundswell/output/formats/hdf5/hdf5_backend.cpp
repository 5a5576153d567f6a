#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/foreign_format.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/mpi_hints.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/hdf5/chunk_rows.hpp"
#include "groundswell/output/formats/hdf5/hdf5_image.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"
#include "groundswell/output/formats/hdf5/hdf5_places.hpp"
#include "groundswell/output/formats/hdf5/hdf5_records.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

// netCDF-4. Values go to the disk by plain writes of the system, each rank its own rows (or, compressed, its
// own chunks), to places that rank 0 gives; rank 0 makes the metadata that list these places (hdf5_image.hpp)
// and lets readers see them by writing the superblock.
namespace groundswell::output {

namespace {

class Hdf5Backend final : public Backend {
public:
    Hdf5Backend(MPI_Comm comm, const std::string& path, const Schema& schema, int compression, bool together)
        : Backend(comm, path, schema),
          compression_(compression),
          together_(together),
          rows_(comm, together),
          places_(hdf5_layouts(schema, compression),
                  [this](const Place& room, std::int64_t used) { prepare(room, used); }) {
        writes_ = together || rank_ == 0;
        writers_ = together ? ranks_ : 1;
    }

    void create_unnamed(const std::map<std::string, std::string>& hints) override {
        const MpiHints info(hints);
        parallel::agree(comm_, [&] {
            if (rank_ == 0) make_file(path_, hints.empty() ? nullptr : &info);
        });
        parallel::agree(comm_, [&] {
            if (writes_) file_ = open_file(path_);
            if (rank_ != 0) return;
            places_.begin(hdf5_begin);
            what_ = "the header";
            show(0);
        });
    }

    std::int64_t reopen(const std::map<std::string, std::string>&, double last_time) override {
        parallel::agree(comm_, [&] {
            if (rank_ == 0) go_on(last_time);
        });
        parallel::agree(comm_, [&] {
            if (writes_ && rank_ != 0) file_ = open_file(path_);
        });
        parallel::check(MPI_Bcast(&shown_, 1, MPI_INT64_T, 0, comm_), "continue a file");
        return shown_;
    }

    void begin(std::int64_t, std::int64_t, const std::string& what) override {
        what_ = what;
        if (rank_ == 0) places_.undo(shown_);
    }

    void begin_variable(int variable, std::int64_t record) override {
        rows_.clear();
        const Hdf5Layout& layout = layout_of(variable);
        if (layout.deflated) return;  // its place is known when its size is
        begin_at([&] { return places_.place(static_cast<std::size_t>(variable), record); });
    }

    void write(const Target& target, std::span<std::byte> bytes) override {
        if (together_) return take(target, bytes);
        bring_to_root(target, bytes,
                      [this](const Target& each, std::span<std::byte> values) { take(each, values); });
    }

    void write_from_root(const Target& target, std::span<std::byte> bytes) override {
        if (rank_ == 0) take(target, bytes);
    }

    void end_variable(int variable, std::int64_t record) override {
        if (layout_of(variable).deflated) write_deflated(variable, record);
    }

    /// The writes of a rank are one or two a variable: records that are not compressed follow one another but
    /// where a chunk that was begun earlier is filled.
    void write_records(std::int64_t first, const RecordSplit& split, std::span<std::byte> bytes,
                       std::span<const double>) override {
        const Block mine = split.of_rank(rank_);
        const std::vector<Hdf5Layout>& layouts = places_.layouts();
        const std::vector<RecordPlace> places = places_among(mine.rows());
        const std::vector<DeflatedRecords> deflated =
            deflate_records(schema_, layouts, places, mine.rows(), bytes, compression_);
        const std::vector<RunPlace> runs = place_records(comm_, places_, first, split, deflated);
        for (std::size_t v = 0; v < layouts.size() && mine.rows() > 0; ++v) {
            const Hdf5Layout& layout = layouts[v];
            if (!layout.record) continue;
            const Block records{first + mine.begin, first + mine.end};
            const std::span<const std::byte> values =
                layout.deflated ? std::span<const std::byte>(deflated[v].bytes)
                                : bytes.subspan(places[v].offset, mine.rows() * layout.record_bytes());
            for (const RecordPart& part : parts_of(layout, first, records, runs[v], values))
                put(part.address, part.values, split.writers > 1,
                    fmt::format("records {} to {}, variable {}", part.records.begin, part.records.end - 1,
                                variable_of(static_cast<int>(v)).name));
        }
    }

    void publish(std::int64_t records) override {
        parallel::agree(comm_, [&] {
            if (rank_ != 0) return;
            // What has no records is shown when all of it is there.
            if (places_.complete() || records > shown_) show(records);
            places_.commit();
        });
        shown_ = records;
    }

    bool readable_before_publish() const override { return true; }

    void close() override {
        parallel::agree(comm_, [&] {
            if (rank_ == 0) {
                // Nobody writes any more: the last metadata take the first free place, and the rest goes.
                places_.forget_old_metadata();
                what_ = "the header";
                show(shown_);
                places_.forget_old_metadata();
                shorten(file_.get(), path_, places_.end());
            }
            if (file_.is_open() && ::close(file_.release()) != 0)
                throw base::RunFailure(fmt::format("{}: cannot close: {}", path_, std::strerror(errno)));
        });
    }

    void check_closed(std::int64_t records) override {
        parallel::agree(comm_, [&] {
            if (rank_ != 0) return;
            const std::int64_t found = read_back([&] { return Reader(path_).records(); });
            const std::int64_t size = file_size(path_);
            if (found != records || size < places_.end())
                throw base::RunFailure(
                    fmt::format("{}: {} records in {} bytes after closing, expected {} in {}", path_, found,
                                size, records, places_.end()));
        });
    }

private:
    const Hdf5Layout& layout_of(int variable) const { return places_.layouts()[variable]; }

    // The file.

    void write_at(std::int64_t offset, std::span<const std::byte> bytes, const std::string& what) const {
        output::write_at(file_.get(), path_, offset, bytes, what);
    }

    void put(std::int64_t offset, std::span<const std::byte> bytes, bool shared, const std::string& what) {
        const auto size = static_cast<std::int64_t>(bytes.size());
        attempt({offset, size, 1, checksum(bytes), what}, size, shared,
                [&](std::int64_t count) { write_at(offset, bytes.first(count), what); });
    }

    /// Rank 0: of new room in the file.
    void prepare(const Place& room, std::int64_t used) {
        reserve(path_, room.address, room.bytes, what_);
        const std::vector<std::byte> zeros(room.bytes - used);
        if (!zeros.empty()) write_at(room.address + used, zeros, what_);
    }

    // Values.

    /// Collective: the rows of a variable go to where the first rank finds room.
    template <class Find>
    void begin_at(const Find& find) {
        parallel::agree(comm_, [&] {
            if (rank_ == 0) begin_ = find();
        });
        parallel::check(MPI_Bcast(&begin_, 1, MPI_INT64_T, 0, comm_), "tell the place of a variable");
    }

    /// Rows of the variable that is being written: to the disk, or to where they wait for their compression.
    void take(const Target& target, std::span<const std::byte> bytes) {
        const Hdf5Layout& layout = layout_of(target.variable);
        if (target.rows == 0) return;
        if (!layout.deflated) {
            const RowShape shape = schema_.row_shape(variable_of(target.variable));
            const std::int64_t row_bytes = shape.row_width * size_of(variable_of(target.variable).type);
            const auto part = static_cast<std::size_t>(target.rows * row_bytes);
            for (std::int64_t segment = 0; segment < shape.segments; ++segment)
                put(begin_ + shape.number(segment, target.first_row) * row_bytes,
                    bytes.subspan(static_cast<std::size_t>(segment) * part, part), target.rows < shape.rows,
                    place_of(target));
            return;
        }
        rows_.add(layout, target.first_row, target.rows, bytes);
    }

    /// Collective.
    void write_deflated(int variable, std::int64_t record) {
        const Hdf5Layout& layout = layout_of(variable);
        const DeflatedRows deflated =
            rows_.deflate(layout, size_of(schema_.variables[variable].type), compression_);
        begin_at([&] { return places_.place_deflated(static_cast<std::size_t>(variable), deflated.sizes); });
        put(begin_ + deflated.before, deflated.bytes, deflated.rows < layout.rows,
            place_of({variable, record, deflated.first_row, deflated.rows}));
    }

    // Metadata.

    /// Rank 0: writes the metadata of so many records, finds them on the disk, and lets readers see them.
    void show(std::int64_t records) {
        Hdf5Image image =
            make_hdf5_image(path_, schema_, compression_, places_.of_variables(), records, places_.space());
        for (const Hdf5Image::Block& block : image.blocks)
            put(block.begin, block.bytes, false, what_ + ", the header");
        check_writes();
        try {
            put(0, image.superblock, false, what_ + ", the superblock");
            check_writes();
        } catch (const base::RunFailure&) {
            // The old one names the old state, which is still there.
            if (!superblock_.empty()) write_at(0, superblock_, "the superblock");
            throw;
        }
        superblock_ = std::move(image.superblock);
        std::vector<Place> blocks;
        for (const Hdf5Image::Block& block : image.blocks)
            blocks.push_back({block.begin, static_cast<std::int64_t>(block.bytes.size())});
        places_.replace_metadata(std::move(blocks));
        shown_ = records;
        places_.commit();
    }

    void check_writes() {
        if (!failure().empty()) throw base::RunFailure(failure());
        verify(path_, take_written(), what_);
    }

    // Continuation.

    /// Rank 0: takes an existing file over.
    void go_on(double last_time) {
        std::int64_t kept = 0;
        {
            const Reader reader(path_);
            base::require(netcdf::is_hdf5(path_), path_, "format", name_of(Format::cdf5),
                          "netcdf4, to be continued after a restart");
            to_be_moved(reader.schema());
            for (Attribute& attribute : schema_.attributes)
                for (const Attribute& each : reader.schema().attributes)
                    if (each.name == attribute.name && is_provenance(each.name)) attribute.value = each.value;
            kept = records_until(reader, last_time, reader.records());
        }
        const std::vector<Hdf5Stored> stored = read_hdf5_places(path_, schema_);
        for (std::size_t v = 0; v < stored.size(); ++v)
            check_hdf5_stored(path_, schema_, v, places_.layouts()[v], stored[v], kept);
        places_.take_over(stored, kept);
        file_ = open_file(path_);
        // The metadata that are there lie somewhere: until others are in force everything is in use.
        places_.begin(std::max(file_size(path_), hdf5_begin));
        what_ = "the header";
        show(kept);
        places_.free_the_rest();
        shorten(file_.get(), path_, places_.end());
    }

    int compression_;
    bool together_;  // all ranks write, else rank 0 alone
    base::Descriptor file_;
    std::string what_;        // that is being written, for messages
    std::int64_t begin_ = 0;  // where the rows of the variable at work go
    std::int64_t shown_ = 0;  // records that readers see
    ChunkRows rows_;          // of a variable that is to be compressed

    // Rank 0 alone:
    Hdf5Places places_;
    std::vector<std::byte> superblock_;  // in force
};

}  // namespace

std::unique_ptr<Backend> make_hdf5_backend(MPI_Comm comm, const std::string& path, const Schema& schema,
                                           int compression, bool together) {
    return std::make_unique<Hdf5Backend>(comm, path, schema, compression, together);
}

}  // namespace groundswell::output
