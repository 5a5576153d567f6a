#include "groundswell/parallel/cores/kept_cores.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "support/findings.hpp"

// Which cores a rank keeps free of computing threads, on machines of any shape.
namespace groundswell::parallel {
namespace {

Machine shaped(const std::string& shape) {
    return machine_of_shape(shape, "test", "shape");
}

std::string refusal(const std::vector<std::string>& words, bool is_list) {
    try {
        read_free_cores(words, is_list, "case.toml:7", "run.free_cores");
    } catch (const base::Refusal& refused) {
        return refused.what();
    }
    return "";
}

TEST(FreeCores, AreReadAsTheyStandInACaseFile) {
    EXPECT_TRUE(read_free_cores({"auto"}, false, "", "").is_automatic());
    EXPECT_EQ(read_free_cores({"2"}, false, "", "").count, 2);
    const FreeCores lists = read_free_cores({"6-7", "14,15"}, true, "", "");
    EXPECT_EQ(lists.lists, (std::vector<CpuSet>{{6, 7}, {14, 15}}));
    EXPECT_EQ(lists.text, "[6-7, 14,15]");
    for (const char* word : {"-1", "0.5", "all", "0-1"})
        expect_words(refusal({word}, false), {"case.toml:7: run.free_cores = ", word, "expected", "auto"});
    for (const char* word : {"", "1-", "-3", "0xf", "1;2", "1,,2", "1,", "7-3", "3-999999999999"})
        expect_words(refusal({"3", word}, true),
                     {"run.free_cores = [3", "expected", fmt::format("\"{}\" is no", word)});
}

// Every rank keeps `count` cores of its own free, no two the same, and all threads have room on the rest.
void expect_room(const std::string& shape, const std::vector<RankCpus>& ranks, int count) {
    const Machine machine = shaped(shape);
    const std::vector<CpuSet> free = choose_free_cores(machine, ranks, count);
    ASSERT_EQ(free.size(), ranks.size()) << shape;
    const CpuSet all = united(free);
    std::size_t number = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        EXPECT_EQ(cores_of(machine, free[r]).size(),
                  static_cast<std::size_t>(ranks[r].threads > 0 ? count : 0));
        EXPECT_TRUE(std::ranges::includes(ranks[r].allowed, free[r]));
        number += free[r].size();
    }
    EXPECT_EQ(number, all.size()) << "each once";
}

TEST(FreeCores, AreTheLastOfEachRanksShare) {
    const Machine two_domains = shaped("numa:2 core:4 pu:1");
    // One rank for each domain, bound: the last core of each domain.
    EXPECT_EQ(choose_free_cores(two_domains, std::vector<RankCpus>{{range(0, 3), 3}, {range(4, 7), 3}}, 1),
              (std::vector<CpuSet>{{3}, {7}}));
    // Not bound: of its share, which is a domain.
    EXPECT_EQ(choose_free_cores(two_domains, std::vector<RankCpus>{{range(0, 7), 3}, {range(0, 7), 3}}, 1),
              (std::vector<CpuSet>{{3}, {7}}));
    // With both hardware threads.
    EXPECT_EQ(choose_free_cores(shaped("core:4 pu:2"), std::vector<RankCpus>{{range(0, 7), 3}}, 1),
              (std::vector<CpuSet>{{6, 7}}));
    expect_room("pack:2 numa:4 core:16 pu:1", std::vector<RankCpus>(8, {range(0, 127), 15}), 1);
    expect_room("pack:2 numa:4 core:16 pu:2", std::vector<RankCpus>(4, {range(0, 255), 60}), 2);
    expect_room("core:8 pu:1", {{range(0, 7), 3}, {range(4, 7), 2}}, 1);
    expect_room("core:8 pu:1", {{range(0, 7), 6}, {range(0, 7), 0}}, 2);  // the second is an output server
}

TEST(FreeCores, MoreThanARankHasAreNone) {
    EXPECT_TRUE(choose_free_cores(shaped("core:2 pu:1"), std::vector<RankCpus>{{{0, 1}, 2}}, 1).empty());
    EXPECT_TRUE(choose_free_cores(shaped("core:2 pu:1"), std::vector<RankCpus>(2, {{0, 1}, 1}), 1).empty());
    EXPECT_TRUE(choose_free_cores(shaped("core:4 pu:1"), std::vector<RankCpus>{{{2}, 1}}, 1).empty());
    EXPECT_FALSE(choose_free_cores(shaped("core:2 pu:1"), std::vector<RankCpus>{{{0, 1}, 1}}, 1).empty());
}

TEST(FreeCores, NamedOnesAreCheckedBeforeAnythingMoves) {
    const std::vector<RankCpus> two(2, {range(0, 7), 3});
    const CpuSet owned = range(0, 7);
    const auto trouble = [&](const std::vector<CpuSet>& lists) {
        return trouble_with_lists(lists, two, owned);
    };
    EXPECT_EQ(trouble({{3}, {7}}), "");
    EXPECT_EQ(trouble({{3}, {7}, {99}}), "") << "for a third rank, which is not there";
    expect_words(trouble({{3}}), {"each of the 2 ranks"});
    expect_words(trouble({{3}, {3}}), {"each core once", "3 stands there twice"});
    expect_words(trouble({{2, 2}, {3}}), {"2 stands there twice"});
    expect_words(trouble({{3}, {8}}), {"cores of this job, 0-7", "not 8"});
    expect_words(trouble({{2, 3}, {7}}), {"fewer cores", "6 threads", "0-1,4-6"});
}

TEST(FreeCores, ThreadsAreKeptOffAndTheCoresHandedOut) {
    const CpuSet before = cpus_of_computing_threads();
    if (before.size() < 2) GTEST_SKIP() << "one core only";
    {
        const KeptCores kept(MPI_COMM_SELF, read_free_cores({"1"}, false, "", ""), 1, "case.toml",
                             "run.free_cores");
        ASSERT_FALSE(kept.of_machine().empty());
        EXPECT_EQ(cpus_of_computing_threads(), difference(before, kept.of_machine()));
        for (int thread = 0; thread < 2; ++thread) {
            const ThreadCore core = find_thread_core(MPI_COMM_SELF, allowed_cpus(), 1);
            ASSERT_TRUE(core.cpu);
            EXPECT_TRUE(std::ranges::binary_search(kept.of_machine(), *core.cpu));
            EXPECT_EQ(core.missing, "");
        }
    }
    EXPECT_EQ(cpus_of_computing_threads(), before);
}

}  // namespace
}  // namespace groundswell::parallel
