#include "groundswell/output/writers/job.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/output/servers.hpp"
#include "support/output_dataset.hpp"

// A job that travels to another rank is the same job there; jobs of several ranks become one.
namespace {

using namespace groundswell;
using namespace groundswell::output;

TEST(OutputJob, ArrivesWithEverythingThatMakesAFile) {
    Job job;
    job.kind = JobKind::create;
    job.file = 3;
    job.path = "output/yagi.nc";
    job.overwrite = true;
    job.checksums = true;
    job.hints = {{"striping_factor", "8"}, {"cb_nodes", "2"}};
    job.schema = std::make_shared<const Schema>(dataset::schema());
    const Job arrived = from_messages({to_message(job)});
    EXPECT_EQ(arrived.kind, JobKind::create);
    EXPECT_EQ(arrived.file, 3);
    EXPECT_EQ(arrived.path, "output/yagi.nc");
    EXPECT_TRUE(arrived.overwrite && arrived.checksums);
    EXPECT_EQ(arrived.hints, job.hints);
    EXPECT_EQ(arrived.schema->dimensions, job.schema->dimensions);
    EXPECT_EQ(arrived.schema->variables, job.schema->variables);
    EXPECT_EQ(arrived.schema->attributes, job.schema->attributes);
}

TEST(OutputJob, ArrivesWithWhatHappensAfterwards) {
    Job job;
    job.kind = JobKind::close;
    job.path = "restart.nc";
    job.older = {"oldest.nc", "older.nc"};
    job.keep = 1;
    const Job arrived = from_messages({to_message(job)});
    EXPECT_EQ(arrived.path, "restart.nc");
    EXPECT_EQ(arrived.older, job.older);
    EXPECT_EQ(arrived.keep, job.keep);
    job = Job{};
    job.kind = JobKind::begin;
    job.options = {"serial", OnError::retry, 0.25, 12.0};
    const Job begin = from_messages({to_message(job)});
    EXPECT_EQ(begin.options.backend, "serial");
    EXPECT_EQ(begin.options.on_error, OnError::retry);
    EXPECT_EQ(begin.options.first_pause, 0.25);
    EXPECT_EQ(begin.options.longest_wait, 12.0);
}

/// Rows of two floats with one of padding: 10 r + {0, 1}.
Job record_of(const std::vector<float>& values, std::int64_t rows) {
    Job job;
    job.kind = JobKind::record;
    job.times = {7.0};
    job.parts.push_back({5,
                         2,
                         rows,
                         1,
                         8,
                         12,
                         reinterpret_cast<const std::byte*>(values.data()),
                         {static_cast<std::uint64_t>(rows)}});
    return job;
}

std::vector<float> floats_of(const VariablePart& part) {
    std::vector<float> values(static_cast<std::size_t>(part.groups * part.rows * 2));
    std::memcpy(values.data(), part.data, values.size() * sizeof(float));
    return values;
}

TEST(OutputJob, OfSeveralRanksHasAllTheirRowsInOrder) {
    const std::vector<float> first{10, 11, -1, 20, 21, -1}, second, third{30, 31};
    const Job job = from_messages(
        {to_message(record_of(first, 2)), to_message(record_of(second, 0)), to_message(record_of(third, 1))});
    ASSERT_EQ(job.parts.size(), 1u);
    EXPECT_EQ(job.times, std::vector<double>{7.0});
    EXPECT_EQ(job.parts[0].variable, 5);
    EXPECT_EQ(job.parts[0].decomposition, 2);
    EXPECT_EQ(job.parts[0].rows, 3);
    EXPECT_EQ(job.parts[0].checksums, std::vector<std::uint64_t>{3u});
    EXPECT_EQ(floats_of(job.parts[0]), (std::vector<float>{10, 11, 20, 21, 30, 31}));
}

TEST(OutputJob, OfSeveralRanksKeepsItsRecordsApart) {
    const auto two_records = [](const std::vector<float>& values, std::int64_t rows) {
        Job job = record_of(values, rows);
        job.times = {7.0, 8.0};
        job.parts[0].groups = 2;
        job.parts[0].checksums = {1u, static_cast<std::uint64_t>(rows)};
        return to_message(job);
    };
    const std::vector<float> first{10, 11, -1, 20, 21, -1, 110, 111, -1, 120, 121, -1},
        third{30, 31, -1, 130, 131};
    const Job job = from_messages({two_records(first, 2), two_records({}, 0), two_records(third, 1)});
    EXPECT_EQ(job.times, (std::vector<double>{7.0, 8.0}));
    EXPECT_EQ(job.parts[0].rows, 3);
    EXPECT_EQ(job.parts[0].checksums, (std::vector<std::uint64_t>{3u, 3u}));
    EXPECT_EQ(floats_of(job.parts[0]),
              (std::vector<float>{10, 11, 20, 21, 30, 31, 110, 111, 120, 121, 130, 131}));
}

TEST(OutputJob, KeepsItsValuesWhenTheCallerChangesHis) {
    std::vector<float> values{10, 11, -1, 20, 21, -1};
    Job job = record_of(values, 2);
    job.keep_values();
    values.assign(values.size(), 0.0f);
    EXPECT_EQ(floats_of(job.parts[0]), (std::vector<float>{10, 11, 20, 21}));
    EXPECT_EQ(job.value_bytes(), 16);
}

TEST(OutputJob, OfAnotherKindIsNotMixedIn) {
    Job other;
    other.kind = JobKind::finish;
    const std::vector<float> values{1, 2};
    EXPECT_THROW(from_messages({to_message(record_of(values, 1)), to_message(other)}), base::Defect);
}

TEST(OutputServerCount, IsANumberOrAShareOfTheRanks) {
    EXPECT_EQ(server_count("2", 8, "case.toml", "output.servers"), 2);
    EXPECT_EQ(server_count("10%", 64, "case.toml", "output.servers"), 6);
    EXPECT_EQ(server_count("0.1", 64, "case.toml", "output.servers"), 6);
    EXPECT_EQ(server_count("1%", 4, "case.toml", "output.servers"), 1);
}

std::string refusal_of(std::string_view wanted, int ranks) {
    try {
        server_count(wanted, ranks, "case.toml", "output.servers");
    } catch (const base::Refusal& refusal) {
        return refusal.what();
    }
    return "";
}

TEST(OutputServerCount, ThatLeavesNobodyToComputeIsRefused) {
    EXPECT_EQ(
        refusal_of("4", 4),
        "case.toml: output.servers = 4: expected fewer servers than ranks (4): at most 3, or start more "
        "ranks");
    EXPECT_EQ(refusal_of("100%", 4).find("case.toml: output.servers = 100%: expected fewer"), 0u);
    EXPECT_NE(refusal_of("1", 1).find("at least 2 ranks"), std::string::npos);
    for (const char* wanted : {"", "two", "-1", "0", "1.5", "10 ranks"})
        EXPECT_NE(refusal_of(wanted, 4).find("a number of ranks"), std::string::npos) << wanted;
}

std::span<const std::byte> bytes_of(const std::vector<float>& values) {
    return std::as_bytes(std::span(values));
}

TEST(OutputChecksum, AddsUpInAnyOrderAndNumberOfPieces) {
    std::vector<float> values(60);
    std::iota(values.begin(), values.end(), 0.5f);
    const auto all = bytes_of(values);
    const std::uint64_t whole = rows_checksum(0, all, 12);
    EXPECT_EQ(rows_checksum(13, all.subspan(13 * 12), 12) + rows_checksum(0, all.first(13 * 12), 12), whole);
}

TEST(OutputChecksum, SeesEveryChange) {
    std::vector<float> values(60, 1.0f);
    const std::uint64_t whole = rows_checksum(0, bytes_of(values), 12);
    EXPECT_NE(rows_checksum(1, bytes_of(values), 12), whole);  // the same rows elsewhere
    EXPECT_NE(rows_checksum(0, bytes_of(values), 4), whole);   // other rows
    for (const std::size_t at : {std::size_t{0}, std::size_t{31}, std::size_t{59}}) {
        std::vector<float> changed = values;
        changed[at] = 1.0000001f;
        EXPECT_NE(rows_checksum(0, bytes_of(changed), 12), whole);
    }
    std::vector<float> swapped = values, other = values;
    swapped[0] = 2.0f;
    other[3] = 2.0f;  // the same value in another row
    EXPECT_NE(rows_checksum(0, bytes_of(swapped), 12), rows_checksum(0, bytes_of(other), 12));
}

TEST(OutputChecksum, HasAVariableBesideEach) {
    const Schema schema = with_checksums(dataset::schema());
    schema.validate("file.nc");
    const Variable* record = schema.find("hs_checksum");
    const Variable* fixed = schema.find("mesh_face_nodes_checksum");
    ASSERT_TRUE(record != nullptr && fixed != nullptr);
    EXPECT_EQ(record->type, Type::int64);
    EXPECT_EQ(record->dimensions, std::vector<std::string>{"time"});
    EXPECT_TRUE(fixed->dimensions.empty());
    EXPECT_EQ(checked_variable(schema, "hs_checksum"), "hs");
    EXPECT_EQ(checked_variable(schema, "hs"), "");
    EXPECT_EQ(checked_variable(schema, "unknown_checksum"), "");
}

}  // namespace
