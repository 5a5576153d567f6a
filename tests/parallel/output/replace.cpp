#include <dirent.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <mutex>
#include <set>

#include "groundswell/base/errors.hpp"
#include "support/output_launch.hpp"

// Files that appear under their names when they are whole, as restarts do, and what they count on.
namespace {

using namespace groundswell;
using namespace dataset;

/// Where an open file of this process lies.
std::string path_of(int file) {
    std::array<char, 4096> path{};
    const auto length =
        ::readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path.data(), path.size() - 1);
    return {path.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

/// What was flushed while a file did not have its name yet.
struct Watch {
    std::mutex mutex;
    std::string until;
    std::set<std::string> flushed;

    void note(int file) {
        const std::lock_guard lock(mutex);
        if (!until.empty() && !std::filesystem::exists(until)) flushed.insert(path_of(file));
    }
    void begin(const std::string& path) {
        const std::lock_guard lock(mutex);
        until = path;
        flushed.clear();
    }
    bool has(const std::string& path) {
        const std::lock_guard lock(mutex);
        return flushed.count(path) > 0;
    }
} watch;

}  // namespace

// In place of the C library's, for this program.
extern "C" int fsync(int file) {
    watch.note(file);
    return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace {

class OutputReplace : public launch::OutputWays {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputReplace, testing::ValuesIn(launch::ways()), launch::name_of);

void write_restart(const Part& part, Output& output, const std::string& path,
                   const std::vector<std::string>& older = {}, int keep = 0) {
    Dataset restart = output.replace(path, schema());
    part.write_fixed(restart);
    restart.close(older, keep);
}

TEST_P(OutputReplace, GivesANameWhenTheRecordsBeforeAreOnTheDevice) {
    const Folder folder;
    watch.begin(folder / "restart.nc");
    launch::run(GetParam(), {}, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        Dataset records = output.create(folder / "records.nc", schema());
        part.write_fixed(records);
        part.append(records, 0);
        write_restart(part, output, folder / "restart.nc");
        output.settle();
        part.append(records, 1);
    });
    for (const char* name : {"records.nc", "restart.nc.part"}) {
        int flushed = watch.has(folder / name) ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &flushed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        EXPECT_EQ(flushed, 1) << name;
    }
    watch.begin("");
    EXPECT_EQ(wrong_values(folder / "records.nc", 2), 0);
}

TEST_P(OutputReplace, KeepsTheNewestOfThoseThatWereWritten) {
    const Folder folder;
    OutputOptions options;
    options.on_error = OnError::drop;
    testing::internal::CaptureStderr();
    launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        const Part part(comm);
        const auto there = [&](const char* name) { return std::filesystem::exists(folder / name); };
        std::filesystem::create_directory(folder / "2.nc.part");  // the second cannot be written
        MPI_Barrier(comm);
        write_restart(part, output, folder / "1.nc", {}, 1);
        write_restart(part, output, folder / "2.nc", {folder / "1.nc"}, 1);
        write_restart(part, output, folder / "3.nc", {folder / "1.nc", folder / "2.nc"}, 1);
        output.settle();
        MPI_Barrier(comm);
        EXPECT_TRUE(there("1.nc") && !there("2.nc") && there("3.nc"));
        EXPECT_EQ(output.report().newest, folder / "3.nc");
        MPI_Barrier(comm);
        write_restart(part, output, folder / "4.nc", {folder / "1.nc", folder / "2.nc", folder / "3.nc"}, 1);
        output.settle();
        EXPECT_TRUE(!there("1.nc") && there("3.nc") && there("4.nc"));
    });
    testing::internal::GetCapturedStderr();
}

/// Bytes on the disk of files below `folder` that this process has open and that have no name any more.
std::int64_t nameless_bytes(const std::string& folder) {
    std::int64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int file = std::stoi(entry.path().filename());
        struct stat status {};
        if (path_of(file).starts_with(folder) && ::fstat(file, &status) == 0 && status.st_nlink == 0)
            bytes += 512 * status.st_blocks;
    }
    return bytes;
}

// Room that a file has which was given up would be missing to all others until the end of the run.
TEST_P(OutputReplace, GivesTheRoomOfALostFileBack) {
    const Folder folder;
    const Environment environment("GROUNDSWELL_TEST_FAIL", "write:EIO:2:0");
    OutputOptions options;
    options.on_error = OnError::drop;
    testing::internal::CaptureStderr();
    launch::run(GetParam(), options, [&](MPI_Comm comm, Output& output) {
        write_restart(Part(comm), output, folder / "restart.nc");
        output.settle();
        EXPECT_EQ(output.report().given_up.size(), 1u);
    });
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(nameless_bytes(folder.path()), 0);
}

TEST(OutputServers, OweAnotherOutputNothingOfTheFirstOnesFailure) {
    if (launch::world_ranks() < 2) GTEST_SKIP() << "needs a server";
    const Folder folder;
    const Roles roles = split_roles(MPI_COMM_WORLD, 1);
    if (roles.serves) {
        serve(roles);
    } else {
        const MPI_Comm comm = roles.compute.get();
        OutputOptions options;
        options.mode = "servers";
        {
            Output output(comm, options, &roles);
            const auto write = [&] {
                output.create(folder / "gone/file.nc", schema());
                output.finish();
            };
            EXPECT_THROW(write(), base::Refusal);
        }
        {
            Output output(comm, options, &roles);
            const Part part(comm);
            Dataset file = output.create(folder / "file.nc", schema());
            part.write_fixed(file);
            part.append(file, 0);
            output.finish();
        }
        release_servers(roles);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(wrong_values(folder / "file.nc", 1), 0);
}

}  // namespace
