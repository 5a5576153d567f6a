#include "groundswell/output/backend.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <stdexcept>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

std::unique_lock<std::mutex> own_library() {
    static std::mutex mutex;
    return std::unique_lock<std::mutex>(mutex);
}

Backend::Backend(MPI_Comm comm, std::string path, const Schema& schema)
    : comm_(comm), path_(std::move(path)), schema_(schema) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    hooks_ = TestHooks::from_environment(rank_);
}

void Backend::write_from_root(const Target& target, std::span<std::byte> bytes) {
    if (rank_ == 0) write_here(target, bytes);
}

void Backend::write_here(const Target& target, std::span<std::byte> bytes) {
    if (bytes.empty() || !failure_.empty()) return;
    const Variable& variable = schema_.variables[static_cast<std::size_t>(target.variable)];
    const ClassicHeader::Entry* entry = layout_.find(variable.name);
    GS_ASSERT(entry != nullptr);
    const std::int64_t record = target.record < 0 ? 0 : target.record;
    const std::int64_t width = schema_.row_width(variable) * size_of(variable.type);
    written_.push_back({entry->begin + record * layout_.record_bytes + target.first_row * width,
                        static_cast<std::int64_t>(bytes.size()), size_of(variable.type), checksum(bytes)});

    const int fault = hooks_.next_write();
    if (fault == TestHooks::silent) return;
    try {
        if (fault != 0) {
            throw base::RunFailure(
                fmt::format("{}: cannot write: {}", describe(target), std::strerror(fault)));
        }
        const auto start = std::chrono::steady_clock::now();
        put(target, bytes);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        hooks_.throttle(static_cast<std::int64_t>(bytes.size()),
                        target.rows < schema_.rows(variable) ? writers_ : 1, taken.count());
    } catch (const base::RunFailure& error) {
        failure_ = error.what();
    }
}

std::string Backend::describe(const Target& target) const {
    const std::string& name = schema_.variables[static_cast<std::size_t>(target.variable)].name;
    const std::string record = target.record < 0 ? "" : fmt::format("record {}, ", target.record);
    return fmt::format("{}: {}variable {}, rows {} to {}", path_, record, name, target.first_row,
                       target.first_row + target.rows - 1);
}

Backend::Slab Backend::slab_of(const Target& target) const {
    const Variable& variable = schema_.variables[static_cast<std::size_t>(target.variable)];
    Slab slab;
    if (schema_.is_record(variable)) {
        slab.start.push_back(target.record);
        slab.count.push_back(1);
    }
    bool first = true;
    for (const std::int64_t length : schema_.shape(variable)) {
        slab.start.push_back(first ? target.first_row : 0);
        slab.count.push_back(first ? target.rows : length);
        first = false;
    }
    return slab;
}

}  // namespace groundswell::output
