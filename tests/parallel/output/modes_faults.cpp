#include <gtest/gtest.h>
#include <mpi.h>

#include <filesystem>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "support/output_launch.hpp"

// A writer's fault ends, or does not end, the run on all ranks that compute, as the case says, and never
// hangs.
namespace {

using namespace groundswell;
using namespace dataset;

class OutputWaysFault : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputWaysFault, testing::ValuesIn(launch::ways()), launch::name_of);

/// How many write calls writer 0 makes for a fixed part, and for a record.
struct Calls {
    int fixed, record;
};
Calls calls_of(const launch::Way& way) {
    // As many pieces as ranks where one writes for all, else its own only.
    const bool alone = way.mode == "serial" || available_modes().size() == 1;
    const int writers = way.servers > 0 ? way.servers : launch::world_ranks();
    const int pieces = alone ? writers : 1;
    return {1 + 2 * pieces, 1 + 2 * pieces};
}

/// A fault at writer 0's last write call of record 2.
std::string fault(const launch::Way& way, const std::string& error) {
    const Calls calls = calls_of(way);
    return "write:" + error + ":" + std::to_string(calls.fixed + 3 * calls.record) + ":0";
}

/// Writes five records to each of two files, of which only the first one's writers count that far.
void write_two_files(MPI_Comm comm, Output& output, const std::string& first, const std::string& second) {
    const Part part(comm);
    Dataset long_one = output.create(first, schema());
    part.write_fixed(long_one);
    Dataset short_one = output.create(second, schema());
    part.write_fixed(short_one);
    for (std::int64_t record = 0; record < 5; ++record) {
        part.append(long_one, record);
        if (record < 2) part.append(short_one, record);
    }
}

TEST_P(OutputWaysFault, StopsAllRanksWithTheSystemsWords) {
    const Folder folder;
    const Environment environment("GROUNDSWELL_TEST_FAIL", fault(GetParam(), "EIO"));
    launch::run(
        GetParam(), {},
        [&](MPI_Comm comm, Output& output) {
            std::string message = "no error";
            try {
                write_two_files(comm, output, folder / "long.nc", folder / "short.nc");
                output.finish();
            } catch (const base::RunFailure& failure) {
                message = failure.what();
            }
            EXPECT_EQ(message.find((folder / "long.nc") + ": record 2, variable hs, rows "), 0u) << message;
            EXPECT_NE(message.find("Input/output error"), std::string::npos) << message;
            output.abandon();
        },
        nullptr, false);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(wrong_values(folder / "long.nc", 2), 0);
    EXPECT_EQ(wrong_values(folder / "short.nc", 2), 0);
}

TEST_P(OutputWaysFault, FinishThrowsWhatNoCallCouldAnyMore) {
    const Folder folder;
    const Environment environment("GROUNDSWELL_TEST_FAIL", fault(GetParam(), "silent"));
    launch::run(
        GetParam(), {},
        [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            const auto write = [&] {
                Dataset file = output.create(folder / "file.nc", schema());
                part.write_fixed(file);
                for (std::int64_t record = 0; record < 3; ++record) part.append(file, record);
                output.finish();
            };
            EXPECT_THROW(write(), base::RunFailure);
            output.abandon();
        },
        nullptr, false);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(wrong_values(folder / "file.nc", 2), 0);
}

TEST_P(OutputWaysFault, CostsOneFileWhereTheOthersShallGoOn) {
    for (const char* error : {"ENOSPC", "EIO", "EROFS", "silent", "short"}) {
        const Folder folder;
        const Environment environment("GROUNDSWELL_TEST_FAIL", fault(GetParam(), error));
        OutputOptions options;
        options.on_error = OnError::drop;
        testing::internal::CaptureStderr();
        launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
            write_two_files(comm, output, folder / "long.nc", folder / "short.nc");
            output.settle();
            const OutputReport report = output.report();
            ASSERT_EQ(report.given_up.size(), 1u) << error;
            EXPECT_NE(report.given_up[0].find("long.nc: record 2, variable hs, rows "), std::string::npos)
                << report.given_up[0];
            EXPECT_EQ(report.records, 4) << error;
            EXPECT_EQ(report.failure, "") << error;
        });
        testing::internal::GetCapturedStderr();
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(wrong_values(folder / "long.nc", 2), 0) << error;
        EXPECT_EQ(wrong_values(folder / "short.nc", 2), 0) << error;
    }
}

TEST_P(OutputWaysFault, ThatPassesIsWaitedFor) {
    for (const char* error : {"ENOSPC", "EDQUOT", "EIO", "silent", "short"}) {
        const Folder folder;
        const Environment environment("GROUNDSWELL_TEST_FAIL", fault(GetParam(), error));
        OutputOptions options;
        options.on_error = OnError::retry;
        options.first_pause = 0.02;
        testing::internal::CaptureStderr();
        launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
            write_two_files(comm, output, folder / "long.nc", folder / "short.nc");
        });
        testing::internal::GetCapturedStderr();
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(wrong_values(folder / "long.nc", 5), 0) << error;
        EXPECT_EQ(wrong_values(folder / "short.nc", 2), 0) << error;
    }
}

// The fault comes once: a repetition would succeed, and nothing would be thrown.
TEST_P(OutputWaysFault, ThatCannotPassIsNotTriedAgain) {
    const Folder folder;
    const Environment environment("GROUNDSWELL_TEST_FAIL", fault(GetParam(), "EROFS"));
    OutputOptions options;
    options.on_error = OnError::retry;
    options.first_pause = 0.02;
    launch::run(
        GetParam(), options,
        [&](MPI_Comm comm, Output& output) {
            const auto write = [&] {
                write_two_files(comm, output, folder / "long.nc", folder / "short.nc");
                output.finish();
            };
            EXPECT_THROW(write(), base::RunFailure);
            output.abandon();
        },
        nullptr, false);
}

// Nobody can be refused what a run that goes on for hours could write at its start.
TEST_P(OutputWaysFault, InAFolderThatHasGoneIsAFailureOfTheRun) {
    const Folder folder;
    launch::run(
        GetParam(), {},
        [&](MPI_Comm comm, Output& output) {
            const auto write = [&] {
                const Part part(comm);
                Dataset restart = output.replace(folder / "gone/restart.nc", schema());
                part.write_fixed(restart);
                output.finish();
            };
            EXPECT_THROW(write(), base::RunFailure);
            output.abandon();
        },
        nullptr, false);
}

TEST_P(OutputWaysFault, LeavesNoUnfinishedFileUnderItsName) {
    const Folder folder;
    const Calls calls = calls_of(GetParam());
    const Environment environment("GROUNDSWELL_TEST_FAIL", "write:EIO:" + std::to_string(calls.fixed) + ":0");
    OutputOptions options;
    options.on_error = OnError::drop;
    testing::internal::CaptureStderr();
    launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset restart = output.replace(folder / "restart.nc", schema());
        part.write_fixed(restart);
        restart.close({folder / "older.nc"});
    });
    testing::internal::GetCapturedStderr();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_FALSE(std::filesystem::exists(folder / "restart.nc"));
    EXPECT_FALSE(std::filesystem::exists(folder / "restart.nc.part"));
}

}  // namespace
