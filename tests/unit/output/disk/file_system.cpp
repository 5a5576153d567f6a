#include "groundswell/output/disk/file_system.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/file_system_advice.hpp"
#include "groundswell/output/disk/folder_probe.hpp"

// What a machine tells of the file system of a folder, and what is advised on it. The tables are those of no
// machine at hand; one test looks at a file system that every Linux has.
namespace {

using namespace groundswell;
using namespace groundswell::output;

// A login node of a cluster: a Lustre and a GPFS, homes by NFS with a blank in a name, a disk, and in a
// folder of it a second mount that hides the first.
constexpr const char* cluster = R"(22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
25 22 0:23 / /dev/shm rw,nosuid,nodev shared:4 - tmpfs tmpfs rw,size=131072000k
40 22 0:50 / /scratch rw,relatime shared:20 master:3 - lustre 10.0.0.1@o2ib:10.0.0.2@o2ib:/scratch rw,flock,lazystatfs
41 22 0:51 / /gpfs/scratch rw,relatime - gpfs scratch rw
42 22 0:52 / /home\040of\040all rw,relatime - nfs4 server:/home rw,vers=4.2,hard,local_lock=none
43 22 0:53 / /old rw - nfs nas:/old rw,vers=3,nolock,local_lock=all
44 22 8:17 / /data rw - xfs /dev/sdb1 rw
45 44 8:33 / /data/in rw - ext4 /dev/sdc1 rw
46 45 0:60 / /data/in rw - tmpfs cover rw
47 22 0:61 / /far rw - fuse.sshfs me@there:/ rw,user_id=0
a line of another kind
48 22 0:62 / /short rw - ext4
)";

std::string place_of(const std::string& path) {
    const std::vector<Mount> mounts = parse_mounts(cluster);
    const Mount* mount = mount_of(mounts, path);
    return mount == nullptr ? "" : mount->type + " " + mount->source;
}

TEST(FileSystem, IsThatOfTheInnermostMountThatIsNotHidden) {
    EXPECT_EQ(place_of("/scratch/me/run"), "lustre 10.0.0.1@o2ib:10.0.0.2@o2ib:/scratch");
    EXPECT_EQ(place_of("/scratch"), "lustre 10.0.0.1@o2ib:10.0.0.2@o2ib:/scratch");
    EXPECT_EQ(place_of("/scratchy"), "ext4 /dev/sda2");
    EXPECT_EQ(place_of("/gpfs"), "ext4 /dev/sda2");
    EXPECT_EQ(place_of("/gpfs/scratch/a"), "gpfs scratch");
    EXPECT_EQ(place_of("/data/here"), "xfs /dev/sdb1");
    EXPECT_EQ(place_of("/data/in/there"), "tmpfs cover");
    EXPECT_EQ(place_of("/home of all/me"), "nfs4 server:/home");
    EXPECT_EQ(place_of("/"), "ext4 /dev/sda2");
    EXPECT_EQ(mount_of({}, "/"), nullptr);
}

TEST(FileSystem, MountsHaveTheirOptionsFromBothSides) {
    const std::vector<Mount> mounts = parse_mounts(cluster);
    ASSERT_EQ(mounts.size(), 10U);  // what is no mount, or half of one, is left out
    const Mount& old = *mount_of(mounts, "/old/me");
    EXPECT_TRUE(has_option(old, "nolock") && has_option(old, "local_lock=all") && has_option(old, "rw"));
    EXPECT_FALSE(has_option(old, "lock") || has_option(old, "local_lock=none"));
    EXPECT_TRUE(has_option(*mount_of(mounts, "/home of all"), "local_lock=none"));
    EXPECT_TRUE(has_option(*mount_of(mounts, "/dev/shm"), "nosuid"));
}

TEST(FileSystem, IsNamedByItsNumberOrElseByItsMount) {
    EXPECT_EQ(file_system_type(0x0BD00BD0, "lustre"), "lustre");
    EXPECT_EQ(file_system_type(0x47504653, "gpfs"), "gpfs");
    EXPECT_EQ(file_system_type(0x19830326, "beegfs"), "beegfs");
    EXPECT_EQ(file_system_type(0x01021994, ""), "tmpfs");
    EXPECT_EQ(file_system_type(0x794C7630, "overlay"), "overlayfs");
    EXPECT_EQ(file_system_type(0x00006969, "nfs4"), "nfs");
    EXPECT_EQ(file_system_type(0x0000EF53, "ext3"), "ext3");
    EXPECT_EQ(file_system_type(0x0000EF53, ""), "ext4");
    EXPECT_EQ(file_system_type(0x65735546, "fuse.sshfs"), "fuse.sshfs");
    EXPECT_EQ(file_system_type(0x65735546, "virtiofs"), "virtiofs");
    EXPECT_EQ(file_system_type(0x65735546, ""), "fuse");
    EXPECT_EQ(file_system_type(0x12345678, "wekafs"), "wekafs");
    EXPECT_EQ(file_system_type(0x12345678, ""), "type 0x12345678");
}

TEST(FileSystem, HasTheClassThatMattersToOutput) {
    for (const char* type : {"ext4", "ext2", "xfs", "btrfs", "zfs"})
        EXPECT_EQ(file_system_class(type), FileSystemClass::local) << type;
    for (const char* type : {"lustre", "gpfs", "beegfs", "ceph", "wekafs"})
        EXPECT_EQ(file_system_class(type), FileSystemClass::parallel) << type;
    for (const char* type : {"nfs", "cifs", "fuse.sshfs"})
        EXPECT_EQ(file_system_class(type), FileSystemClass::network) << type;
    EXPECT_EQ(file_system_class("tmpfs"), FileSystemClass::memory);
    EXPECT_EQ(file_system_class("overlayfs"), FileSystemClass::layered);
    EXPECT_EQ(file_system_class("type 0x12345678"), FileSystemClass::unknown);
}

TEST(FileSystem, OfSharedMemoryIsTmpfs) {
    const FileSystem found = find_file_system("/dev/shm");
    EXPECT_EQ(found.type, "tmpfs");
    EXPECT_EQ(found.kind, FileSystemClass::memory);
    EXPECT_EQ(found.mount.point, "/dev/shm");
    EXPECT_EQ(found.mount.type, "tmpfs");
    EXPECT_TRUE(found.total_bytes >= found.free_bytes && found.free_bytes >= 0 && found.block_bytes >= 512);
}

TEST(FileSystem, OfAFolderYetToBeMadeIsItsParents) {
    EXPECT_EQ(find_file_system("/dev/shm/output").folder, "/dev/shm");
    EXPECT_EQ(find_file_system("/dev/shm/output/").folder, "/dev/shm");
    EXPECT_EQ(find_file_system(".").folder, std::filesystem::current_path().string());
    EXPECT_EQ(find_file_system("output-yet-to-be-made").folder, std::filesystem::current_path().string());
    EXPECT_THROW(find_file_system("/dev/shm/no-such/output"), base::Refusal);
    EXPECT_THROW(find_file_system("/dev/null"), base::Refusal);
}

TEST(FileSystem, IsTriedAndLeftAsItWas) {
    std::string folder = "/dev/shm/groundswell-probe-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    const FolderAbilities able = probe_folder(folder);
    EXPECT_EQ(able.trouble, "");
    EXPECT_TRUE(able.reserves && able.flock && able.record_locks);  // all of them on tmpfs
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove(folder);
    EXPECT_EQ(probe_folder(folder).trouble, "No such file or directory");
}

// ---------------------------------------------------------------------------------------------------- advice

FileSystem some(const std::string& type, std::int64_t block_bytes = 4096) {
    FileSystem result;
    result.folder = "/scratch/me/run";
    result.type = type;
    result.kind = file_system_class(type);
    result.block_bytes = block_bytes;
    return result;
}

const std::vector<std::string> types{"lustre", "gpfs",   "beegfs", "ceph",      "nfs",   "cifs",
                                     "tmpfs",  "ext4",   "xfs",    "zfs",       "panfs", "fuse.sshfs",
                                     "9p",     "wekafs", "btrfs",  "overlayfs", "fuse",  "type 0x12345678"};

std::string hint(const Advice& advice, const std::string& key) {
    for (const Hint& each : advice.hints)
        if (each.key == key) return each.value;
    return "";
}

TEST(Advice, EveryFileSystemHasSome) {
    for (const std::string& type : types)
        for (const int hosts : {1, 16}) {
            const Advice advice = advise(some(type), hosts);
            EXPECT_FALSE(advice.notes.empty()) << type;
            for (const std::string& note : advice.notes) EXPECT_GT(note.size(), 20U) << type;
        }
}

TEST(Advice, LustreSpreadsAFileOverMoreTargetsForMoreHosts) {
    EXPECT_EQ(hint(advise(some("lustre"), 1), "striping_factor"), "4");
    EXPECT_EQ(hint(advise(some("lustre"), 2), "striping_factor"), "8");
    EXPECT_EQ(hint(advise(some("lustre"), 2), "striping_unit"), "4194304");
    EXPECT_NE(advise(some("lustre"), 2).notes[0].find("lfs setstripe -c 8 -S 4M /scratch/me/run "),
              std::string::npos);
}

TEST(Advice, AlignsToTheBlocksOfSpectrumScaleIfTheyAreSane) {
    EXPECT_EQ(hint(advise(some("gpfs", 16 << 20), 2), "nc_var_align_size"), "16777216");
    EXPECT_EQ(hint(advise(some("gpfs", 16 << 20), 2), "nc_record_align_size"), "16777216");
    EXPECT_TRUE(advise(some("gpfs", 4096), 2).hints.empty());
    EXPECT_TRUE(advise(some("gpfs", (16 << 20) + 512), 2).hints.empty());
}

TEST(Advice, OneWriterOnAServerThatManyHostsShare) {
    EXPECT_NE(advise(some("nfs"), 2).notes[0].find("servers = 1"), std::string::npos);
    EXPECT_NE(advise(some("nfs"), 2).notes[0].find("lock"), std::string::npos);
    EXPECT_EQ(advise(some("nfs"), 1).notes[0].find("lock the file"), std::string::npos);
}

TEST(Advice, NoHintsWhereTheyGainNothing) {
    for (const char* type : {"ext4", "xfs", "btrfs", "tmpfs", "overlayfs"}) {
        EXPECT_TRUE(advise(some(type), 1).hints.empty()) << type;
        EXPECT_EQ(case_file_lines(advise(some(type), 1)), "") << type;
    }
}

}  // namespace
