#include "groundswell/output/writers/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>

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
    switch (kind) {
        case JobKind::begin:
        case JobKind::decomposition:
            return "setting up";
        case JobKind::create:
            return "creating " + name;
        case JobKind::reopen:
            return "opening " + name;
        case JobKind::fixed:
            return "writing " + name;
        case JobKind::record:
            if (times.size() == 1) return fmt::format("writing the record of time {} to {}", times[0], name);
            return fmt::format("writing the {} records of times {} to {} to {}", times.size(), times.front(),
                               times.back(), name);
        case JobKind::close:
            return "closing " + name;
        case JobKind::finish:
        case JobKind::leave:
            return "closing all files";
    }
    return "";
}

std::int64_t message_bytes(const Job& job) {
    const auto records = static_cast<std::int64_t>(job.times.size());
    return job.value_bytes() + 256 + 8 * records +
           (72 + 8 * records) * static_cast<std::int64_t>(job.parts.size());
}

std::vector<std::byte> to_message(const Job& job, std::vector<std::byte> memory) {
    ByteWriter message(std::move(memory));
    if (job.value_bytes() > 0) message.reserve(message_bytes(job));
    message.put(job.kind);
    message.put(job.file);
    switch (job.kind) {
        case JobKind::begin:
            message.put(job.options.backend);
            message.put(job.options.on_error);
            message.put(job.options.first_pause);
            message.put(job.options.longest_wait);
            break;
        case JobKind::decomposition:
            message.put(job.rows);
            message.put_list(std::span<const std::int64_t>(job.owned));
            break;
        case JobKind::create:
        case JobKind::reopen:
            message.put(job.path);
            message.put(job.overwrite);
            message.put(job.replaces);
            message.put(job.checksums);
            message.put(job.file_storage);
            message.put(job.time);
            message.put(static_cast<std::int64_t>(job.hints.size()));
            for (const auto& [key, value] : job.hints) {
                message.put(key);
                message.put(value);
            }
            message.put(*job.schema);
            break;
        case JobKind::fixed:
        case JobKind::record:
            message.put_list(std::span<const double>(job.times));
            message.put(static_cast<std::int64_t>(job.parts.size()));
            for (const VariablePart& part : job.parts) {
                message.put(part.variable);
                message.put(part.decomposition);
                message.put(part.rows);
                message.put(part.groups);
                message.put(part.row_bytes);
                message.put_list(std::span<const std::uint64_t>(part.checksums));
                copy_rows(message.extend(part.bytes()), part);
            }
            break;
        case JobKind::close:
            message.put(job.path);
            message.put(job.keep);
            message.put(static_cast<std::int64_t>(job.older.size()));
            for (const std::string& path : job.older) message.put(path);
            break;
        case JobKind::finish:
        case JobKind::leave:
            break;
    }
    return message.take();
}

namespace {

VariablePart read_part(ByteReader& message) {
    VariablePart part;
    part.variable = message.get<std::int32_t>();
    part.decomposition = message.get<std::int32_t>();
    part.rows = message.get<std::int64_t>();
    part.groups = message.get<std::int64_t>();
    part.row_bytes = part.stride_bytes = message.get<std::int64_t>();
    part.checksums = message.get_list<std::uint64_t>();
    part.data = message.view(part.bytes()).data();
    return part;
}

// Everything but decompositions and values is the same in all messages: the first is taken.
Job read_head(ByteReader& message) {
    Job job;
    job.kind = message.get<JobKind>();
    job.file = message.get<std::int32_t>();
    switch (job.kind) {
        case JobKind::begin:
            job.options.backend = message.get_text();
            job.options.on_error = message.get<OnError>();
            job.options.first_pause = message.get<double>();
            job.options.longest_wait = message.get<double>();
            break;
        case JobKind::decomposition:
            job.rows = message.get<std::int64_t>();
            job.owned = message.get_list<std::int64_t>();
            break;
        case JobKind::create:
        case JobKind::reopen:
            job.path = message.get_text();
            job.overwrite = message.get<bool>();
            job.replaces = message.get<bool>();
            job.checksums = message.get<bool>();
            job.file_storage = message.get<Storage>();
            job.time = message.get<double>();
            for (auto left = message.get<std::int64_t>(); left > 0; --left) {
                const std::string key = message.get_text();
                job.hints[key] = message.get_text();
            }
            job.schema = std::make_shared<const Schema>(message.get_schema());
            break;
        case JobKind::fixed:
        case JobKind::record:
            job.times = message.get_list<double>();
            for (auto left = message.get<std::int64_t>(); left > 0; --left)
                job.parts.push_back(read_part(message));
            break;
        case JobKind::close:
            job.path = message.get_text();
            job.keep = message.get<std::int64_t>();
            for (auto left = message.get<std::int64_t>(); left > 0; --left)
                job.older.push_back(message.get_text());
            break;
        case JobKind::finish:
        case JobKind::leave:
            break;
    }
    return job;
}

}  // namespace

Job from_messages(const std::vector<std::vector<std::byte>>& messages, std::vector<std::byte> memory) {
    std::vector<Job> pieces;
    for (const auto& bytes : messages) {
        ByteReader reader(bytes);
        pieces.push_back(read_head(reader));
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
