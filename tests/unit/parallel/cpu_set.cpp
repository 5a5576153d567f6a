#include "groundswell/parallel/machine/cpu_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "support/findings.hpp"

namespace groundswell::parallel {
namespace {

TEST(CpuSet, IsWrittenAsTheSystemWritesIt) {
    EXPECT_EQ(to_text({}), "");
    EXPECT_EQ(to_text({3}), "3");
    EXPECT_EQ(to_text({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
}

TEST(CpuSet, AThreadRunsWhereItIsPutAndItsParentStays) {
    const CpuSet before = allowed_cpus();
    ASSERT_FALSE(before.empty());
    EXPECT_TRUE(std::ranges::includes(machine_cpus(), before));
    CpuSet inside;
    std::thread([&] {
        run_on({before.back()});
        inside = allowed_cpus();
    }).join();
    EXPECT_EQ(inside, CpuSet{before.back()});
    EXPECT_EQ(allowed_cpus(), before);
}

TEST(CpuSet, ACpuThatIsNotThereIsRefusedByNumber) {
    try {
        run_on({8000});
        FAIL();
    } catch (const base::Refusal& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("8000"), std::string::npos) << refusal.what();
    }
}

// Each rank has a CPU of its own set, no two the same, and keeps one for each thread that computes.
void expect_room(const std::vector<RankCpus>& ranks) {
    const std::vector<int> spare = spare_cpus(ranks);
    CpuSet taken = spare;
    std::ranges::sort(taken);
    EXPECT_EQ(std::ranges::adjacent_find(taken), taken.end());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        EXPECT_TRUE(std::ranges::binary_search(ranks[r].allowed, spare[r])) << "rank " << r;
        EXPECT_GE(difference(ranks[r].allowed, taken).size(), static_cast<std::size_t>(ranks[r].threads))
            << "rank " << r;
    }
}

TEST(SpareCpus, RanksThatAreBoundEachHaveOne) {
    expect_room({{range(0, 1), 1}, {range(2, 3), 1}, {range(4, 5), 1}});
    expect_room({{range(0, 7), 7}, {range(8, 15), 7}});
}

TEST(SpareCpus, RanksThatShareAllCoresEachHaveOne) {
    expect_room({{range(0, 7), 3}, {range(0, 7), 3}});
    expect_room({{range(0, 15), 1}, {range(0, 15), 2}, {range(0, 15), 3}, {range(0, 15), 1}});
}

TEST(SpareCpus, ARankInsideAnothersCoresKeepsItsRoom) {
    expect_room({{range(0, 3), 1}, {range(2, 3), 1}});
    expect_room({{range(2, 3), 1}, {range(0, 3), 1}});
}

TEST(SpareCpus, WhereThreadsFillTheCoresThereIsNone) {
    const std::vector<int> none{-1, -1};
    EXPECT_EQ(spare_cpus(std::vector<RankCpus>{{range(0, 1), 1}, {range(0, 1), 1}}), none);
    EXPECT_EQ(spare_cpus(std::vector<RankCpus>{{{0}, 1}, {{1}, 1}}), none);
    EXPECT_EQ(spare_cpus(std::vector<RankCpus>{{range(0, 6), 3}, {range(0, 6), 3}}), none);
    // One crowded rank does not take its neighbour's.
    EXPECT_EQ(spare_cpus(std::vector<RankCpus>{{{0}, 1}, {range(1, 2), 1}}), (std::vector<int>{-1, 2}));
}

}  // namespace
}  // namespace groundswell::parallel
