#include "groundswell/parallel/cores/launch_judgement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/findings.hpp"

// What is said of a launch before anything runs: from where the threads of each rank may run.
namespace groundswell::parallel {
namespace {

// A host without hardware threads whose cores are all the job's.
HostCores host_of(int cores) {
    HostCores host{"n12", range(0, cores - 1), {}, 0.0};
    for (int cpu = 0; cpu < cores; ++cpu) host.cores.push_back({cpu});
    return host;
}

// Ranks of `threads` threads each, all of a rank's threads with the same CPUs.
std::vector<RankThreads> ranks_on(const std::vector<CpuSet>& cpus, int threads = 1) {
    std::vector<RankThreads> ranks;
    for (const CpuSet& each : cpus)
        ranks.push_back(
            {static_cast<int>(ranks.size()), std::vector<CpuSet>(static_cast<std::size_t>(threads), each)});
    return ranks;
}

// Started by hand, with libraries of these names.
LaunchSettings with(const char* mpi, const char* openmp_binding = "", bool spins = false) {
    return {{Starter::none, mpi}, openmp_binding, spins};
}
const LaunchSettings under_open_mpi = with("Open MPI");

TEST(LaunchJudgement, SaysNothingOfHealthyLaunches) {
    const auto judge = [](int cores, const std::vector<RankThreads>& ranks) {
        return codes(judge_launch(host_of(cores), ranks, under_open_mpi));
    };
    EXPECT_EQ(judge(2, ranks_on({{0}, {1}})), Codes{}) << "a core each";
    EXPECT_EQ(judge(2, ranks_on({{0, 1}, {0, 1}})), Codes{}) << "not bound";
    EXPECT_EQ(judge(2, ranks_on({{0, 1}}, 2)), Codes{}) << "two threads not bound";
    EXPECT_EQ(judge(64, ranks_on({range(0, 31), range(32, 63)}, 32)), Codes{}) << "bound to sockets";
    EXPECT_EQ(judge(8, {{0, {{0}, {1}, {2}, {3}}}, {1, {{4}, {5}, {6}, {7}}}}), Codes{})
        << "thread by thread";
    EXPECT_EQ(judge(4, ranks_on({{2}})), Codes{}) << "one rank on any core";
}

TEST(LaunchJudgement, FindsRanksOnOneCore) {
    const auto findings = judge_launch(host_of(2), ranks_on({{0}, {0}}), under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"shared-core"});
    expect_words(findings[0].message, {"ranks 0 and 1", "n12", "core 0", "core 1", "may not be used"});
    expect_words(findings[0].fix, {"mpirun", "--map-by core --bind-to core", "--bind-to none", "taskset"});
}

TEST(LaunchJudgement, FindsEveryPairOfRanksOnOneCore) {
    const auto findings = judge_launch(host_of(8), ranks_on({{0}, {0}, {1}, {1}, {2}}), under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"shared-core"});
    expect_words(findings[0].message, {"ranks 0 and 1", "core 0", "1 more places", "cores 3-7"});
}

TEST(LaunchJudgement, FindsThreadsOnOneCore) {
    const auto findings = judge_launch(host_of(2), ranks_on({{0}}, 2), under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"narrow-binding"});
    expect_words(findings[0].message, {"2 threads of rank 0", "n12", "core 0 only", "core 1"});
    expect_words(findings[0].fix, {"slot:PE=2"});
    // The rank has both cores, but OpenMP put both threads on one of them.
    const auto stacked =
        judge_launch(host_of(2), std::vector<RankThreads>{{0, {{1}, {1}}}}, with("MPICH", "OMP_PLACES"));
    ASSERT_EQ(codes(stacked), Codes{"narrow-binding"});
    expect_words(stacked[0].fix, {"unset OMP_PLACES", "mpiexec -bind-to core:2"});
}

TEST(LaunchJudgement, FindsRanksThatOpenMpBoundToTheSameCore) {
    const auto findings = judge_launch(host_of(4), ranks_on({{0}, {0}}), with("Open MPI", "OMP_PROC_BIND"));
    ASSERT_EQ(codes(findings), Codes{"shared-core"});
    expect_words(findings[0].fix, {"unset OMP_PROC_BIND"});
}

TEST(LaunchJudgement, FindsMoreThreadsThanCoresAndNothingElse) {
    for (const auto& ranks :
         {ranks_on({{0, 1}, {0, 1}, {0, 1}, {0, 1}}, 2), ranks_on({{0}, {1}, {0}, {1}}, 2)}) {
        const auto findings = judge_launch(host_of(2), ranks, with("Open MPI", "", true));
        ASSERT_EQ(codes(findings), Codes{"oversubscribed"});
        expect_words(findings[0].message, {"4 ranks × 2 threads", "cores 0-1", "n12", "25 %"});
        expect_words(findings[0].fix, {"2 threads", "mpi_yield_when_idle"});
    }
}

// Judged by what the job owns: two of the machine's cores.
TEST(LaunchJudgement, ComparesWithTheCoresOfTheJob) {
    HostCores host = host_of(2);
    host.owned = {6, 7};
    host.cores = {{6}, {7}};
    EXPECT_EQ(codes(judge_launch(host, ranks_on({{6, 7}, {6, 7}}), under_open_mpi)), Codes{});
    const auto findings = judge_launch(host, ranks_on({{6, 7}, {6, 7}, {6, 7}}), under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"oversubscribed"});
    expect_words(findings[0].message, {"3 ranks", "cores 6-7"});
}

TEST(LaunchJudgement, FindsThreadsOnTheHardwareThreadsOfOneCore) {
    const HostCores host{"n12", range(0, 7), {{0, 4}, {1, 5}, {2, 6}, {3, 7}}, 0.0};
    EXPECT_EQ(codes(judge_launch(host, ranks_on({{0, 4}, {1, 5}}), under_open_mpi)), Codes{});
    const auto findings = judge_launch(host, ranks_on({{0}, {4}, {1}}), under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"shared-hardware-threads"});
    expect_words(findings[0].message, {"ranks 0 and 1", "one core", "0,4"});
    EXPECT_EQ(codes(judge_launch(host, ranks_on({range(0, 7)}, 8), under_open_mpi)), Codes{})
        << "all hardware threads, which somebody wanted";
}

TEST(LaunchJudgement, KnowsTheQuotaOfAContainer) {
    const HostCores host = host_of(8);
    std::vector<RankThreads> ranks = ranks_on({range(0, 7), range(0, 7)});
    for (RankThreads& rank : ranks) rank.quota = {1.5, 0.0, 4711};
    auto findings = judge_launch(host, ranks, under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"cpu-quota"});
    expect_words(findings[0].message, {"2 threads", "ranks 0 and 1", "n12", "1.5 cores"});
    for (RankThreads& rank : ranks) rank.quota.cores = 2.0;
    EXPECT_EQ(codes(judge_launch(host, ranks, under_open_mpi)), Codes{});
    ranks[1].quota = {0.5, 0.0, 4712};
    findings = judge_launch(host, ranks, under_open_mpi);
    ASSERT_EQ(codes(findings), Codes{"cpu-quota"}) << "one rank in a group of its own";
    expect_words(findings[0].message, {"1 thread of rank 1 of", "0.5 cores"});
}

TEST(LaunchJudgement, SaysThatOmpNumThreadsSetsNothing) {
    for (const char* text : {"", "1", "2", "2,4", "all"})
        EXPECT_TRUE(judge_thread_count(text, 2).empty()) << text;
    for (const char* text : {"4", "4,2"}) {
        const auto findings = judge_thread_count(text, 2);
        ASSERT_EQ(codes(findings), Codes{"omp-num-threads"});
        expect_words(findings[0].message, {"OMP_NUM_THREADS", text, "has 2"});
        expect_words(findings[0].fix, {"--set run.threads=4"});
    }
}

}  // namespace
}  // namespace groundswell::parallel
