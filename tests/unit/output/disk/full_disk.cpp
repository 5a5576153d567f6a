#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/writers/executor.hpp"
#include "support/output_dataset.hpp"

// A disk that fills up in the middle of a record, where the file system neither sets room aside nor tells how
// much is free; and which errors are worth waiting for.
namespace {

using namespace groundswell;
using namespace groundswell::output;

/// A small disk at `folder`, for this process alone, until the end of the object.
class SmallDisk {
public:
    /// `type`: tmpfs, or ext2 in a file, where a block is 1 KiB and none can be set aside.
    SmallDisk(const std::string& folder, const std::string& type) : folder_(folder) {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
            return;
        if (type == "tmpfs") {
            mounted_ = ::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
            return;
        }
        const dataset::Folder beside;
        const std::string image = beside / "image";
        std::ofstream(image).close();
        std::filesystem::resize_file(image, 128 << 10);
        const std::string command =
            fmt::format("mkfs.ext2 -q -F -b 1024 -m 0 {0} 2>/dev/null && mount -o loop {0} {1} 2>/dev/null",
                        image, folder);
        mounted_ = std::system(command.c_str()) == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    explicit operator bool() const { return mounted_; }

private:
    std::string folder_;
    bool mounted_ = false;
};

/// Somebody else's file, that takes all the room there is and gives it back in small pieces.
class Filler {
public:
    explicit Filler(const std::string& path)
        : path_(path), file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
        const std::array<char, 1024> block{};
        while (::write(file_, block.data(), block.size()) == static_cast<ssize_t>(block.size())) ++blocks_;
        ::fsync(file_);
    }
    ~Filler() { ::close(file_); }
    Filler(const Filler&) = delete;
    Filler& operator=(const Filler&) = delete;
    bool give_back_a_block() {
        if (blocks_ == 0) return false;
        std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(--blocks_ * 1024));
        return true;
    }

private:
    std::string path_;
    int file_;
    std::int64_t blocks_ = 0;
};

class OutputFullDisk : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputFullDisk, testing::ValuesIn(available_modes()),
                         [](const auto& each) { return each.param; });

TEST_P(OutputFullDisk, IsNeverSilentAndNeverShowsATornRecord) {
    const dataset::Folder folder;
    const SmallDisk disk(folder.path(), "tmpfs");
    if (!disk) GTEST_SKIP() << "a small file system cannot be mounted here: needs root";
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
}

/// Room comes back block by block, and after each the record is tried again, as on_error = retry does.
TEST_P(OutputFullDisk, ShowsARecordWhenItIsWholeAndHealsWhenThereIsRoom) {
    const dataset::Environment unknown("GROUNDSWELL_TEST_SPACE", "unknown");
    for (const std::string type : {"tmpfs", "ext2"}) {
        const dataset::Folder folder;
        const SmallDisk disk(folder.path(), type);
        if (!disk)
            GTEST_SKIP() << "a small file system cannot be mounted here: needs root, and a loop device";
        const std::string path = folder / "file.nc";
        const dataset::Part part(MPI_COMM_SELF);
        File file = File::create(MPI_COMM_SELF, path, dataset::schema(), {GetParam(), false, {}});
        part.write_fixed(file);
        std::int64_t written = 0;
        while (written < 3) part.append(file, written++);
        Filler filler(folder / "filler");
        int failures = 0;
        testing::internal::CaptureStderr();
        while (written < 8) {
            try {
                part.append(file, written);
                ++written;
            } catch (const base::RunFailure& failure) {
                ++failures;
                EXPECT_TRUE(may_pass(failure.what())) << failure.what();
                if (!filler.give_back_a_block()) break;
                file.forget_failure();
            }
            ASSERT_EQ(Reader(path).records(), written) << type << ", after " << failures << " failures";
            ASSERT_EQ(dataset::wrong_values(path, written), 0) << type;
        }
        file.close();
        const std::string said = testing::internal::GetCapturedStderr();
        // MPI libraries say what they like.
        EXPECT_TRUE(said.empty() || GetParam() == "direct") << type << ": " << said;
        EXPECT_EQ(written, 8) << type;
        EXPECT_GT(failures, 3) << type;
        EXPECT_EQ(dataset::wrong_values(path, written), 0) << type;
    }
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
