#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/profile.hpp"
#include "support/output_launch.hpp"

// A disk that is slower than the model: what waits on a rank stays below the bound, and somebody says so.
namespace {

using namespace groundswell;
using namespace dataset;

std::vector<launch::Way> copying_ways() {
    std::vector<launch::Way> ways = launch::server_ways();
    ways.push_back({"thread", 0});
    return ways;
}

class OutputBuffer : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputBuffer, testing::ValuesIn(copying_ways()), launch::name_of);

std::int64_t record_bytes(const Part& part) {
    return static_cast<std::int64_t>(part.owned.size()) * 4 * (1 + bins);
}

TEST_P(OutputBuffer, NeverHoldsMoreThanItsBound) {
    const Folder folder;
    const Environment slow("GROUNDSWELL_TEST_DISK", "40kB/s");  // a record: 0.06 s
    OutputOptions options;
    options.buffer_bytes = 2 * 4 * faces * (1 + bins);
    launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset file = output.create(folder / "file.nc", schema());
        part.write_fixed(file);
        for (std::int64_t record = 0; record < 8; ++record) part.append(file, record);
        output.settle();
        const OutputReport report = output.report();
        EXPECT_LE(report.most_bytes, options.buffer_bytes);
        int ranks = 1;
        MPI_Comm_size(comm, &ranks);
        if (ranks > 1) return;  // a part of the rows only: all may fit
        EXPECT_GT(report.waits, 0);
        EXPECT_GT(report.waited_seconds, 0.05);
        EXPECT_GE(report.most_bytes, record_bytes(part));
    });
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(wrong_values(folder / "file.nc", 8), 0);
}

TEST_P(OutputBuffer, HasRoomForTwoRecordsOfAllFilesUnlessToldOtherwise) {
    const Folder folder;
    const Environment slow("GROUNDSWELL_TEST_DISK", "40kB/s");
    launch::run(GetParam(), {}, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        for (const char* name : {"a.nc", "b.nc"}) output.announce(folder / name, record_bytes(part));
        Dataset a = output.create(folder / "a.nc", schema()), b = output.create(folder / "b.nc", schema());
        part.write_fixed(a);
        part.write_fixed(b);
        output.settle();
        for (std::int64_t record = 0; record < 2; ++record) {
            part.append(a, record);
            part.append(b, record);
        }
        EXPECT_EQ(output.report().waits, 0);
        EXPECT_LE(output.report().most_bytes, std::max(output.report().buffer_bytes, record_bytes(part)));
    });
}

TEST_P(OutputBuffer, TooSmallForOneRecordIsRefused) {
    launch::run(GetParam(), {}, [&](MPI_Comm comm, Output&) {
        OutputOptions options;
        options.mode = GetParam().mode == "thread" ? "thread" : "auto";
        options.buffer_bytes = 1000;
        options.where = "case.toml";
        options.names.buffer = "run.room";
        Output output(comm, options);
        output.announce("small.nc", 1000);
        std::string message = "no error";
        try {
            output.announce("large.nc", 1001);
        } catch (const base::Refusal& refusal) {
            message = refusal.what();
        }
        EXPECT_NE(message.find("case.toml: run.room = 1000 bytes: expected at least 1001 bytes, one "
                               "record of large.nc"),
                  std::string::npos)
            << message;
        output.abandon();
    });
}

// 0.6 s of writing do not keep the model.
TEST_P(OutputBuffer, LetsTheModelGoOn) {
    const Folder folder;
    const Environment slow("GROUNDSWELL_TEST_DISK", "4kB/s");
    launch::run(
        GetParam(), {},
        [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(folder / "file.nc", schema());
            output.settle();
            const double before = output.report().blocked_seconds;
            part.append(file, 0);
            EXPECT_LT(output.report().blocked_seconds - before, 0.3);
            output.settle();
            EXPECT_GT(output.report().blocked_seconds - before, 0.5);
            output.abandon();  // without values that do not change: this file cannot be finished
        },
        nullptr, false);
}

TEST_P(OutputBuffer, SilenceOfAWriterIsReportedWithItsName) {
    const Folder folder;
    const Environment slow("GROUNDSWELL_TEST_DISK", "4kB/s");  // a record: 0.6 s
    OutputOptions options;
    options.silence = 0.1;
    testing::internal::CaptureStderr();
    const bool computes = launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset file = output.create(folder / "file.nc", schema());
        part.write_fixed(file);
        part.append(file, 0);
    });
    const std::string said = testing::internal::GetCapturedStderr();
    const std::string who =
        GetParam().servers > 0 ? "the output server, rank " : "the writer thread of rank ";
    if (computes && !said.empty()) {
        EXPECT_NE(said.find("output: " + who), std::string::npos) << said;
        EXPECT_NE(said.find("has not answered for"), std::string::npos) << said;
        // What does not change comes first, and may already take longer than the silence that is borne.
        EXPECT_TRUE(said.find("; it was writing the record of time 0 to file.nc") != std::string::npos ||
                    said.find("; it was writing file.nc") != std::string::npos)
            << said;
    }
    int speakers = computes && !said.empty() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &speakers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_GT(speakers, 0);
    // Of a server one client speaks; threads speak each for itself.
    EXPECT_LE(speakers, GetParam().servers > 0 ? GetParam().servers : speakers);
}

TEST(OutputServers, SleepWhileTheyHaveNothingToDo) {
    if (launch::world_ranks() == 1) GTEST_SKIP() << "needs more ranks";
    const Folder folder;
    ServerReport report;
    const bool computes = launch::run(
        {"servers", 1}, {},
        [&](MPI_Comm comm, Output& output) {
            const Part part(comm);
            Dataset file = output.create(folder / "file.nc", schema());
            part.write_fixed(file);
            std::this_thread::sleep_for(std::chrono::milliseconds(1500));
            part.append(file, 0);
        },
        &report);
    if (computes) return;
    EXPECT_GT(report.idle_seconds, 1.4);
    // One that asks again and again takes all of it.
    EXPECT_LT(report.idle_cpu_seconds, 0.2 * report.idle_seconds);
}

}  // namespace
