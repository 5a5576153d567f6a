#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/mpi_hints.hpp"
#include "groundswell/output/disk/mpi_io_memory.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/chunk_rows.hpp"
#include "groundswell/output/formats/file_space.hpp"
#include "groundswell/output/formats/hdf5/hdf5_image.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

// netCDF-4. Values go to the disk by plain writes of the system, each rank its own rows (or, compressed, its
// own chunks), to places that rank 0 gives; rank 0 makes the metadata that list these places (hdf5_image.hpp)
// and lets readers see them by writing the superblock.
namespace groundswell::output {

namespace {

std::int64_t aligned(std::int64_t bytes) {
    return (bytes + 7) / 8 * 8;
}

class Hdf5Backend final : public Backend {
public:
    Hdf5Backend(MPI_Comm comm, const std::string& path, const Schema& schema, int compression, bool together)
        : Backend(comm, path, schema),
          compression_(compression),
          together_(together),
          rows_(comm, together),
          places_(schema.variables.size()) {
        writes_ = together || rank_ == 0;
        writers_ = together ? ranks_ : 1;
        for (const Variable& variable : schema.variables)
            layouts_.push_back(hdf5_layout(schema, variable, compression));
    }
    ~Hdf5Backend() override {
        if (file_ >= 0) ::close(file_);
    }

    void create_unnamed(const std::map<std::string, std::string>& hints) override {
        make_file(hints);
        parallel::agree(comm_, [&] {
            if (writes_) open_file();
            if (rank_ != 0) return;
            space_ = committed_space_ = FileSpace(hdf5_begin);
            what_ = "the header";
            show(0);
        });
    }

    std::int64_t reopen(const std::map<std::string, std::string>&, double last_time) override {
        parallel::agree(comm_, [&] {
            if (rank_ == 0) go_on(last_time);
        });
        parallel::agree(comm_, [&] {
            if (writes_ && rank_ != 0) open_file();
        });
        parallel::check(MPI_Bcast(&shown_, 1, MPI_INT64_T, 0, comm_), "continue a file");
        return shown_;
    }

    void begin(std::int64_t, std::int64_t, const std::string& what) override {
        what_ = what;
        if (rank_ != 0) return;
        space_ = committed_space_;
        for (std::size_t v = 0; v < places_.size(); ++v)
            if (layouts_[v].record)
                places_[v].resize(static_cast<std::size_t>(layouts_[v].chunks_of(shown_)));
    }

    void begin_variable(int variable, std::int64_t record) override {
        rows_.clear();
        const Hdf5Layout& layout = layout_of(variable);
        if (layout.deflated) return;  // its place is known when its size is
        parallel::agree(comm_, [&] {
            if (rank_ == 0) begin_ = make_room(variable, record);
        });
        parallel::check(MPI_Bcast(&begin_, 1, MPI_INT64_T, 0, comm_), "tell the place of a variable");
    }

    void write(const Target& target, std::span<std::byte> bytes) override {
        if (together_) {
            take(target, bytes);
        } else {
            bring_to_root(target, bytes,
                          [this](const Target& each, std::span<std::byte> values) { take(each, values); });
        }
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
        const std::vector<RecordPlace> places = places_among(mine.rows());
        const std::vector<DeflatedRecords> deflated = deflate_records(places, mine.rows(), bytes);
        const std::vector<RunPlace> runs = place_records(first, split, deflated);
        for (std::size_t v = 0; v < layouts_.size() && mine.rows() > 0; ++v) {
            const Hdf5Layout& layout = layouts_[v];
            if (!layout.record) continue;
            const auto write = [&](std::int64_t begin, std::int64_t end, std::int64_t address,
                                   std::span<const std::byte> values) {
                if (begin >= end) return;
                put(address, values, split.writers > 1,
                    fmt::format("records {} to {}, variable {}", begin, end - 1,
                                variable_of(static_cast<int>(v)).name));
            };
            const std::int64_t begin = first + mine.begin, end = first + mine.end;
            if (layout.deflated) {
                write(begin, end, runs[v].fresh, deflated[v].bytes);
                continue;
            }
            const std::int64_t size = layout.record_bytes(), border = first_fresh(layout, first);
            const auto values = [&](std::int64_t from, std::int64_t to) {
                return bytes.subspan(static_cast<std::size_t>(places[v].offset + (from - begin) * size),
                                     static_cast<std::size_t>((to - from) * size));
            };
            const std::int64_t middle = std::clamp(border, begin, end);
            write(begin, middle, runs[v].begun + begin % layout.slots * size, values(begin, middle));
            write(middle, end, runs[v].fresh + (middle - border) * size, values(middle, end));
        }
    }

    void publish(std::int64_t records) override {
        parallel::agree(comm_, [&] {
            if (rank_ != 0) return;
            // What has no records is shown when all of it is there.
            const bool complete =
                std::none_of(places_.begin(), places_.end(), [&](const std::vector<Place>& each) {
                    return each.empty() && !layouts_[static_cast<std::size_t>(&each - places_.data())].record;
                });
            if (complete || records > shown_) show(records);
            committed_space_ = space_;
        });
        shown_ = records;
    }

    bool readable_before_publish() const override { return true; }

    void close() override {
        parallel::agree(comm_, [&] {
            if (rank_ == 0) {
                // Nobody writes any more: the last metadata take the first place that is free, and the rest
                // goes.
                forget_old();
                what_ = "the header";
                show(shown_);
                forget_old();
                shorten();
            }
            if (file_ >= 0 && ::close(std::exchange(file_, -1)) != 0)
                throw base::RunFailure(fmt::format("{}: cannot close: {}", path_, std::strerror(errno)));
        });
    }

    void check_closed(std::int64_t records) override {
        parallel::agree(comm_, [&] {
            if (rank_ != 0) return;
            const std::int64_t found = read_back([&] { return Reader(path_).records(); });
            const std::int64_t size = file_size(path_);
            if (found != records || size < committed_space_.end())
                throw base::RunFailure(
                    fmt::format("{}: {} records in {} bytes after closing, expected {} in {}", path_, found,
                                size, records, committed_space_.end()));
        });
    }

private:
    using Blocks = std::vector<Place>;

    const Hdf5Layout& layout_of(int variable) const { return layouts_[static_cast<std::size_t>(variable)]; }

    // The file.

    /// Collective. With hints MPI-IO makes the file, because a parallel file system lays it out by them.
    void make_file(const std::map<std::string, std::string>& hints) {
        const MpiHints info(hints);
        parallel::agree(comm_, [&] {
            if (rank_ != 0) return;
            if (hints.empty()) {
                const int made = ::open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
                if (made < 0)
                    throw base::RunFailure(fmt::format("{}: cannot create: {}", path_, std::strerror(errno)));
                ::close(made);
                return;
            }
            MPI_File made = MPI_FILE_NULL;
            const int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;
            int status = MPI_File_open(MPI_COMM_SELF, path_.c_str(), mode, info.get(), &made);
            if (status == MPI_SUCCESS) status = MPI_File_close(&made);
            char text[MPI_MAX_ERROR_STRING] = {};
            int length = 0;
            if (status == MPI_SUCCESS) return;
            MPI_Error_string(status, text, &length);
            const std::string missing = missing_shared_memory(1);
            throw base::RunFailure(
                fmt::format("{}: cannot create: {}", path_, missing.empty() ? text : missing));
        });
    }

    void open_file() {
        file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
        if (file_ < 0)
            throw base::RunFailure(
                fmt::format("{}: cannot open for writing: {}", path_, std::strerror(errno)));
    }

    void write_at(std::int64_t offset, std::span<const std::byte> bytes, const std::string& what) const {
        output::write_at(file_, path_, offset, bytes, what);
    }

    void put(std::int64_t offset, std::span<const std::byte> bytes, bool shared, const std::string& what) {
        const auto size = static_cast<std::int64_t>(bytes.size());
        attempt({offset, size, 1, checksum(bytes), what}, size, shared, [&](std::int64_t count) {
            write_at(offset, bytes.first(static_cast<std::size_t>(count)), what);
        });
    }

    void shorten() const {
        if (::ftruncate(file_, static_cast<off_t>(committed_space_.end())) != 0)
            throw base::RunFailure(fmt::format("{}: cannot be shortened: {}", path_, std::strerror(errno)));
    }

    // Values.

    /// Rank 0: where row 0 of a variable that is not compressed goes.
    std::int64_t make_room(int variable, std::int64_t record) {
        const Hdf5Layout& layout = layout_of(variable);
        std::vector<Place>& places = places_[static_cast<std::size_t>(variable)];
        if (!layout.record) {
            const std::int64_t bytes = layout.record_bytes();
            places = {{take_space(bytes), bytes}};
            return places.front().address;
        }
        const auto first = static_cast<std::size_t>(record / layout.slots * layout.chunks());
        if (places.size() <= first) {
            const std::int64_t bytes = layout.chunk_bytes();
            const std::int64_t address = take_space(layout.chunks() * bytes);
            for (std::int64_t chunk = 0; chunk < layout.chunks(); ++chunk)
                places.push_back({address + chunk * bytes, bytes});
            // Readers take chunks whole: what no record has filled yet, and what lies behind the last row, is
            // there too.
            const std::int64_t filled = layout.slots > 1 ? 0 : layout.record_bytes();
            const std::vector<std::byte> zeros(static_cast<std::size_t>(layout.chunks() * bytes - filled));
            write_at(address + filled, zeros, what_);
        }
        return places[first].address + record % layout.slots * layout.record_bytes();
    }

    std::int64_t take_space(std::int64_t bytes) {
        const std::int64_t begin = space_.take(aligned(bytes));
        reserve(path_, begin, bytes, what_);
        return begin;
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
        const DeflatedRows deflated = rows_.deflate(
            layout, size_of(schema_.variables[static_cast<std::size_t>(variable)].type), compression_);
        parallel::agree(comm_, [&] {
            if (rank_ == 0) begin_ = place_deflated(variable, deflated.sizes);
        });
        parallel::check(MPI_Bcast(&begin_, 1, MPI_INT64_T, 0, comm_), "tell the place of a variable");
        put(begin_ + deflated.before, deflated.bytes, deflated.rows < layout.rows,
            place_of({variable, record, deflated.first_row, deflated.rows}));
    }

    /// Rank 0: one place for all chunks of a variable, one after another.
    std::int64_t place_deflated(int variable, const std::vector<std::int64_t>& sizes) {
        std::vector<Place>& places = places_[static_cast<std::size_t>(variable)];
        if (!layout_of(variable).record) places.clear();
        const std::int64_t begin = take_space(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
        std::int64_t at = begin;
        for (const std::int64_t size : sizes) {
            places.push_back({at, size});
            at += size;
        }
        return begin;
    }

    // Whole records.

    /// This rank's records of one variable, compressed: chunk after chunk.
    struct DeflatedRecords {
        std::vector<std::byte> bytes;
        std::vector<std::int64_t> sizes;  // of the chunks
    };
    /// Where a rank's records of a variable go: those that fill a chunk which is there already, by the begin
    /// of that chunk, and the others, by the first such record (compressed: the first of this rank).
    struct RunPlace {
        std::int64_t begun = 0, fresh = 0;
    };

    /// The first record from `first` on that begins a chunk.
    static std::int64_t first_fresh(const Hdf5Layout& layout, std::int64_t first) {
        return (first + layout.slots - 1) / layout.slots * layout.slots;
    }

    std::vector<DeflatedRecords> deflate_records(const std::vector<RecordPlace>& places, std::int64_t records,
                                                 std::span<const std::byte> bytes) const {
        std::vector<DeflatedRecords> all(layouts_.size());
        for (std::size_t v = 0; v < layouts_.size(); ++v) {
            const Hdf5Layout& layout = layouts_[v];
            if (!layout.record || !layout.deflated) continue;
            for (std::int64_t record = 0; record < records; ++record) {
                const auto values =
                    bytes.subspan(static_cast<std::size_t>(places[v].offset + record * places[v].stride),
                                  static_cast<std::size_t>(layout.record_bytes()));
                for (std::int64_t chunk = 0; chunk < layout.chunks(); ++chunk)
                    all[v].sizes.push_back(append_chunk(
                        all[v].bytes, layout, {values, 0, layout.row_bytes, layout.rows * layout.row_bytes},
                        chunk, size_of(schema_.variables[v].type), compression_));
            }
        }
        return all;
    }

    /// Collective: rank 0 finds room for all records of all variables, and tells each rank where its own go.
    std::vector<RunPlace> place_records(std::int64_t first, const RecordSplit& split,
                                        const std::vector<DeflatedRecords>& deflated) {
        std::vector<std::int64_t> sizes;
        std::int64_t chunks = 0;
        for (std::size_t v = 0; v < layouts_.size(); ++v) {
            sizes.insert(sizes.end(), deflated[v].sizes.begin(), deflated[v].sizes.end());
            if (layouts_[v].record && layouts_[v].deflated) chunks += layouts_[v].chunks();
        }
        const std::vector<std::int64_t> sizes_of_all = gather_sizes(sizes, split, chunks);
        const std::size_t variables = layouts_.size();
        std::vector<RunPlace> all(rank_ == 0 ? variables * static_cast<std::size_t>(ranks_) : 0);
        parallel::agree(comm_, [&] {
            if (rank_ != 0) return;
            std::int64_t before = 0;  // chunks of the variables before this one, of one record
            for (std::size_t v = 0; v < variables; ++v) {
                if (!layouts_[v].record) continue;
                const RunPlace run =
                    layouts_[v].deflated ? RunPlace{} : make_room_for(v, first, split.records);
                for (int rank = 0; rank < ranks_; ++rank)
                    all[static_cast<std::size_t>(rank) * variables + v] = run;
                if (!layouts_[v].deflated) continue;
                place_deflated_records(v, split, sizes_of_all, chunks, before, all);
                before += layouts_[v].chunks();
            }
        });
        std::vector<RunPlace> mine(variables);
        static_assert(sizeof(RunPlace) == 2 * sizeof(std::int64_t));
        const int count = 2 * static_cast<int>(variables);
        parallel::check(
            MPI_Scatter(all.data(), count, MPI_INT64_T, mine.data(), count, MPI_INT64_T, 0, comm_),
            "tell the places of records");
        return mine;
    }

    /// On rank 0 what all ranks have, one rank's after another's. `chunks` compressed ones make a record.
    std::vector<std::int64_t> gather_sizes(const std::vector<std::int64_t>& mine, const RecordSplit& split,
                                           std::int64_t chunks) const {
        if (chunks == 0) return {};
        std::vector<int> counts, begin;
        for (int rank = 0; rank < ranks_; ++rank) {
            begin.push_back(counts.empty() ? 0 : begin.back() + counts.back());
            counts.push_back(static_cast<int>(split.of_rank(rank).rows() * chunks));
        }
        std::vector<std::int64_t> all(rank_ == 0 ? static_cast<std::size_t>(split.records * chunks) : 0);
        parallel::check(MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, all.data(),
                                    counts.data(), begin.data(), MPI_INT64_T, 0, comm_),
                        "gather the sizes of compressed records");
        return all;
    }

    /// Rank 0: for values that are not compressed.
    RunPlace make_room_for(std::size_t variable, std::int64_t first, std::int64_t records) {
        const Hdf5Layout& layout = layouts_[variable];
        GS_ASSERT(layout.chunks() == 1);
        std::vector<Place>& places = places_[variable];
        RunPlace run;
        const std::int64_t border = first_fresh(layout, first), end = first + records;
        if (border > first) run.begun = places[static_cast<std::size_t>(first / layout.slots)].address;
        if (end <= border) return run;
        const std::int64_t chunks = layout.chunks_of(end) - layout.chunks_of(border);
        const std::int64_t bytes = chunks * layout.chunk_bytes();
        run.fresh = take_space(bytes);
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
            places.push_back({run.fresh + chunk * layout.chunk_bytes(), layout.chunk_bytes()});
        const std::int64_t filled = (end - border) * layout.record_bytes();
        const std::vector<std::byte> zeros(static_cast<std::size_t>(bytes - filled));
        write_at(run.fresh + filled, zeros, what_);
        return run;
    }

    /// Rank 0: one place for all, rank after rank. Of each rank's sizes in a list those of this variable stand
    /// behind those of the variables before it, which have `before` chunks a record.
    void place_deflated_records(std::size_t variable, const RecordSplit& split,
                                const std::vector<std::int64_t>& sizes, std::int64_t chunks,
                                std::int64_t before, std::vector<RunPlace>& all) {
        const Hdf5Layout& layout = layouts_[variable];
        std::vector<std::int64_t> own;
        std::vector<std::size_t> first_of_rank;
        std::int64_t at = 0;
        for (int rank = 0; rank < ranks_; ++rank) {
            const std::int64_t records = split.of_rank(rank).rows();
            const auto begin = sizes.begin() + at + records * before;
            first_of_rank.push_back(own.size());
            own.insert(own.end(), begin, begin + records * layout.chunks());
            at += records * chunks;
        }
        const std::size_t placed = places_[variable].size();
        place_deflated(static_cast<int>(variable), own);
        for (int rank = 0; rank < ranks_; ++rank) {
            const std::size_t number = placed + first_of_rank[static_cast<std::size_t>(rank)];
            if (number < places_[variable].size())
                all[static_cast<std::size_t>(rank) * layouts_.size() + variable].fresh =
                    places_[variable][number].address;
        }
    }

    // Metadata.

    /// Rank 0: writes the metadata of so many records, finds them on the disk, and lets readers see them.
    void show(std::int64_t records) {
        Hdf5Image image = make_hdf5_image(path_, schema_, compression_, places_, records, space_);
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
        retire(std::exchange(current_, {}));
        for (const Hdf5Image::Block& block : image.blocks)
            current_.push_back({block.begin, static_cast<std::int64_t>(block.bytes.size())});
        shown_ = records;
        committed_space_ = space_;
    }

    void check_writes() {
        if (!failure().empty()) throw base::RunFailure(failure());
        verify(path_, take_written(), what_);
    }

    /// Metadata that nobody needs who opens the file from now on. Whoever has it open may still read them:
    /// the place of the oldest is used again only when all together take more than a little of the file.
    void retire(Blocks blocks) {
        constexpr std::int64_t least = std::int64_t{4} << 20, part = 50;
        old_.push_back(std::move(blocks));
        std::int64_t bytes = 0;
        for (const Blocks& each : old_)
            for (const Place& place : each) bytes += place.bytes;
        while (bytes > std::max(least, space_.end() / part)) {
            for (const Place& place : old_.front()) bytes -= place.bytes;
            give_back(old_.front());
            old_.pop_front();
        }
    }

    void forget_old() {
        for (; !old_.empty(); old_.pop_front()) give_back(old_.front());
        committed_space_ = space_;
    }

    void give_back(const Blocks& blocks) {
        for (const Place& place : blocks) space_.give_back(place.address, place.bytes);
    }

    // Continuation.

    /// Rank 0: takes an existing file over.
    void go_on(double last_time) {
        std::int64_t kept = 0;
        {
            const Reader reader(path_);
            base::require(is_hdf5(path_), path_, "format", name_of(Format::cdf5),
                          "netcdf4, to be continued after a restart");
            to_be_moved(reader.schema());
            keep_provenance(reader.schema());
            kept = records_until(reader, last_time, reader.records());
        }
        const std::vector<Hdf5Stored> stored = read_hdf5_places(path_, schema_);
        for (std::size_t v = 0; v < stored.size(); ++v) {
            check_stored(v, stored[v], kept);
            places_[v] = stored[v].places;
            places_[v].resize(static_cast<std::size_t>(layouts_[v].chunks_of(kept)));
        }
        open_file();
        // The metadata that are there lie somewhere: until others are in force everything is in use.
        space_ = committed_space_ = FileSpace(aligned(std::max(file_size(path_), hdf5_begin)));
        what_ = "the header";
        show(kept);
        old_.clear();
        space_ = committed_space_ = find_space();
        shorten();
    }

    void keep_provenance(const Schema& found) {
        for (Attribute& attribute : schema_.attributes) {
            if (!is_provenance(attribute.name)) continue;
            for (const Attribute& each : found.attributes)
                if (each.name == attribute.name) attribute.value = each.value;
        }
    }

    void check_stored(std::size_t variable, const Hdf5Stored& stored, std::int64_t records) const {
        const Hdf5Layout& layout = layouts_[variable];
        const Variable& known = schema_.variables[variable];
        const auto words = [](bool deflated, const std::vector<std::int64_t>& chunk) {
            return chunk.empty() ? std::string("contiguous")
                                 : fmt::format("{}in chunks of {}", deflated ? "compressed " : "",
                                               fmt::join(chunk, " x "));
        };
        const std::vector<std::int64_t> chunk =
            layout.chunked ? chunk_shape(schema_, known, layout) : std::vector<std::int64_t>{};
        base::require(stored.chunk == chunk && stored.deflated == layout.deflated, path_,
                      "storage of " + known.name, words(stored.deflated, stored.chunk),
                      words(layout.deflated, chunk) +
                          ", to be continued after a restart (is the compression another?)");
        const std::int64_t needed = layout.chunks_of(records);
        const auto whole = std::find_if(stored.places.begin(), stored.places.end(),
                                        [](const Place& each) { return each.address < 0; }) -
                           stored.places.begin();
        base::require(whole >= needed, path_, "variable " + known.name, fmt::format("{} pieces", whole),
                      fmt::format("{} pieces, to be continued after a restart", needed));
    }

    /// What is left when the values and the metadata in force are taken out.
    FileSpace find_space() const {
        std::vector<Place> used{{0, hdf5_begin}};
        used.insert(used.end(), current_.begin(), current_.end());
        for (const std::vector<Place>& places : places_)
            for (const Place& place : places) used.push_back({place.address, place.bytes});
        std::sort(used.begin(), used.end(),
                  [](const Place& a, const Place& b) { return a.address < b.address; });
        std::int64_t end = 0;
        for (const Place& place : used) end = std::max(end, aligned(place.address + place.bytes));
        FileSpace space(end);
        std::int64_t at = 0;
        for (const Place& place : used) {
            // Chunks that follow one another need not begin at multiples of eight; gaps do.
            const std::int64_t begin = place.address / 8 * 8;
            if (begin > at) space.give_back(at, begin - at);
            at = std::max(at, aligned(place.address + place.bytes));
        }
        return space;
    }

    int compression_;
    bool together_;  // all ranks write, else rank 0 alone
    std::vector<Hdf5Layout> layouts_;
    int file_ = -1;
    std::string what_;        // that is being written, for messages
    std::int64_t begin_ = 0;  // where the rows of the variable at work go
    std::int64_t shown_ = 0;  // records that readers see
    ChunkRows rows_;          // of a variable that is to be compressed

    // Rank 0 alone knows what is where.
    std::vector<std::vector<Place>> places_;
    FileSpace space_, committed_space_;  // at work, and as the file is that readers see
    std::vector<std::byte> superblock_;
    Blocks current_;          // metadata in force
    std::deque<Blocks> old_;  // those before, the oldest first
};

}  // namespace

std::unique_ptr<Backend> make_hdf5_backend(MPI_Comm comm, const std::string& path, const Schema& schema,
                                           int compression, bool together) {
    return std::make_unique<Hdf5Backend>(comm, path, schema, compression, together);
}

}  // namespace groundswell::output
