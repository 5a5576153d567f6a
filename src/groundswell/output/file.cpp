#include "groundswell/output/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/space.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/hdf5/hdf5_image.hpp"
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
        : comm(comm_), path(std::move(path_)), schema(std::move(schema_)), mode(std::move(mode_)) {
        MPI_Comm_rank(comm, &rank);
        backend = parallel::agree(comm, [&] { return make_backend(mode, storage, comm, path, schema); });
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
        backend->begin_variable(index, record);
        if (values.decomposition) {
            const std::int64_t stride = values.row_stride == 0 ? row_bytes : values.row_stride * value_bytes;
            const std::int64_t pieces = rearranger.pieces(*values.decomposition, row_bytes);
            for (std::int64_t number = 0; number < pieces; ++number) {
                const auto piece =
                    rearranger.gather(*values.decomposition, values.data, row_bytes, stride, number);
                backend->write({index, record, piece.first_row, piece.rows}, piece.bytes);
            }
        } else {
            // Libraries may swap bytes in place: they get a copy.
            std::vector<std::byte> whole;
            if (rank == 0) whole.assign(values.data, values.data + values.count * value_bytes);
            backend->write_from_root({index, record, 0, schema.rows(variable)}, whole);
        }
        backend->end_variable(index, record);
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
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
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
        parallel::agree(self.comm, [&] { self.check_values(values, false); });
        self.backend->begin(-1, what);
        self.write(values, -1);
        self.agree_on_writes(self.backend->readable_before_publish(), what);
        self.backend->publish(self.records);
        self.agree_on_writes(true, what);
        self.missing.erase(values.variable);
    });
}

void File::append_record(double time, std::span<const Values> values) {
    Implementation& self = *implementation_;
    self.guarded([&] {
        const std::int64_t record = self.records;
        const std::string what = fmt::format("record {}", record);
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
        });
        self.backend->begin(record, what);
        self.write(replicated<double>(self.schema.record_dimension()->name, std::span(&time, 1)), record);
        for (const Values& each : values) self.write(each, record);
        self.agree_on_writes(self.backend->readable_before_publish(), what);
        self.backend->publish(record + 1);
        try {
            self.agree_on_writes(true, what);
            self.backend->check_published(record + 1);
        } catch (const base::RunFailure&) {
            try {
                self.backend->withdraw(record);  // readers must not see what is not there
            } catch (const base::RunFailure&) {
                // The first failure is the one to tell of; a file that has gone shows nothing anyhow.
            }
            throw;
        }
        self.records = record + 1;
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
double File::seconds() const {
    return implementation_->seconds;
}

}  // namespace groundswell::output
