#include "groundswell/output/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/file_implementation.hpp"
#include "groundswell/output/formats/space.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

/// Records up to this size are put together as a whole by the rank that writes them.
constexpr std::int64_t largest_small_record = std::int64_t{8} << 20;

/// Questions of every rank before a file is touched. Returns the mode to write in.
std::string check_request(const std::string& path, const Schema& schema, const FileOptions& options) {
    schema.validate(path);
    check_storage(options.storage, path, "compression");
    if (options.storage.format == Format::netcdf4) check_hdf5_schema(schema, path);
    return resolve_mode(options.mode, path, options.storage.format);
}

}  // namespace

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
    for (const Variable& variable : schema.variables)
        if (!schema.is_record(variable)) self.missing.insert(variable.name);
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
            if (!self.missing.empty())
                throw base::Defect(self.path + ": closed without values of " + *self.missing.begin());
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
