#include "groundswell/parallel/machine/container.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace groundswell::parallel {
namespace {

// A folder with the files of control groups.
class ControlGroups : public testing::Test {
protected:
    std::filesystem::path root =
        std::filesystem::temp_directory_path() / ("groups-" + std::to_string(::getpid()));

    void write(const std::string& file, const std::string& text) {
        std::filesystem::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }
    void TearDown() override { std::filesystem::remove_all(root); }
};

TEST_F(ControlGroups, OfVersionTwoLimitTheTightest) {
    write("slice/job/cpu.max", "max 100000\n");
    write("slice/cpu.max", "150000 100000\n");
    write("cpu.max", "400000 100000\n");
    write("slice/job/cpu.stat", "usage_usec 9\nthrottled_usec 2500000\n");
    const CpuQuota quota = read_quota("0::/slice/job\n", root.string());
    EXPECT_DOUBLE_EQ(quota.cores, 1.5);
    EXPECT_DOUBLE_EQ(quota.throttled_seconds, 2.5);
    EXPECT_NE(quota.group, 0U);
    EXPECT_EQ(quota.group, read_quota("0::/slice\n", root.string()).group) << "whose limit it is";
    EXPECT_NE(quota.group, read_quota("0::/\n", root.string()).group);
}

TEST_F(ControlGroups, OfVersionOneAreUnderstood) {
    write("cpu,cpuacct/docker/a/cpu.cfs_quota_us", "50000\n");
    write("cpu,cpuacct/docker/a/cpu.cfs_period_us", "100000\n");
    write("cpu,cpuacct/docker/a/cpu.stat", "nr_throttled 3\nthrottled_time 1000000000\n");
    const CpuQuota quota =
        read_quota("5:memory:/x\n4:cpu,cpuacct:/docker/a\n3:cpuset:/\n0::/\n", root.string());
    EXPECT_DOUBLE_EQ(quota.cores, 0.5);
    EXPECT_DOUBLE_EQ(quota.throttled_seconds, 1.0);
}

TEST_F(ControlGroups, WithoutLimitSayNothing) {
    write("cpu/cpu.cfs_quota_us", "-1\n");
    write("cpu/cpu.cfs_period_us", "100000\n");
    for (const char* membership : {"", "1:cpu:/\n0::/\n", "nonsense\n"})
        EXPECT_EQ(read_quota(membership, root.string()).cores, 0.0) << membership;
    EXPECT_EQ(read_quota("1:cpu:/\n", root.string()).group, 0U);
}

TEST_F(ControlGroups, LimitMemoryByTheLowestAndByWhatIsUsed) {
    write("slice/job/memory.max", "max\n");
    write("slice/memory.max", "8000000000\n");
    write("slice/memory.current", "5000000000\n");
    write("slice/memory.stat", "anon 3000000000\ninactive_file 1500000000\n");
    write("memory.max", "9000000000\n");
    write("memory.current", "8500000000\n");
    const MemoryQuota quota = read_memory_quota("0::/slice/job\n", root.string());
    EXPECT_EQ(quota.bytes, 8'000'000'000);
    EXPECT_EQ(quota.free, 500'000'000) << "of the outer group, which has the higher limit";
    std::filesystem::remove(root / "memory.max");
    EXPECT_EQ(read_memory_quota("0::/slice/job\n", root.string()).free, 4'500'000'000);
    EXPECT_EQ(read_memory_quota("0::/\n", root.string()).bytes, MemoryQuota::none);
}

TEST_F(ControlGroups, LimitMemoryInVersionOne) {
    write("memory/slurm/job/memory.limit_in_bytes", "2000000000\n");
    write("memory/slurm/job/memory.usage_in_bytes", "2500000000\n");
    write("memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
    const MemoryQuota quota = read_memory_quota("7:memory:/slurm/job\n4:cpu:/\n", root.string());
    EXPECT_EQ(quota.bytes, 2'000'000'000);
    EXPECT_EQ(quota.free, 0);
    EXPECT_EQ(read_memory_quota("7:memory:/\n", root.string()).free, MemoryQuota::none);
}

}  // namespace
}  // namespace groundswell::parallel
