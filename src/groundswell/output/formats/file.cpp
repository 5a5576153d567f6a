#include "groundswell/output/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/space.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::output {

namespace {

/// Adds the time from construction to destruction to a sum.
class Stopwatch {
public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += parallel::now() - start_; }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& sum_;
    double start_ = parallel::now();
};

/// Records up to this size are put together as a whole by the rank that writes them.
constexpr std::int64_t largest_small_record = std::int64_t{8} << 20;

/// What every rank asks before a file is touched. Returns the mode to write in.
std::string check_request(const std::string& path, const Schema& schema, const FileOptions& options) {
    schema.validate(path);
    check_storage(options.storage, path, "compression");
    if (options.storage.format == Format::netcdf4) check_hdf5_schema(schema, path);
    return resolve_mode(options.mode, path, options.storage.format);
}

}  // namespace

struct File::Implementation {
    Implementation(MPI_Comm comm_, std::string path_, Schema schema_, std::string mode_,
                   const Storage& storage)
        : comm(comm_),
          path(std::move(path_)),
          schema(std::move(schema_)),
          mode(std::move(mode_)),
          whole(comm_) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        backend = parallel::agree(comm, [&] { return make_backend(mode, storage, comm, path, schema); });
    }

    MPI_Comm comm;
    int rank = 0, ranks = 1;
    std::string path;
    Schema schema;
    std::string mode;
    std::unique_ptr<Backend> backend;
    Rearranger rearranger;
    WholeRecords whole;
    std::vector<std::byte> whole_buffer;
    std::int64_t records = 0, bytes_written = 0;
    double seconds = 0.0;
    std::set<std::string> missing;  // variables without record dimension that nobody has written yet
    std::string failed;             // the first failure; nothing is written after it
    bool closed = false;

    int index_of(const std::string& variable) const {
        const Variable* found = schema.find(variable);
        if (!found) throw base::Defect(fmt::format("{}: no variable {}", path, variable));
        return static_cast<int>(found - schema.variables.data());
    }

    /// Our caller's side of the contract, checked before any value travels. `number`: of records.
    void check_values(const Values& values, bool record, std::int64_t number) const {
        const Variable& variable = schema.variables[index_of(values.variable)];
        const RowShape shape = schema.row_shape(variable);
        const auto demand = [&](bool holds, std::string_view what) {
            if (!holds) throw base::Defect(fmt::format("{}: values of {}: {}", path, values.variable, what));
        };
        demand(schema.is_record(variable) == record,
               record ? "it is not a record variable" : "it is a record variable");
        demand(values.type == variable.type, "not of the variable's type");
        if (!values.decomposition) {
            demand(rank != 0 || values.count == number * shape.values(), "not as many as the variable holds");
            return;
        }
        const std::int64_t width = shape.row_width;
        const std::int64_t stride = values.row_stride == 0 ? width : values.row_stride;
        const std::int64_t rows = number * shape.segments * values.decomposition->owned();
        demand(values.decomposition->rows() == shape.rows, "decomposition of another length");
        demand(stride >= width, "rows overlap");
        demand(rows == 0 || values.count >= (rows - 1) * stride + width, "fewer than the owned rows");
        demand(values.row_stride != 0 || values.count == rows * width, "not as many as the owned rows hold");
    }

    /// The values of a `number` of records: each record variable once, but for the coordinate.
    void check_record(std::span<const Values> values, std::int64_t number) const {
        const Dimension* dimension = schema.record_dimension();
        GS_ASSERT(dimension != nullptr);
        for (const Values& each : values) check_values(each, true, number);
        for (const Variable& variable : schema.variables) {
            if (!schema.is_record(variable) || variable.name == dimension->name) continue;
            const auto given = std::count_if(values.begin(), values.end(), [&](const Values& each) {
                return each.variable == variable.name;
            });
            if (given != 1)
                throw base::Defect(fmt::format("{}: {} given {} times for a record, expected once", path,
                                               variable.name, given));
        }
    }

    /// One variable, each rank its block of rows. `number`: which of the records that `values` hold.
    void write(const Values& values, std::int64_t record, std::int64_t number = 0) {
        const int index = index_of(values.variable);
        const Variable& variable = schema.variables[index];
        const RowShape shape = schema.row_shape(variable);
        const std::int64_t value_bytes = size_of(variable.type);
        bytes_written += shape.values() * value_bytes;
        backend->begin_variable(index, record);
        if (values.decomposition) {
            const RowBytes row{shape.row_width * value_bytes, values.row_stride * value_bytes,
                               shape.segments};
            const std::byte* const data =
                values.data + number * shape.segments * values.decomposition->owned() * row.stride_or_bytes();
            const std::int64_t pieces = rearranger.pieces(*values.decomposition, row);
            for (std::int64_t i = 0; i < pieces; ++i) {
                const auto piece = rearranger.gather(*values.decomposition, data, row, i);
                backend->write({index, record, piece.first_row, piece.rows}, piece.bytes);
            }
        } else {
            // Libraries may swap bytes in place: they get a copy.
            std::vector<std::byte> copy;
            const std::int64_t bytes = shape.values() * value_bytes;
            if (rank == 0) copy.assign(values.data + number * bytes, values.data + (number + 1) * bytes);
            backend->write_from_root({index, record, 0, shape.rows}, copy);
        }
        backend->end_variable(index, record);
    }

    /// Records, one after another.
    void write_rows(std::span<const double> times, std::span<const Values> values) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i);
            write(replicated<double>(schema.record_dimension()->name, times.subspan(i, 1)), records + number);
            for (const Values& each : values) write(each, records + number, number);
        }
    }

    /// Records, each as a whole by one rank: as many ranks as have a megabyte or so to write.
    void write_whole(std::span<const double> times, std::span<const Values> values) {
        constexpr std::int64_t piece_bytes = std::int64_t{8} << 20, worth_a_write = std::int64_t{1} << 20;
        const auto count = static_cast<std::int64_t>(times.size());
        const std::int64_t bytes = schema.record_bytes();
        const std::int64_t piece = std::max<std::int64_t>(1, backend->writers() * piece_bytes / bytes);
        for (std::int64_t first = 0; first < count; first += piece) {
            RecordSplit split{std::min(piece, count - first), 1, ranks};
            const std::int64_t writers = std::min({split.records, split.records * bytes / worth_a_write + 1,
                                                   static_cast<std::int64_t>(backend->writers())});
            split.writers = static_cast<int>(writers);
            const std::int64_t mine = split.of_rank(rank).rows();
            whole_buffer.assign(backend->bytes_of_records(mine), std::byte{});
            whole.gather(schema, {times, values, first, split}, backend->places_among(mine), whole_buffer);
            backend->write_records(records + first, split, whole_buffer, times.subspan(first, split.records));
        }
        bytes_written += count * bytes;
    }

    /// Runs `body`, a sequence in which all ranks fail together; remembers the failure.
    template <class F>
    void guarded(F&& body) {
        const Stopwatch watch(seconds);
        parallel::agree(comm, [&] {
            if (!failed.empty()) throw base::RunFailure(failed);
            if (closed) throw base::Defect(path + ": written after close");
        });
        try {
            body();
        } catch (const base::RunFailure& error) {
            failed = error.what();
            throw;
        }
    }

    void flush() {
        parallel::agree(comm, [&] {
            if (backend->writes()) output::flush(path);
        });
    }

    void agree_on_writes(bool verify_now, const std::string& what) {
        parallel::agree(comm, [&] {
            if (!backend->failure().empty()) throw base::RunFailure(backend->failure());
            if (verify_now) verify(path, backend->take_written(), what);
        });
    }
};

File::File(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

File File::create(MPI_Comm comm, const std::string& path, const Schema& schema, const FileOptions& options) {
    const int rank = parallel::rank_of(comm);
    const std::string mode = parallel::agree(comm, [&] {
        const std::string resolved = check_request(path, schema, options);
        if (rank == 0) {
            check_target(path, options.overwrite);
            // Libraries tell of a full disk in words of their own here, or not at all.
            const std::int64_t bytes = required_bytes(schema, 0, options.storage);
            const std::filesystem::path folder = std::filesystem::path(path).parent_path();
            if (free_bytes(folder.empty() ? "." : folder.string()) < bytes)
                throw base::RunFailure(
                    fmt::format("{}: no room for the header and the variables without time ({} bytes): {}",
                                path, bytes, std::strerror(ENOSPC)));
        }
        return resolved;
    });
    File file(std::make_unique<Implementation>(comm, path, schema, mode, options.storage));
    Implementation& self = *file.implementation_;
    self.backend->create(options.hints);
    for (const Variable& variable : schema.variables) {
        if (!schema.is_record(variable)) self.missing.insert(variable.name);
    }
    return file;
}

File File::reopen(MPI_Comm comm, const std::string& path, const Schema& schema, double last_time,
                  const FileOptions& options) {
    const std::string mode = parallel::agree(comm, [&] { return check_request(path, schema, options); });
    File file(std::make_unique<Implementation>(comm, path, schema, mode, options.storage));
    Implementation& self = *file.implementation_;
    self.records = self.backend->reopen(options.hints, last_time);
    return file;
}

void File::write_fixed(const Values& values) {
    Implementation& self = *implementation_;
    self.guarded([&] {
        const std::string what = "variable " + values.variable;
        parallel::agree(self.comm, [&] { self.check_values(values, false, 1); });
        self.backend->begin(-1, 0, what);
        self.write(values, -1);
        self.agree_on_writes(self.backend->readable_before_publish(), what);
        self.backend->publish(self.records);
        self.agree_on_writes(true, what);
        self.missing.erase(values.variable);
    });
}

void File::append_record(double time, std::span<const Values> values) {
    append_records(std::span(&time, 1), values);
}

void File::append_records(std::span<const double> times, std::span<const Values> values) {
    Implementation& self = *implementation_;
    const auto count = static_cast<std::int64_t>(times.size());
    if (count == 0) return;
    self.guarded([&] {
        const std::int64_t first = self.records, last = first + count - 1;
        const std::string what =
            count == 1 ? fmt::format("record {}", first) : fmt::format("records {} to {}", first, last);
        parallel::agree(self.comm, [&] { self.check_record(values, count); });
        self.backend->begin(first, count, what);
        if (count > 1 && self.schema.record_bytes() <= largest_small_record) {
            self.write_whole(times, values);
        } else {
            self.write_rows(times, values);
        }
        self.agree_on_writes(self.backend->readable_before_publish(), what);
        self.backend->publish(last + 1);
        try {
            self.agree_on_writes(true, what);
            self.backend->check_published(last + 1);
        } catch (const base::RunFailure&) {
            try {
                self.backend->withdraw(first);  // readers must not see what is not there
            } catch (const base::RunFailure&) {
                // The first failure is the one to tell of; a file that has gone shows nothing anyhow.
            }
            throw;
        }
        self.records = last + 1;
    });
}

void File::forget_failure() {
    implementation_->failed.clear();
    implementation_->backend->forget_failure();
}

void File::flush() {
    Implementation& self = *implementation_;
    self.guarded([&] { self.flush(); });
}

void File::close() {
    Implementation& self = *implementation_;
    self.guarded([&] {
        parallel::agree(self.comm, [&] {
            if (!self.missing.empty()) {
                throw base::Defect(self.path + ": closed without values of " + *self.missing.begin());
            }
        });
        self.backend->close();
        self.flush();
        self.backend->check_closed(self.records);
        self.closed = true;
    });
}

const std::string& File::path() const {
    return implementation_->path;
}
std::string_view File::mode() const {
    return implementation_->mode;
}
std::int64_t File::records() const {
    return implementation_->records;
}
std::int64_t File::bytes_written() const {
    return implementation_->bytes_written;
}
std::int64_t File::messages_sent() const {
    return implementation_->rearranger.messages_sent() + implementation_->whole.messages_sent();
}
double File::seconds() const {
    return implementation_->seconds;
}

}  // namespace groundswell::output
