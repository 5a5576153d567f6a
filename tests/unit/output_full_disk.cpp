#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../parallel/output_dataset.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/output/executor.hpp"

// A disk that fills up in the middle of a record, where the file system neither sets room aside nor tells how
// much is free; and which errors are worth waiting for.
namespace {

using namespace groundswell;
using namespace groundswell::output;

class OutputFullDisk : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputFullDisk, testing::ValuesIn(available_modes()),
                         [](const auto& each) { return each.param; });

TEST_P(OutputFullDisk, IsNeverSilentAndNeverShowsATornRecord) {
    const dataset::Folder folder;
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
        GTEST_SKIP() << "a small file system cannot be mounted here (" << std::strerror(errno)
                     << "): needs root";
    }
    const dataset::Environment unknown("GROUNDSWELL_TEST_SPACE", "unknown");
    const std::string path = folder / "file.nc";
    std::string message = "nothing thrown";
    std::int64_t written = 0;
    try {
        const dataset::Part part(MPI_COMM_SELF);
        File file = File::create(MPI_COMM_SELF, path, dataset::schema(), {GetParam(), false, {}});
        part.write_fixed(file);
        for (; written < 100; ++written) part.append(file, written);
    } catch (const base::RunFailure& failure) {
        message = failure.what();
    }
    EXPECT_GT(written, 5);
    EXPECT_EQ(message.find(path + ": record " + std::to_string(written)), 0u) << message;
    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
    EXPECT_EQ(dataset::wrong_values(path, written), 0);
    ::umount2(folder.path().c_str(), MNT_DETACH);
}

TEST(OutputMayPass, WhatMayBeGoneLater) {
    for (const int error : {ENOSPC, EDQUOT, EIO})
        EXPECT_TRUE(may_pass(std::string("yagi.nc: record 3, variable hs, rows 0 to 9: cannot write: ") +
                             std::strerror(error)));
    EXPECT_TRUE(
        may_pass("yagi.nc: record 3 is not on the disk although the write reported success: the file ends at "
                 "byte 7; 9000 bytes are free there (is the disk full, or a quota used up?)"));
}

TEST(OutputMayPass, ButNotWhatSomebodyMustMend) {
    for (const int error : {EROFS, EACCES, ENOENT, EBADF, ESTALE})
        EXPECT_FALSE(
            may_pass(std::string("yagi.nc: record 3: cannot open the file: ") + std::strerror(error)));
}

}  // namespace
