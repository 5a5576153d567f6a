#include "groundswell/output/disk/disk.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/classic_header.hpp"
#include "groundswell/output/formats/space.hpp"
#include "support/output_dataset.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::output;

template <class Error, class F>
std::string message_of(F&& f) {
    try {
        f();
        return "nothing thrown";
    } catch (const Error& error) {
        return error.what();
    }
}

class OutputDisk : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputDisk, testing::ValuesIn(available_modes()),
                         [](const auto& each) { return each.param; });

// The offsets of the header are right when the bytes there are the values, big-endian.
TEST_P(OutputDisk, HeaderSaysWhereEachValueLies) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    dataset::write(MPI_COMM_SELF, path, GetParam(), 3);
    const ClassicHeader header = read_classic_header(path);
    EXPECT_EQ(header.records, 3);
    EXPECT_EQ(header.record_bytes, 8 + dataset::faces * 4 * (1 + dataset::bins));
    EXPECT_LE(header.fixed_end, header.record_begin);
    EXPECT_EQ(file_size(path), header.end_of_record(3));
    const std::string bytes = dataset::bytes_of(path);
    const std::int64_t at = header.find("hs")->begin + 2 * header.record_bytes + 17 * 4;
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) {
        word = word << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(at + i)]);
    }
    EXPECT_EQ(std::bit_cast<float>(word), dataset::hs(2, 17));
}

TEST_P(OutputDisk, RequiredBytesAreEnoughAndNotFarOff) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    dataset::write(MPI_COMM_SELF, path, GetParam(), 40);
    EXPECT_GE(required_bytes(dataset::schema(), 40), file_size(path));
    EXPECT_LE(required_bytes(dataset::schema(), 40), file_size(path) + 16384);
}

TEST(OutputHeader, RecordCountCanBeSetBack) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    dataset::write(MPI_COMM_SELF, path, "auto", 3);
    write_record_count(path, 2);
    EXPECT_EQ(read_record_count(path), 2);
    EXPECT_EQ(dataset::wrong_values(path, 2), 0);
}

TEST(OutputHeader, RefusesWhatIsNoWholeHeader) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    dataset::write(MPI_COMM_SELF, path, "auto", 1);
    std::filesystem::resize_file(path, 200);
    EXPECT_EQ(message_of<base::Refusal>([&] { read_classic_header(path); }),
              path + ": expected a whole CDF-5 header; this one is damaged");
    std::ofstream(path) << "something else";
    EXPECT_EQ(message_of<base::Refusal>([&] { read_classic_header(path); }),
              path + ": expected a netCDF file of a classic format (CDF-1, CDF-2 or CDF-5)");
    EXPECT_NE(message_of<base::Refusal>([&] { read_classic_header(folder / "none.nc"); }), "nothing thrown");
}

TEST(OutputVerify, FindsOneChangedByteAndAMissingEnd) {
    const dataset::Folder folder;
    const std::string path = folder / "bytes";
    std::vector<std::byte> bytes(3000001);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 % 251);
    const std::vector<Written> pieces{{0, static_cast<std::int64_t>(bytes.size()), 1, checksum(bytes)}};
    const auto save = [&] {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    save();
    EXPECT_NO_THROW(verify(path, pieces, "it"));
    bytes[2500000] ^= std::byte{1};
    save();
    EXPECT_NE(message_of<base::RunFailure>([&] { verify(path, pieces, "it"); }).find("differ"),
              std::string::npos);
    bytes[2500000] ^= std::byte{1};
    bytes.pop_back();
    save();
    EXPECT_NE(message_of<base::RunFailure>([&] { verify(path, pieces, "it"); }).find("ends at byte 3000000"),
              std::string::npos);
}

TEST(OutputSpace, RefusesMoreThanTheDiskHas) {
    EXPECT_NO_THROW(check_space("/tmp", 1));
    const std::string message = message_of<base::Refusal>([] { check_space("/tmp", std::int64_t{1} << 60); });
    EXPECT_EQ(message.find("/tmp: free space = "), 0u) << message;
    EXPECT_NE(message.find("expected at least 1073741824.0 GiB"), std::string::npos) << message;
}

/// For its lifetime nobody may make a file in a folder, this process neither: root, who may write everywhere, is
/// somebody else then.
class Closed {
public:
    explicit Closed(const std::string& folder) : folder_(folder) {
        using perms = std::filesystem::perms;
        std::filesystem::permissions(
            folder_, perms::owner_read | perms::owner_exec | perms::others_read | perms::others_exec);
        EXPECT_EQ(user_ == 0 ? ::seteuid(65534) : 0, 0);
    }
    ~Closed() {
        EXPECT_EQ(user_ == 0 ? ::seteuid(0) : 0, 0);
        std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    }

private:
    std::string folder_;
    uid_t user_ = ::geteuid();
};

TEST(OutputSpace, RefusesAFolderThatIsMissingOrNotWritable) {
    const dataset::Folder folder;
    EXPECT_EQ(
        message_of<base::Refusal>([&] { check_target(folder / "none/file.nc", false); }),
        (folder / "none/file.nc") + ": folder = " + (folder / "none") + ": expected a folder that exists");
    EXPECT_NO_THROW(check_target(folder / "file.nc", false));
    const Closed closed(folder.path());
    EXPECT_EQ(message_of<base::Refusal>([&] { check_target(folder / "file.nc", false); }),
              (folder / "file.nc") + ": folder = " + folder.path() +
                  ": expected a folder that can be written to: Permission denied");
}

// A folder that is closed between the question above and the making of the file: what libraries say to that is
// "access failure", or nothing.
TEST_P(OutputDisk, AFolderClosedInTheLastMomentIsNamedInTheWordsOfTheSystem) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    const auto backend = make_backend(GetParam(), {}, MPI_COMM_SELF, path, dataset::schema());
    const Closed closed(folder.path());
    EXPECT_EQ(message_of<base::RunFailure>([&] { backend->create({}); }),
              path + ".part: cannot create: Permission denied");
}

TEST(OutputModes, ThatDoNotExistAreRefusedByName) {
    EXPECT_EQ(resolve_mode("auto", "case.toml"), available_modes().front());
    EXPECT_EQ(resolve_mode("serial", "case.toml"), "serial");
    // Modes of a run's output, not of one file.
    const std::string servers = message_of<base::Refusal>([] { resolve_mode("servers", "case.toml"); });
    EXPECT_EQ(servers.find("case.toml: mode = servers: expected auto or "), 0u) << servers;
    EXPECT_NE(message_of<base::Refusal>([] { resolve_mode("fast", "case.toml"); }), "nothing thrown");
}

TEST(OutputHooks, RefuseWhatTheyDoNotUnderstand) {
    const dataset::Folder folder;
    for (const char* bad : {"read:EIO:1", "write:EWHAT:1", "write:EIO:0", "write:EIO", "write:EIO:1:x"}) {
        const dataset::Environment fail("GROUNDSWELL_TEST_FAIL", bad);
        EXPECT_THROW(dataset::write(MPI_COMM_SELF, folder / "file.nc", "auto", 1), base::Refusal) << bad;
    }
    const dataset::Environment disk("GROUNDSWELL_TEST_DISK", "40");
    EXPECT_THROW(dataset::write(MPI_COMM_SELF, folder / "file.nc", "auto", 1), base::Refusal);
}

// A file system of 64 kB: the run ends with the system's words, and what the file shows is whole.
TEST_P(OutputDisk, FullDiskIsAFailureThatKeepsTheCompleteRecords) {
    const dataset::Folder folder;
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
        GTEST_SKIP() << "mounting a small file system is not allowed here";
    }
    const std::string path = folder / "file.nc";
    std::int64_t written = 0;
    const std::string message = message_of<base::RunFailure>([&] {
        const dataset::Part part(MPI_COMM_SELF);
        File file = File::create(MPI_COMM_SELF, path, dataset::schema(), {GetParam(), false, {}});
        part.write_fixed(file);
        for (; written < 100; ++written) part.append(file, written);
    });
    EXPECT_GT(written, 5);
    EXPECT_EQ(message, path + ": no room for record " + std::to_string(written) +
                           " (2432 bytes): No space left on device");
    EXPECT_EQ(dataset::wrong_values(path, written), 0);
    ::umount2(folder.path().c_str(), MNT_DETACH);
}

}  // namespace
