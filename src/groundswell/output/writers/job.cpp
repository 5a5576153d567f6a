#include "groundswell/output/writers/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/writers/wire.hpp"

namespace groundswell::output {

namespace {

void copy_rows(std::byte* to, const VariablePart& part) {
    if (part.bytes() == 0) return;
    if (part.stride_bytes == part.row_bytes) {
        std::memcpy(to, part.data, static_cast<std::size_t>(part.bytes()));
        return;
    }
    for (std::int64_t row = 0; row < part.groups * part.rows; ++row)
        std::memcpy(to + row * part.row_bytes, part.data + row * part.stride_bytes,
                    static_cast<std::size_t>(part.row_bytes));
}

}  // namespace

std::int64_t Job::value_bytes() const {
    std::int64_t total = 0;
    for (const VariablePart& part : parts) total += part.bytes();
    return total;
}

void Job::keep_values() {
    storage.resize(value_bytes());
    std::byte* to = storage.data();
    for (VariablePart& part : parts) {
        copy_rows(to, part);
        part.data = to;
        part.stride_bytes = part.row_bytes;
        to += part.bytes();
    }
}

Job Job::without_values() const {
    Job job = *this;
    job.owned.clear();
    job.storage.clear();
    for (VariablePart& part : job.parts) {
        part.rows = 0;
        part.data = nullptr;
        std::fill(part.checksums.begin(), part.checksums.end(), 0);
    }
    return job;
}

std::string Job::describe(const std::string& file_path) const {
    const std::string name = std::filesystem::path(file_path).filename().string();
    if (kind == JobKind::record && times.size() == 1)
        return fmt::format("writing the record of time {} to {}", times[0], name);
    if (kind == JobKind::record)
        return fmt::format("writing the {} records of times {} to {} to {}", times.size(), times.front(),
                           times.back(), name);
    if (kind == JobKind::begin || kind == JobKind::decomposition) return "setting up";
    if (kind == JobKind::finish || kind == JobKind::leave) return "closing all files";
    return (kind == JobKind::create   ? "creating "
            : kind == JobKind::reopen ? "opening "
            : kind == JobKind::fixed  ? "writing "
                                      : "closing ") +
           name;
}

std::int64_t message_bytes(const Job& job) {
    const auto records = static_cast<std::int64_t>(job.times.size());
    return job.value_bytes() + 256 + 8 * records +
           (72 + 8 * records) * static_cast<std::int64_t>(job.parts.size());
}

void pass(auto& wire, EitherConst<VariablePart> auto& part) {
    wire(part.variable, part.decomposition, part.rows, part.groups, part.row_bytes, part.checksums);
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(part)>>) {
        copy_rows(wire.extend(part.bytes()), part);
    } else {
        part.stride_bytes = part.row_bytes;
        part.data = wire.view(part.bytes()).data();
    }
}

// Everything but decompositions and values is the same in all messages: the first is taken.
void pass(auto& wire, EitherConst<Job> auto& job) {
    wire(job.kind, job.file);
    if (job.kind == JobKind::begin) {
        auto& options = job.options;
        wire(options.backend, options.on_error, options.first_pause, options.longest_wait);
    } else if (job.kind == JobKind::decomposition) {
        wire(job.rows, job.owned);
    } else if (job.kind == JobKind::create || job.kind == JobKind::reopen) {
        wire(job.path, job.overwrite, job.replaces, job.checksums, job.file_storage, job.time, job.hints,
             job.schema);
    } else if (job.kind == JobKind::fixed || job.kind == JobKind::record) {
        wire(job.times, job.parts);
    } else if (job.kind == JobKind::close) {
        wire(job.path, job.keep, job.older);
    }
}

std::vector<std::byte> to_message(const Job& job, std::vector<std::byte> memory) {
    ByteWriter message(std::move(memory));
    if (job.value_bytes() > 0) message.reserve(message_bytes(job));
    message(job);
    return message.take();
}

Job from_messages(const std::vector<std::vector<std::byte>>& messages, std::vector<std::byte> memory) {
    std::vector<Job> pieces;
    for (const auto& bytes : messages) {
        ByteReader reader(bytes);
        reader(pieces.emplace_back());
        GS_ASSERT(pieces.back().kind == pieces.front().kind && pieces.back().file == pieces.front().file);
        GS_ASSERT(pieces.back().parts.size() == pieces.front().parts.size());
    }
    Job job = std::move(pieces.front());
    std::vector<VariablePart> merged = job.parts;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        job.owned.insert(job.owned.end(), pieces[i].owned.begin(), pieces[i].owned.end());
        for (std::size_t p = 0; p < merged.size(); ++p) {
            const VariablePart& part = pieces[i].parts[p];
            GS_ASSERT(part.groups == merged[p].groups && part.checksums.size() == merged[p].checksums.size());
            merged[p].rows += part.rows;
            for (std::size_t s = 0; s < part.checksums.size(); ++s)
                merged[p].checksums[s] += part.checksums[s];
        }
    }
    std::int64_t total = 0;
    for (const VariablePart& part : merged) total += part.bytes();
    job.storage = std::move(memory);
    job.storage.resize(total);
    std::byte* to = job.storage.data();
    for (std::size_t p = 0; p < merged.size(); ++p) {
        merged[p].data = to;
        for (std::int64_t group = 0; group < merged[p].groups; ++group)
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                VariablePart piece = i == 0 ? job.parts[p] : pieces[i].parts[p];
                piece.data += group * piece.rows * piece.stride_bytes;
                piece.groups = 1;
                copy_rows(to, piece);
                to += piece.bytes();
            }
    }
    job.parts = std::move(merged);
    return job;
}

}  // namespace groundswell::output
