#include "groundswell/output/formats/backend.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include "groundswell/output/checksum.hpp"
#include "groundswell/output/disk/growing_name.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::output {

Backend::Backend(MPI_Comm comm, std::string path, const Schema& schema)
    : comm_(comm), path_(std::move(path)), schema_(schema) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    hooks_ = TestHooks::from_environment(rank_);
}

void Backend::create(const std::map<std::string, std::string>& hints) {
    const std::string name = path_;
    const std::string file = parallel::agree(comm_, [&] { return without_links(name); });
    std::optional<GrowingName> growing;
    if (!name.ends_with(".part")) {
        path_ = file + ".part";
        growing.emplace(path_);
    }
    parallel::agree(comm_, [&] {
        if (rank_ != 0 || ::unlink(path_.c_str()) == 0) return;
        const std::string why = std::strerror(errno);
        // In a folder that is closed it says so of files that are not there, too.
        struct stat status {};
        if (::lstat(path_.c_str(), &status) == 0)
            throw base::RunFailure(fmt::format("{}: cannot be removed: {}", path_, why));
    });
    create_unnamed(hints);
    if (path_ == name) return;  // its maker gives it another name when all of it is there
    parallel::agree(comm_, [&] {
        std::error_code error;
        if (rank_ == 0) std::filesystem::rename(path_, file, error);
        base::require(!error, name, "", "", "a name that can be given to a new file: " + error.message());
    });
    path_ = name;
}

void Backend::attempt(Written piece, std::int64_t units, bool shared,
                      const std::function<void(std::int64_t)>& put) {
    if (piece.bytes == 0 || !failure_.empty()) return;
    const std::int64_t bytes = piece.bytes;
    written_.push_back(std::move(piece));
    const int fault = hooks_.next_write();
    if (fault == TestHooks::silent) return;
    keep_failure([&] {
        if (fault > 0)
            throw base::RunFailure(
                fmt::format("{}: {}: cannot write: {}", path_, written_.back().what, std::strerror(fault)));
        const double start = parallel::now();
        const std::int64_t wanted = fault == TestHooks::shortened ? units / 2 : units;
        if (wanted > 0) put(wanted);
        hooks_.throttle(bytes, shared ? writers_ : 1, parallel::now() - start);
    });
}

void Backend::keep_failure(const std::function<void()>& call) {
    try {
        call();
    } catch (const base::RunFailure& error) {
        failure_ = error.what();
    }
}

void Backend::bring_to_root(const Target& target, std::span<std::byte> bytes,
                            const std::function<void(const Target&, std::span<std::byte>)>& take) {
    constexpr int tag_head = 741, tag_block = 742;
    GS_ASSERT(bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
    if (rank_ != 0) {
        const std::int64_t head[2] = {target.first_row, target.rows};
        parallel::check(MPI_Send(head, 2, MPI_INT64_T, 0, tag_head, comm_), "output to rank 0");
        if (bytes.empty()) return;
        // Synchronous, so that blocks wait where they are until rank 0 has room for them.
        parallel::check(
            MPI_Ssend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, tag_block, comm_),
            "output to rank 0");
        return;
    }
    take(target, bytes);
    const Variable& variable = variable_of(target.variable);
    const RowShape shape = schema_.row_shape(variable);
    const std::int64_t row_bytes = shape.segments * shape.row_width * size_of(variable.type);
    for (int source = 1; source < ranks_; ++source) {
        std::int64_t head[2] = {0, 0};
        parallel::check(MPI_Recv(head, 2, MPI_INT64_T, source, tag_head, comm_, MPI_STATUS_IGNORE),
                        "output from another rank");
        if (head[1] == 0) continue;
        incoming_.resize(head[1] * row_bytes);
        parallel::check(MPI_Recv(incoming_.data(), static_cast<int>(incoming_.size()), MPI_BYTE, source,
                                 tag_block, comm_, MPI_STATUS_IGNORE),
                        "output from another rank");
        take({target.variable, target.record, head[0], head[1]}, incoming_);
    }
}

/// Variable after variable, each record after record.
std::vector<RecordPlace> Backend::places_among(std::int64_t records) const {
    std::vector<RecordPlace> places;
    std::int64_t offset = 0;
    for (const Variable& variable : schema_.variables) {
        const std::int64_t bytes =
            schema_.is_record(variable) ? schema_.row_shape(variable).values() * size_of(variable.type) : 0;
        places.push_back({offset, bytes});
        offset += records * bytes;
    }
    return places;
}

std::int64_t Backend::bytes_of_records(std::int64_t records) const {
    return records * schema_.record_bytes();
}

std::string Backend::describe(const Target& target) const {
    return path_ + ": " + place_of(target);
}

std::string Backend::place_of(const Target& target) const {
    const std::string& name = variable_of(target.variable).name;
    const std::string record = target.record < 0 ? "" : fmt::format("record {}, ", target.record);
    return fmt::format("{}variable {}, rows {} to {}", record, name, target.first_row,
                       target.first_row + target.rows - 1);
}

std::vector<Attribute> Backend::to_be_moved(Schema found) const {
    base::require(is_header_true(found).value_or(true), path_, header_checksum_name, "",
                  "the header that was written: see groundswell verify");
    std::vector<Attribute> moved;
    for (const char* name : {"time_coverage_end", header_checksum_name}) {
        const auto old = std::ranges::find(found.attributes, name, &Attribute::name);
        const Attribute* wanted = find_named(schema_.attributes, name);
        if (old == found.attributes.end() || wanted == nullptr || *old == *wanted) continue;
        // Nothing may move in the file: only a value of the same size is replaced.
        const auto* from = std::get_if<std::string>(&old->value);
        const auto* to = std::get_if<std::string>(&wanted->value);
        if (old->value.index() != wanted->value.index() || (from != nullptr && from->size() != to->size()))
            continue;
        *old = *wanted;
        moved.push_back(*wanted);
    }
    if (const auto difference = first_difference(found, schema_))
        base::refuse(path_, difference->key, difference->found,
                     difference->expected + ", to be continued after a restart");
    return moved;
}

std::int64_t Backend::records_until(const Reader& reader, double last_time, std::int64_t most) const {
    const Dimension* dimension = schema_.record_dimension();
    std::int64_t kept = 0;
    if (dimension == nullptr) return kept;
    most = std::min(most, reader.records());
    while (kept < most && reader.read_all<double>(dimension->name, kept)[0] <= last_time) ++kept;
    return kept;
}

}  // namespace groundswell::output
