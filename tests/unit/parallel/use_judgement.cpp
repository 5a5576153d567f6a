#include "groundswell/parallel/cores/use_judgement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/findings.hpp"

// What is said of a run that did not get its cores: from measurements made up to be those of each cause.
namespace groundswell::parallel {
namespace {

const HostCores cores{"n12", {0, 1}, {{0}, {1}}, 0.0};

// A rank that computed for 8 of 10 s, waited for messages (spinning) in the others, and had a core for this
// share of its computing time.
RankUse rank_with(int rank, double share, double queue_share = -1.0) {
    RankUse use;
    use.rank = rank;
    use.wall = 10.0;
    use.computing = 8.0;
    use.computing_processor = share * use.computing;
    use.processor = use.computing_processor + 2.0;
    use.even_processor = 0.25 * use.computing_processor;
    use.cells = 1e6 * share;
    use.queue_is_known = true;
    use.main_queue = queue_share < 0.0 ? (1.0 - share) * use.computing : queue_share * use.computing;
    return use;
}

// Two cores, that of this job and of others.
HostUse host_with(double ours, double others) {
    HostUse use;
    use.wall = 10.0;
    use.cpus = 2;
    use.ours = ours;
    use.busy = ours + others;
    use.idle = 20.0 - use.busy;
    if (others > 1.0) use.others = {{"stress", 4711, others}};
    return use;
}

TEST(UseJudgement, SaysNothingOfHealthyRuns) {
    const std::vector<RankUse> ranks = {rank_with(0, 0.99), rank_with(1, 0.96)};
    EXPECT_EQ(codes(judge_use(cores, host_with(19.6, 0.3), ranks, {})), Codes{});
    EXPECT_EQ(codes(judge_speed(ranks, std::vector<std::string>{"n12", "n12"})), Codes{});
    // Two threads: the main one sleeps while the other has more to do, and nobody wanted a core.
    RankUse threads = rank_with(0, 0.8, 0.01);
    threads.threads = 2;
    EXPECT_EQ(codes(judge_use(cores, host_with(19.0, 0.2), std::vector{threads}, {})), Codes{});
    // Too short to tell anything by hundredths of a second.
    HostUse brief = host_with(0.4, 0.4);
    brief.wall = 0.4;
    EXPECT_EQ(codes(judge_use(cores, brief, std::vector{rank_with(0, 0.5)}, {})), Codes{});
}

TEST(UseJudgement, NamesAnotherProgramOnBothCores) {
    const std::vector<RankUse> ranks = {rank_with(0, 0.5), rank_with(1, 0.48)};
    const auto findings = judge_use(cores, host_with(10.0, 10.0), ranks, {});
    ASSERT_EQ(codes(findings), Codes{"busy-cores"});
    expect_words(findings[0].message,
                 {"ranks 0 and 1", "n12", "48 %", "1.0 of the 2 cores", "stress", "4711"});
    EXPECT_FALSE(findings[0].fix.empty());
}

TEST(UseJudgement, NamesTheOneRankBesideAnotherProgram) {
    const std::vector<RankUse> ranks = {rank_with(0, 0.99), rank_with(1, 0.5)};
    const auto findings = judge_use(cores, host_with(15.0, 4.9), ranks, {});
    ASSERT_EQ(codes(findings), Codes{"busy-cores"});
    expect_words(findings[0].message, {"rank 1 of host n12", "50 %", "stress"});
    EXPECT_EQ(findings[0].message.find("rank 0"), std::string::npos);
}

TEST(UseJudgement, NamesARankThatIsStopped) {
    const std::vector<RankUse> ranks = {rank_with(0, 0.99), rank_with(1, 0.5, 0.01)};
    const auto findings = judge_use(cores, host_with(15.0, 0.1), ranks, {});
    ASSERT_EQ(codes(findings), Codes{"stopped-ranks"});
    expect_words(findings[0].message, {"rank 1", "50 %"});
    expect_words(findings[0].fix, {"cpulimit"});
}

// A core that a rank leaves free serves other programs. They are not what keeps it from its core.
TEST(UseJudgement, DoesNotBlameWhoRunsWhereARankIsStopped) {
    const std::vector<Finding> known = {{"cpu-quota", "1 thread of rank 1", "a larger quota"}};
    std::vector<RankUse> ranks = {rank_with(0, 0.99), rank_with(1, 0.5, 0.05)};
    EXPECT_EQ(codes(judge_use(cores, host_with(15.0, 4.9), ranks, {})), Codes{"stopped-ranks"});
    EXPECT_EQ(codes(judge_use(cores, host_with(15.0, 4.9), ranks, known)), Codes{"stopped-ranks"})
        << "whatever is wrong with the launch";
    ranks[1] = rank_with(1, 0.5);
    ranks[1].throttled = 3.8;
    const auto findings = judge_use(cores, host_with(15.0, 4.9), ranks, {});
    ASSERT_EQ(codes(findings), Codes{"cpu-quota"}) << "of one rank, whose group is not that of the first";
    expect_words(findings[0].message, {"rank 1 of host n12", "50 %", "stopped it for 3.8 s"});
    EXPECT_EQ(codes(judge_use(cores, host_with(15.0, 4.9), ranks, known)), Codes{}) << "said at the start";
}

TEST(UseJudgement, NamesWhatTookTheTimeOfTheHost) {
    const std::vector<RankUse> ranks = {rank_with(0, 0.7), rank_with(1, 0.7)};
    std::vector<RankUse> limited = ranks;
    for (RankUse& rank : limited) rank.throttled = 3.0;
    EXPECT_EQ(codes(judge_use(cores, host_with(14.0, 0.1), limited, {})), Codes{"cpu-quota"});
    HostUse host = host_with(14.0, 0.1);
    host.stolen = 5.0;
    EXPECT_EQ(codes(judge_use(cores, host, ranks, {})), Codes{"stolen-cores"});
    std::vector<RankUse> swapping = ranks;
    for (RankUse& rank : swapping) rank.major_faults = 100'000;
    EXPECT_EQ(codes(judge_use(cores, host_with(14.0, 0.1), swapping, {})), Codes{"swapping"});
}

TEST(UseJudgement, LeavesToTheLaunchWhatTheLaunchExplains) {
    const std::vector<RankUse> ranks = {rank_with(0, 0.5), rank_with(1, 0.5)};
    const std::vector<Finding> launch = {{"shared-core", "ranks 0 and 1 share core 0", "bind them"}};
    EXPECT_EQ(codes(judge_use(cores, host_with(10.0, 0.2), ranks, launch)), Codes{});
    EXPECT_EQ(codes(judge_use(cores, host_with(10.0, 0.2), ranks, {})), Codes{"crowded-cores"});
    EXPECT_EQ(codes(judge_use(cores, host_with(8.0, 8.0), ranks, launch)), Codes{"busy-cores"});
}

// It had its core all the time, and took twice as long for each cell.
TEST(UseJudgement, NamesARankOnASlowCore) {
    std::vector<RankUse> ranks = {rank_with(0, 1.0), rank_with(1, 1.0), rank_with(2, 1.0)};
    const std::vector<std::string> hosts = {"n11", "n11", "n12"};
    ranks[2].even_processor *= 2.0;
    const auto findings = judge_speed(ranks, hosts);
    ASSERT_EQ(codes(findings), Codes{"slow-rank"});
    expect_words(findings[0].message, {"rank 2", "2.0 times", "n12"});
    EXPECT_EQ(codes(judge_speed(std::span(ranks).subspan(1), std::span(hosts).subspan(1))),
              Codes{"slow-rank"})
        << "of two ranks too";
    ranks[2].even_processor *= 0.6;
    EXPECT_EQ(codes(judge_speed(ranks, hosts)), Codes{}) << "a fifth more is no defect";
}

TEST(UseJudgement, WaitsOfHelpersAreLossesOfTheRank) {
    RankUse rank = rank_with(0, 0.95, 0.01);
    rank.threads = 2;
    rank.worker_queue = 9.0;  // waiting for the main thread too, which spins
    rank.worker_loss = 0.5;
    EXPECT_DOUBLE_EQ(share_without_core(rank), 0.5);
    rank.worker_loss = 0.0;
    EXPECT_LT(share_without_core(rank), 0.05);
}

}  // namespace
}  // namespace groundswell::parallel
