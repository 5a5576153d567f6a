#include "groundswell/parallel/cores/placement_judgement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "groundswell/parallel/machine/machine.hpp"
#include "support/findings.hpp"

// Where ranks sit, on machines of shapes that hwloc makes up: what is wrong is named, with the words of whoever started the
// ranks, and nothing where nothing is.
namespace groundswell::parallel {
namespace {

// 2 sockets with 4 NUMA domains of 16 cores each.
constexpr const char* large = "pack:2 numa:4 core:16 pu:1";
constexpr const char* small = "pack:1 core:2 pu:1";

Machine shaped(const std::string& shape) {
    return machine_of_shape(shape, "test", "shape");
}

HostCores host_of(const Machine& machine) {
    HostCores host{"n12", united(machine.cores), machine.cores, 0.0};
    for (const MemoryDomain& domain : machine.domains) host.domains.push_back(domain.cpus);
    return host;
}

// Ranks of `threads` threads, bound as a test pretends.
std::vector<RankThreads> ranks_of(const Machine& machine, const std::string& binding, int ranks,
                                  int threads) {
    std::vector<RankThreads> found;
    for (int rank = 0; rank < ranks; ++rank)
        found.push_back({rank, pretended_cpus({machine, binding}, rank, threads)});
    return found;
}

LaunchSettings started_by(Starter starter, const char* mpi = "Open MPI", bool spins = true) {
    return {{starter, mpi, "4.1.4"}, "", spins};
}
const LaunchSettings mpirun = started_by(Starter::open_mpi);

Codes judge(const std::string& shape, const std::string& binding, int ranks, int threads) {
    const Machine machine = shaped(shape);
    return codes(judge_launch(host_of(machine), ranks_of(machine, binding, ranks, threads), mpirun));
}

TEST(Machine, IsReadFromAShape) {
    const Machine machine = shaped(large);
    EXPECT_EQ(machine.sockets, 2);
    ASSERT_EQ(machine.domains.size(), 8u);
    EXPECT_EQ(to_text(machine.domains[3].cpus), "48-63");
    EXPECT_EQ(machine.cores.size(), 128u);
    const Machine threaded = shaped("pack:1 l3:1 core:4 pu:2");
    EXPECT_EQ(threaded.cores.size(), 4u);
    EXPECT_EQ(cores_of(threaded, {1, 2, 3}), (std::vector<CpuSet>{{1}, {2, 3}}));
    ASSERT_EQ(threaded.caches.size(), 1u);
    EXPECT_EQ(threaded.caches[0].level, 3);
    EXPECT_EQ(threaded.caches[0].cores, 4);
}

TEST(Machine, ThisOneHasTheCpusThatTheSystemTells) {
    const Machine machine = this_machine();
    EXPECT_EQ(united(machine.cores), machine_cpus());
    ASSERT_FALSE(machine.domains.empty());
}

TEST(PlacementJudgement, SaysNothingOfHealthyLaunches) {
    const struct {
        const char *shape, *binding;
        int ranks, threads;
    } healthy[] = {
        {small, "none", 1, 1},
        {small, "none", 1, 2},
        {small, "none", 2, 1},
        {small, "core", 1, 1},
        {small, "core", 2, 1},
        {small, "threads", 1, 2},
        {large, "core", 128, 1},
        {large, "core", 64, 1},
        {large, "domain", 8, 16},
        {large, "domain", 16, 8},
        {large, "domain", 32, 4},
        {large, "threads", 1, 128},
        {large, "threads", 2, 64},
        {large, "threads", 8, 16},
        {large, "threads", 16, 8},
        {large, "domain", 8, 12},
        {large, "threads", 64, 2},
        {large, "threads", 8, 8},
        {"pack:2 core:32 pu:2", "threads", 64, 1},
        {"numa:1 core:6 pu:1", "none", 2, 3},
    };
    for (const auto& one : healthy)
        EXPECT_EQ(judge(one.shape, one.binding, one.ranks, one.threads), Codes{})
            << one.shape << " " << one.binding << " " << one.ranks << " × " << one.threads;
}

TEST(PlacementJudgement, FindsRanksThatMoveBetweenDomains) {
    const Machine machine = shaped(large);
    const auto free = ranks_of(machine, "none", 8, 16);
    auto findings = judge_launch(host_of(machine), free, mpirun);
    ASSERT_EQ(codes(findings), Codes{"ranks-across-domains"});
    expect_words(findings[0].message, {"ranks 0, 1", "8 in all", "n12", "0-15 | 16-31", "memory"});
    expect_words(findings[0].fix, {"mpirun --map-by numa:PE=16 --bind-to core"});
    findings = judge_launch(host_of(machine), free, started_by(Starter::slurm));
    expect_words(findings[0].fix, {"srun --cpus-per-task=16 --cpu-bind=ldoms"});
    findings = judge_launch(host_of(machine), free, started_by(Starter::intel, "Intel(R) MPI"));
    expect_words(findings[0].fix, {"I_MPI_PIN_DOMAIN=numa"});
    findings = judge_launch(host_of(machine), ranks_of(machine, "none", 2, 64), mpirun);
    ASSERT_EQ(codes(findings), Codes{"ranks-across-domains"});
    expect_words(findings[0].fix, {"more ranks of at most 16 threads"});
    // What belongs to others does not count: a job of one domain.
    HostCores part = host_of(machine);
    part.owned = range(16, 31);
    EXPECT_FALSE(judge_domains(part, std::vector<RankThreads>{{0, {range(16, 31)}}}, mpirun));
}

TEST(PlacementJudgement, FindsFarFewerThreadsThanCores) {
    for (const auto& [ranks, threads] : {std::pair{8, 4}, {2, 16}, {1, 1}, {32, 1}}) {
        const Codes found = judge(large, "threads", ranks, threads);
        ASSERT_EQ(found, Codes{"idle-cores"}) << ranks << " × " << threads;
    }
    const Machine machine = shaped(large);
    const auto findings = judge_launch(host_of(machine), ranks_of(machine, "threads", 8, 4), mpirun);
    expect_words(findings[0].message, {"32 threads compute", "128 cores"});
    expect_words(findings[0].fix, {"32 ranks", "run.threads=16"});
    EXPECT_EQ(
        codes(judge_launch(host_of(machine), ranks_of(machine, "threads", 1, 1), started_by(Starter::none))),
        Codes{})
        << "one process, started by hand";
}

TEST(PlacementJudgement, NamesFarMoreThreadsThanCoresFirst) {
    for (const auto& [ranks, threads] : {std::pair{128, 2}, {16, 16}, {2, 128}})
        EXPECT_EQ(judge(large, "none", ranks, threads), Codes{"oversubscribed"}) << ranks << " × " << threads;
    EXPECT_EQ(judge(large, "core", 8, 16).front(), "narrow-binding") << "threads bound to one core";
}

TEST(PlacementJudgement, FindsServersThatSpin) {
    const Machine machine = shaped(small);
    HostCores host = host_of(machine);
    host.servers = {range(0, 1)};
    const auto ranks = ranks_of(machine, "none", 2, 1);
    const auto findings = judge_launch(host, ranks, mpirun);
    ASSERT_EQ(codes(findings), Codes{"spinning-servers"});
    expect_words(findings[0].message, {"1 output server", "n12", "cores 0-1", "Open MPI"});
    expect_words(findings[0].fix, {"mpirun --mca mpi_yield_when_idle 1"});
    EXPECT_FALSE(judge_servers(host, ranks, started_by(Starter::open_mpi, "Open MPI", false))) << "it yields";
    const auto mpich = judge_servers(host, ranks, started_by(Starter::hydra, "MPICH"));
    ASSERT_TRUE(mpich);
    EXPECT_EQ(mpich->fix.find("yield"), std::string::npos) << "MPICH has no such setting";
    EXPECT_FALSE(judge_servers(host, ranks_of(machine, "core", 1, 1), mpirun)) << "a core is left for it";
}

TEST(PlacementJudgement, FindsScatteredRanks) {
    const Launcher open_mpi = mpirun.launcher;
    for (const std::vector<int>& blocks : {std::vector<int>{0}, {0, 0, 1, 1}, {0, 1}, {0, 1, 1, 1, 2, 2}})
        EXPECT_FALSE(judge_order(blocks, open_mpi));
    const auto found = judge_order(std::vector<int>{0, 1, 0, 1}, open_mpi);
    ASSERT_TRUE(found);
    expect_words(found->message, {"round robin", "3 of 3", "1 would do"});
    expect_words(found->fix, {"mpirun --map-by core", "two-level"});
    EXPECT_NE(judge_order(std::vector<int>{0, 1, 1, 0}, {Starter::slurm, "MPICH"})
                  ->fix.find("--distribution=block"),
              std::string::npos);
}

TEST(PlacementJudgement, FindsSmallSharedMemoryAndFewFiles) {
    Limits limits;
    EXPECT_TRUE(judge_limits("n12", limits, 4).empty()) << "no limits";
    limits.free_shared_memory_bytes = 32'000'000;
    limits.open_files = 1024;
    EXPECT_EQ(codes(judge_limits("n12", limits, 2)), Codes{"small-shared-memory"});
    EXPECT_TRUE(judge_limits("n12", limits, 1).empty()) << "nobody to share it with";
    limits.open_files = 64;
    EXPECT_EQ(codes(judge_limits("n12", limits, 2)), (Codes{"small-shared-memory", "few-open-files"}));
}

TEST(PlacementJudgement, FindsConnectionsThatTakeLong) {
    EXPECT_FALSE(judge_connections({0.3, 0.001}, mpirun.launcher)) << "short";
    EXPECT_FALSE(judge_connections({3.0, 2.0}, mpirun.launcher)) << "slow messages";
    const auto found = judge_connections({5.0, 0.01}, mpirun.launcher);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->code, "lazy-connections");
    expect_words(found->fix, {"--mca mpi_preconnect_mpi 1"});
    expect_words(judge_connections({5.0, 0.01}, {Starter::slurm, "CRAY MPICH"})->fix,
                 {"MPICH_OFI_STARTUP_CONNECT=1"});
}

TEST(PlacementJudgement, FindsFarMemory) {
    const Machine machine = shaped(large);
    auto ranks = ranks_of(machine, "domain", 8, 16);
    for (RankThreads& rank : ranks) rank.pages = {256, 0};
    EXPECT_EQ(codes(judge_launch(host_of(machine), ranks, mpirun)), Codes{});
    for (RankThreads& rank : ranks) rank.pages.elsewhere = rank.rank == 0 ? 0 : 256;
    const auto findings = judge_launch(host_of(machine), ranks, mpirun);
    ASSERT_EQ(codes(findings), Codes{"far-memory"});
    expect_words(findings[0].message, {"88 %", "ranks 1, 2"});
}

TEST(PlacementJudgement, SortsByWhatCostsMost) {
    std::vector<Finding> findings;
    for (const char* code :
         {"few-open-files", "folder-not-shared", "scattered-ranks", "narrow-binding", "oversubscribed"})
        findings.push_back({code, "", ""});
    sort_by_cost(findings);
    EXPECT_EQ(codes(findings), (Codes{"oversubscribed", "narrow-binding", "scattered-ranks", "few-open-files",
                                      "folder-not-shared"}));
}

}  // namespace
}  // namespace groundswell::parallel
