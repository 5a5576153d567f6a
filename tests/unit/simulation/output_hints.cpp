#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "groundswell/output/disk/file_system_advice.hpp"
#include "groundswell/simulation/case_file.hpp"

// What `doctor` advises is pasted into a case file: it must be read there.
namespace groundswell::simulation {
namespace {

using namespace output;

const std::vector<std::string> types{"lustre", "gpfs",   "beegfs", "ceph",      "nfs",   "cifs",
                                     "tmpfs",  "ext4",   "xfs",    "zfs",       "panfs", "fuse.sshfs",
                                     "9p",     "wekafs", "btrfs",  "overlayfs", "fuse",  "type 0x12345678"};

FileSystem some(const std::string& type, std::int64_t block_bytes = 4096) {
    FileSystem result;
    result.folder = "/scratch/me/run";
    result.type = type;
    result.kind = file_system_class(type);
    result.block_bytes = block_bytes;
    return result;
}

TEST(Advice, HintsAreOnesThatTheCaseFileTakes) {
    const std::set<std::string> known{"striping_factor", "striping_unit", "nc_var_align_size",
                                      "nc_record_align_size"};
    int offered = 0;
    for (const std::string& type : types) {
        const Advice advice = advise(some(type, 1 << 22), 4);
        const std::string file = testing::TempDir() + "/groundswell-hints.toml";
        std::ofstream(file) << case_file_lines(advice);
        const CaseReader reader(file, {});
        const auto table = reader.root().section("output").free_table("hints", {"hints"});
        EXPECT_EQ(table.size(), advice.hints.size());
        for (const Hint& each : advice.hints) {
            ++offered;
            EXPECT_TRUE(known.contains(each.key)) << each.key;
            EXPECT_EQ(table.at(each.key), each.value);
            EXPECT_FALSE(each.why.empty());
        }
    }
    EXPECT_EQ(offered, 4);
}

}  // namespace
}  // namespace groundswell::simulation
