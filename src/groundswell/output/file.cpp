#include "groundswell/output/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/backend.hpp"
#include "groundswell/output/classic_header.hpp"
#include "groundswell/output/disk.hpp"
#include "groundswell/output/netcdf_calls.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/output/space.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

/// Adds the time from construction to destruction to a sum.
class Stopwatch {
public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& sum_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// When the records end: a second part of the run may end elsewhere.
constexpr const char* coverage_end = "time_coverage_end";

Attribute* find_coverage_end(Schema& schema) {
    for (Attribute& attribute : schema.attributes)
        if (attribute.name == coverage_end) return &attribute;
    return nullptr;
}

/// Gives an existing file the end that `expected` states. Nothing moves in the file: only a text of the same
/// length is replaced, and one of another length stays a difference. Returns the schema of the file then.
Schema move_coverage_end(const std::string& path, Schema found, Schema expected) {
    Attribute* const old = find_coverage_end(found);
    const Attribute* const wanted = find_coverage_end(expected);
    if (old == nullptr || wanted == nullptr || *old == *wanted) return found;
    const auto* from = std::get_if<std::string>(&old->value);
    const auto* to = std::get_if<std::string>(&wanted->value);
    if (from == nullptr || to == nullptr || from->size() != to->size()) return found;
    old->value = *to;
    if (first_difference(found, expected)) return found;  // a file that will be refused is left as it is
    const auto lock = own_library();
    int id = -1;
    check_netcdf<base::RunFailure>(nc_open(path.c_str(), NC_WRITE, &id), path + ": cannot open for writing");
    const int put = nc_put_att_text(id, NC_GLOBAL, coverage_end, to->size(), to->data());
    check_netcdf<base::RunFailure>(nc_close(id), path + ": cannot close");
    check_netcdf<base::RunFailure>(put, path + ": " + coverage_end);
    return found;
}

/// Rank 0 reads the header (other hosts might still see an old one) and the others learn what they need of
/// it.
ClassicHeader share_layout(MPI_Comm comm, int rank, const std::string& path, const Schema& schema) {
    ClassicHeader header;
    parallel::agree(comm, [&] {
        if (rank == 0) header = read_classic_header(path);
    });
    std::vector<std::int64_t> numbers(4 + 2 * schema.variables.size());
    if (rank == 0) {
        numbers = {header.records, header.record_begin, header.record_bytes, header.fixed_end};
        for (const Variable& variable : schema.variables) {
            const ClassicHeader::Entry* entry = header.find(variable.name);
            GS_ASSERT(entry != nullptr);
            numbers.push_back(entry->begin);
            numbers.push_back(entry->bytes);
        }
    }
    parallel::check(MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, 0, comm),
                    "sharing the layout of " + path);
    header = {numbers[0], numbers[1], numbers[2], numbers[3], {}};
    for (std::size_t i = 0; i < schema.variables.size(); ++i) {
        const Variable& variable = schema.variables[i];
        header.entries.push_back(
            {variable.name, schema.is_record(variable), numbers[4 + 2 * i], numbers[5 + 2 * i]});
    }
    return header;
}

}  // namespace

struct File::Implementation {
    Implementation(MPI_Comm comm_, std::string path_, Schema schema_, std::string mode_)
        : comm(comm_), path(std::move(path_)), schema(std::move(schema_)), mode(std::move(mode_)) {
        MPI_Comm_rank(comm, &rank);
        backend = parallel::agree(comm, [&] { return make_backend(mode, comm, path, schema); });
    }

    MPI_Comm comm;
    int rank = 0;
    std::string path;
    Schema schema;
    std::string mode;
    std::unique_ptr<Backend> backend;
    Rearranger rearranger;
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

    /// Our caller's side of the contract, checked before any value travels.
    void check_values(const Values& values, bool record) const {
        const Variable& variable = schema.variables[static_cast<std::size_t>(index_of(values.variable))];
        const std::int64_t width = schema.row_width(variable);
        const auto demand = [&](bool holds, std::string_view what) {
            if (!holds) throw base::Defect(fmt::format("{}: values of {}: {}", path, values.variable, what));
        };
        demand(schema.is_record(variable) == record,
               record ? "it is no record variable" : "it is a record variable");
        demand(values.type == variable.type, "not of the variable's type");
        if (!values.decomposition) {
            demand(rank != 0 || values.count == schema.rows(variable) * width,
                   "not as many as the variable holds");
            return;
        }
        const std::int64_t stride = values.row_stride == 0 ? width : values.row_stride;
        const std::int64_t owned = values.decomposition->owned();
        demand(values.decomposition->rows() == schema.rows(variable), "decomposition of another length");
        demand(stride >= width, "rows overlap");
        demand(owned == 0 || values.count >= (owned - 1) * stride + width, "fewer than the owned rows");
        demand(values.row_stride != 0 || values.count == owned * width, "not as many as the owned rows hold");
    }

    void write(const Values& values, std::int64_t record) {
        const int index = index_of(values.variable);
        const Variable& variable = schema.variables[static_cast<std::size_t>(index)];
        const std::int64_t value_bytes = size_of(variable.type);
        const std::int64_t row_bytes = schema.row_width(variable) * value_bytes;
        bytes_written += schema.rows(variable) * row_bytes;
        if (!values.decomposition) {
            // Libraries may swap bytes in place: they get a copy.
            std::vector<std::byte> whole;
            if (rank == 0) whole.assign(values.data, values.data + values.count * value_bytes);
            backend->write_from_root({index, record, 0, schema.rows(variable)}, whole);
            return;
        }
        const std::int64_t stride = values.row_stride == 0 ? row_bytes : values.row_stride * value_bytes;
        const std::int64_t pieces = rearranger.pieces(*values.decomposition, row_bytes);
        for (std::int64_t number = 0; number < pieces; ++number) {
            const auto piece =
                rearranger.gather(*values.decomposition, values.data, row_bytes, stride, number);
            backend->write({index, record, piece.first_row, piece.rows}, piece.bytes);
        }
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

    void agree_on_writes(bool verify_now, const std::string& what) {
        parallel::agree(comm, [&] {
            if (!backend->failure().empty()) throw base::RunFailure(backend->failure());
            if (verify_now) verify(path, backend->take_written(), what);
        });
    }

    void reserve_at(std::int64_t offset, std::int64_t bytes, const std::string& what) {
        parallel::agree(comm, [&] {
            if (rank == 0) reserve(path, offset, bytes, what);
        });
    }
};

File::File(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;
File::~File() = default;

File File::create(MPI_Comm comm, const std::string& path, const Schema& schema, const FileOptions& options) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const std::string mode = parallel::agree(comm, [&] {
        schema.validate(path);
        if (rank == 0) {
            check_target(path, options.overwrite);
            // A new file, not the old one emptied: whoever still reads the old one keeps it.
            if (options.overwrite) std::filesystem::remove(path);
        }
        return resolve_mode(options.mode, path);
    });
    File file(std::make_unique<Implementation>(comm, path, schema, mode));
    Implementation& self = *file.implementation_;
    self.backend->create(options.hints);
    self.backend->set_layout(share_layout(comm, rank, path, schema));
    for (const Variable& variable : schema.variables) {
        if (!schema.is_record(variable)) self.missing.insert(variable.name);
    }
    self.reserve_at(0, self.backend->layout().fixed_end, "the header and the variables without time");
    return file;
}

File File::reopen(MPI_Comm comm, const std::string& path, const Schema& schema, double last_time,
                  const FileOptions& options) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::int64_t kept = 0;
    const std::string mode = parallel::agree(comm, [&] {
        schema.validate(path);
        const std::string resolved = resolve_mode(options.mode, path);
        if (rank != 0) return resolved;
        const ClassicHeader header = read_classic_header(path);
        {
            const Schema found = move_coverage_end(path, Reader(path).schema(), schema);
            const Reader reader(path);
            if (const auto difference = first_difference(found, schema)) {
                base::refuse(path, difference->key, difference->found,
                             difference->expected + ", to be continued after a restart");
            }
            if (const Dimension* record = schema.record_dimension()) {
                std::vector<double> time(1);
                for (; kept < header.records; ++kept) {
                    reader.read<double>(record->name, kept, 0, 1, time);
                    if (!(time[0] <= last_time)) break;
                }
            }
        }
        const std::int64_t size = header.end_of_record(kept);
        base::require(file_size(path) >= size, path, "size", std::to_string(file_size(path)),
                      fmt::format("at least {} bytes for its {} records", size, kept));
        if (kept < header.records) write_record_count(path, kept);
        std::error_code error;
        std::filesystem::resize_file(path, static_cast<std::uintmax_t>(size), error);
        base::require(!error, path, "", "", "a file that can be shortened: " + error.message());
        return resolved;
    });
    File file(std::make_unique<Implementation>(comm, path, schema, mode));
    Implementation& self = *file.implementation_;
    self.backend->open(options.hints);
    self.backend->set_layout(share_layout(comm, rank, path, schema));
    self.records = self.backend->layout().records;
    return file;
}

void File::write_fixed(const Values& values) {
    Implementation& self = *implementation_;
    self.guarded([&] {
        parallel::agree(self.comm, [&] { self.check_values(values, false); });
        self.write(values, -1);
        self.agree_on_writes(self.backend->readable_before_publish(), "variable " + values.variable);
        self.backend->publish(self.records);
        self.agree_on_writes(true, "variable " + values.variable);
        self.missing.erase(values.variable);
    });
}

void File::append_record(double time, std::span<const Values> values) {
    Implementation& self = *implementation_;
    self.guarded([&] {
        const std::int64_t record = self.records;
        const std::string what = fmt::format("record {}", record);
        const ClassicHeader& layout = self.backend->layout();
        parallel::agree(self.comm, [&] {
            const Dimension* dimension = self.schema.record_dimension();
            GS_ASSERT(dimension != nullptr);
            for (const Values& each : values) self.check_values(each, true);
            for (const Variable& variable : self.schema.variables) {
                if (!self.schema.is_record(variable) || variable.name == dimension->name) continue;
                const auto given = std::count_if(values.begin(), values.end(), [&](const Values& each) {
                    return each.variable == variable.name;
                });
                if (given != 1) {
                    throw base::Defect(fmt::format("{}: {} given {} times for a record, expected once",
                                                   self.path, variable.name, given));
                }
            }
            if (self.rank == 0) reserve(self.path, layout.end_of_record(record), layout.record_bytes, what);
        });
        self.write(replicated<double>(self.schema.record_dimension()->name, std::span(&time, 1)), record);
        for (const Values& each : values) self.write(each, record);
        self.agree_on_writes(self.backend->readable_before_publish(), what);
        self.backend->publish(record + 1);
        try {
            self.agree_on_writes(true, what);
            parallel::agree(self.comm, [&] {
                if (self.rank != 0) return;
                const std::int64_t shown = read_record_count(self.path);
                if (shown != record + 1) {
                    throw base::RunFailure(fmt::format("{}: the file shows {} records after writing {}",
                                                       self.path, shown, record + 1));
                }
            });
        } catch (const base::RunFailure&) {
            // Readers must not see what is not there.
            parallel::agree(self.comm, [&] {
                if (self.rank == 0) write_record_count(self.path, record);
            });
            throw;
        }
        self.records = record + 1;
    });
}

void File::forget_failure() {
    implementation_->failed.clear();
    implementation_->backend->forget_failure();
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
        parallel::agree(self.comm, [&] {
            if (self.backend->writes()) flush(self.path);
            if (self.rank != 0) return;
            const ClassicHeader header = read_classic_header(self.path);
            const std::int64_t size = file_size(self.path);
            if (header.records != self.records || size < header.end_of_record(self.records)) {
                throw base::RunFailure(
                    fmt::format("{}: {} records in {} bytes after closing, expected {} in {}", self.path,
                                header.records, size, self.records, header.end_of_record(self.records)));
            }
        });
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
double File::seconds() const {
    return implementation_->seconds;
}

}  // namespace groundswell::output
