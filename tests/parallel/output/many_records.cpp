#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/check/comparison.hpp"
#include "groundswell/output/check/verification.hpp"
#include "support/output_launch.hpp"

// Many records handed over by one call, as by seismic receivers that take a thousand samples a second: the file
// is the one that as many single calls make, and the call costs what one of them costs.
namespace {

struct Counts {
    std::int64_t collectives = 0, messages = 0, writes = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
    friend void PrintTo(const Counts& counts, std::ostream* stream) {
        *stream << counts.collectives << " collectives, " << counts.messages << " messages, " << counts.writes
                << " writes";
    }
};
std::atomic<std::int64_t> collectives, messages, writes;

template <class Function>
Function* next_of(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// In the place of the libraries' own ones: each counts and passes on.
extern "C" {
int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    ++collectives;
    return PMPI_Allreduce(from, to, count, type, op, comm);
}
int MPI_Bcast(void* values, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    ++collectives;
    return PMPI_Bcast(values, count, type, root, comm);
}
int MPI_Isend(const void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++messages;
    return PMPI_Isend(values, count, type, rank, tag, comm, request);
}
int MPI_Send(const void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
    ++messages;
    return PMPI_Send(values, count, type, rank, tag, comm);
}
int MPI_Ssend(const void* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
    ++messages;
    return PMPI_Ssend(values, count, type, rank, tag, comm);
}
ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t offset) {
    static auto* const next = next_of<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
    ++writes;
    return next(file, bytes, count, offset);
}
ssize_t pwritev(int file, const iovec* parts, int count, off_t offset) {
    static auto* const next = next_of<ssize_t(int, const iovec*, int, off_t)>("pwritev");
    ++writes;
    return next(file, parts, count, offset);
}
}

namespace {

using namespace groundswell;
using namespace dataset;

class ManyRecords : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, ManyRecords, testing::ValuesIn(launch::ways()), launch::name_of);

constexpr std::int64_t runs[] = {1, 7, 40, 2};  // records of the calls

/// What one rank alone writes record by record.
void write_reference(const std::string& path, const OutputOptions& options, std::int64_t records) {
    OutputOptions alone = options;
    alone.mode = "serial";
    Output output(MPI_COMM_SELF, alone);
    const Part part(MPI_COMM_SELF);
    Dataset file = output.create(path, schema());
    part.write_fixed(file);
    for (std::int64_t record = 0; record < records; ++record) part.append(file, record);
    output.finish();
}

std::vector<OutputOptions> storages() {
    std::vector<OutputOptions> all(4);
    all[1].checksums = true;
    all[2].storage = {Format::netcdf4, 0};
    all[3].storage = {Format::netcdf4, 4};
    all[3].checksums = true;
    return all;
}

TEST_P(ManyRecords, AtOnceMakeTheFileOfSingleOnes) {
    for (const OutputOptions& options : storages()) {
        const Folder folder;
        const std::string path = folder / "file.nc", alone = folder / "alone.nc";
        if (world_rank() == 0) write_reference(alone, options, 50);
        launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(path, schema());
            part.write_fixed(file);
            std::int64_t record = 0;
            for (const std::int64_t count : runs) {
                part.append(file, record, count);
                record += count;
            }
            output.settle();
            EXPECT_EQ(output.report().records, 50);
        });
        MPI_Barrier(MPI_COMM_WORLD);
        if (options.storage.format == Format::cdf5) {
            EXPECT_TRUE(bytes_of(path) == bytes_of(alone));
        } else {
            EXPECT_TRUE(compare(Reader(path), Reader(alone), {}).identical);
        }
        EXPECT_EQ(wrong_values(path, 50), 0);
        EXPECT_TRUE(verify_file(path).ok());
    }
}

/// What one call of so many records costs this rank, when the first call has found out who has which rows.
Counts cost_of(const FileOptions& options, std::int64_t records) {
    const Folder folder;
    const Part part(MPI_COMM_WORLD);
    File file = File::create(MPI_COMM_WORLD, folder / "file.nc", schema(), options);
    part.write_fixed(file);
    part.append(file, 0, 40);
    collectives = messages = writes = 0;
    part.append(file, 40, records);
    const Counts counts{collectives, messages, writes};
    file.close();
    return counts;
}

TEST(ManyRecordsCost, WhatTwoOfThemCost) {
    std::vector<FileOptions> all;
    for (const std::string& mode : available_modes()) all.push_back({mode, false, {}});
    for (const std::string& mode : available_modes(Format::netcdf4)) {
        all.push_back({mode, false, {}, {Format::netcdf4, 0}});
        all.push_back({mode, false, {}, {Format::netcdf4, 4}});
    }
    for (const FileOptions& options : all) {
        const Counts few = cost_of(options, 2), many = cost_of(options, 300);
        if (options.storage.format == Format::cdf5) {
            EXPECT_EQ(many, few) << options.mode;
        } else {
            EXPECT_EQ(many.collectives, few.collectives) << options.mode;
            EXPECT_EQ(many.messages, few.messages) << options.mode;
            // A variable may fill a chunk that is there and begin another; and metadata grow with the chunks.
            EXPECT_LE(many.writes, few.writes + 6) << options.mode;
        }
    }
}

class ManyRecordsFault : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Modes, ManyRecordsFault, testing::ValuesIn(available_modes()),
                         [](const auto& each) { return each.param; });

/// The call of rank 0 that writes the records after the fixed part and one single record.
std::int64_t call_of_records(const std::string& mode) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::int64_t pieces = mode == "direct" ? 1 : ranks;
    return 1 + 2 * pieces + 1 + 2 * pieces + 1;
}

// The rank that writes them all meets the fault; the others learn of it, no reader sees one of the records,
// and the same call may be made again.
TEST_P(ManyRecordsFault, HidesAllOfThemAndTheyMayBeWrittenAgain) {
    for (const std::string error : {"EIO", "silent", "short"}) {
        const Folder folder;
        const std::string path = folder / "file.nc";
        const Part part(MPI_COMM_WORLD);
        const auto create = [&] {
            const Environment fault(
                "GROUNDSWELL_TEST_FAIL",
                "write:" + error + ":" + std::to_string(call_of_records(GetParam())) + ":0");
            return File::create(MPI_COMM_WORLD, path, schema(), {GetParam(), false, {}});
        };
        File file = create();
        part.write_fixed(file);
        part.append(file, 0);
        std::string message = "no failure";
        try {
            part.append(file, 1, 9);
        } catch (const base::RunFailure& failure) {
            message = failure.what();
        }
        EXPECT_EQ(message.find(path + ": records 1 to 9"), 0u) << message;
        EXPECT_EQ(file.records(), 1);
        EXPECT_EQ(wrong_values(path, 1), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        file.forget_failure();
        part.append(file, 1, 9);
        file.close();
        write(MPI_COMM_WORLD, folder / "whole.nc", GetParam(), 10);
        EXPECT_TRUE(bytes_of(path) == bytes_of(folder / "whole.nc"));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// Records that one rank could not hold for all are written as single ones are, and shown together.
TEST(ManyRecordsLarge, AreWrittenByTheirRows) {
    constexpr std::int64_t wide = 20000;  // values of a row: a record of 8.08 MB
    Schema wide_schema;
    wide_schema.dimensions = {{"time", 0, true}, {"nFace", faces}, {"wide", wide}};
    wide_schema.variables = {{"time", Type::float64, {"time"}, {}},
                             {"value", Type::float32, {"time", "nFace", "wide"}, {}}};
    const Folder folder;
    const Part part(MPI_COMM_WORLD);
    const std::vector<double> times{1.0, 2.0};
    std::vector<float> values;
    for (const double time : times)
        for (const std::int64_t face : part.owned)
            values.insert(values.end(), wide, static_cast<float>(1000.0 * time + static_cast<double>(face)));
    for (const Format format : {Format::cdf5, Format::netcdf4}) {
        const std::string path = folder / std::string(name_of(format));
        File file = File::create(MPI_COMM_WORLD, path, wide_schema, {"auto", false, {}, {format, 0}});
        const Values given = distributed<float>("value", part.decomposition, values);
        file.append_records(times, {&given, 1});
        file.close();
        const Reader reader(path);
        ASSERT_EQ(reader.records(), 2);
        for (std::int64_t record = 0; record < 2; ++record) {
            const std::vector<float> all = reader.read_all<float>("value", record);
            for (std::int64_t face = 0; face < faces; ++face)
                ASSERT_EQ(all[static_cast<std::size_t>(face * wide + 17)],
                          static_cast<float>(1000 * (record + 1) + face));
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

}  // namespace
