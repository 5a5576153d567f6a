#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "support/output_dataset.hpp"

// A fault on one rank ends the record on all, without a hang, and the file stays as it was before.
namespace {

using namespace groundswell;
using namespace dataset;

class OutputFault : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputFault, testing::ValuesIn(available_modes()),
                         [](const auto& each) { return each.param; });

int last_writer(const std::string& mode) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return mode == "direct" ? ranks - 1 : 0;
}

/// Write calls of the last writer for the fixed part and for one record, counted on a file without faults:
/// the call at which the fault shall come follows from them.
struct Calls {
    int fixed, record;
};
Calls calls_of(const std::string& mode) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool root = last_writer(mode) == 0;
    const int pieces = mode == "direct" ? 1 : ranks;  // each rank's block is one piece
    return {(root ? 1 : 0) + 2 * pieces, (root ? 1 : 0) + 2 * pieces};
}

/// Writes with a fault inside record 2 at its last write call, and returns the message.
std::string message_of_fault(const std::string& path, const std::string& mode, const std::string& error) {
    const Calls calls = calls_of(mode);
    const Environment fault("GROUNDSWELL_TEST_FAIL", "write:" + error + ":" +
                                                         std::to_string(calls.fixed + 3 * calls.record) +
                                                         ":" + std::to_string(last_writer(mode)));
    const Part part(MPI_COMM_WORLD);
    File file = File::create(MPI_COMM_WORLD, path, schema(), {mode, false, {}});
    part.write_fixed(file);
    part.append(file, 0);
    part.append(file, 1);
    std::string message = "no failure";
    try {
        part.append(file, 2);
    } catch (const base::RunFailure& failure) {
        message = failure.what();
    }
    EXPECT_EQ(file.records(), 2);
    EXPECT_THROW(part.append(file, 2), base::RunFailure);
    EXPECT_THROW(file.close(), base::RunFailure);
    return message;
}

TEST_P(OutputFault, OnOneRankIsAFailureOnAllAndTheTornRecordStaysHidden) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    const std::string message = message_of_fault(path, GetParam(), "EIO");
    EXPECT_EQ(message.find(path + ": record 2, variable hs, rows "), 0u) << message;
    EXPECT_NE(message.find("cannot write: Input/output error"), std::string::npos) << message;
    EXPECT_EQ(wrong_values(path, 2), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFault, ThatNobodyReportsIsFoundByReadingBack) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    const std::string message = message_of_fault(path, GetParam(), "silent");
    EXPECT_EQ(message.find(path + ": record 2, variable hs, rows "), 0u) << message;
    EXPECT_NE(message.find(" is not on the disk although the write reported success"), std::string::npos)
        << message;
    EXPECT_EQ(wrong_values(path, 2), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Half of the rows reach the disk: those of the other half are named with it.
TEST_P(OutputFault, ThatWritesHalfIsFoundByReadingBack) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    const std::string message = message_of_fault(path, GetParam(), "short");
    EXPECT_EQ(message.find(path + ": record 2, variable hs, rows "), 0u) << message;
    EXPECT_NE(message.find(" is not on the disk although the write reported success"), std::string::npos)
        << message;
    EXPECT_EQ(wrong_values(path, 2), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFault, LeavesAFileThatCanBeContinued) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    message_of_fault(path, GetParam(), "ENOSPC");
    write(MPI_COMM_WORLD, folder / "whole.nc", GetParam(), 4);
    const Part part(MPI_COMM_WORLD);
    File file = File::reopen(MPI_COMM_WORLD, path, schema(), 1e9, {GetParam(), false, {}});
    EXPECT_EQ(file.records(), 2);
    part.append(file, 2);
    part.append(file, 3);
    file.close();
    EXPECT_TRUE(bytes_of(path) == bytes_of(folder / "whole.nc"));
    MPI_Barrier(MPI_COMM_WORLD);
}

// 40 kB/s shared by all writers: a record of 101 × 6 floats takes at least 0.06 s.
TEST_P(OutputFault, SlowDiskIsSharedByAllWriters) {
    const Folder folder;
    const Part part(MPI_COMM_WORLD);
    const Environment slow("GROUNDSWELL_TEST_DISK", "40kB/s");
    File file = File::create(MPI_COMM_WORLD, folder / "file.nc", schema(), {GetParam(), false, {}});
    part.write_fixed(file);
    const double before = file.seconds();
    part.append(file, 0);
    const double bytes = faces * (1 + bins) * 4 + 8;
    EXPECT_GE(file.seconds() - before, 0.95 * bytes / 40e3);
    file.close();
}

}  // namespace
