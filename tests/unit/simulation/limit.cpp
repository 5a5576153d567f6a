// What limited a run, by its report: a defect that is planted in a healthy one is named, and the largest of several first;
// a healthy run is told what its time went into.
#include "groundswell/simulation/report/limit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace groundswell::simulation {
namespace {

using nlohmann::json;

json same(double value) {
    return {{"min", value}, {"mean", value}, {"max", value}};
}

// 100 s: 3 of start-up, 90 of computing, the rest waits and output.
json healthy() {
    return {{"wall_seconds", 97.0},
            {"phases",
             {{"setup", same(3.0)},
              {"exchange_pack", same(0.5)},
              {"exchange_wait", same(3.0)},
              {"exchange_unpack", same(0.0)},
              {"agreement", same(0.5)},
              {"output", same(2.0)},
              {"other", same(1.0)},
              {"propagation", same(30.0)},
              {"source", same(60.0)}}},
            {"computation_seconds", {{"min", 88.0}, {"mean", 90.0}, {"max", 93.0}}},
            {"exchange",
             {{"late_seconds", same(0.2)},
              {"message_seconds", same(0.1)},
              {"bytes", 1048576},
              {"progress", "none"}}},
            {"startup", {{"reading", same(1.0)}, {"connections", same(2.0)}}},
            {"output",
             {{"mode", "direct"},
              {"bytes", 1e8},
              {"blocked_seconds", same(1.5)},
              {"finish_seconds", same(0.2)},
              {"writing_seconds", same(1.5)},
              {"setup_seconds", same(0.1)},
              {"server_idle_seconds", same(0.0)},
              {"server_idle_processor_seconds", same(0.0)}}},
            {"cores", {{"findings", json::array()}, {"core_share", same(1.0)}}}};
}

json finding(const std::string& code) {
    return {{"code", code}, {"message", "rank 1 of host a " + code}, {"fix", "do otherwise"}};
}

TEST(Limit, AHealthyRunIsToldWhatItsTimeWentInto) {
    const Limit limit = judge_limit(healthy());
    EXPECT_EQ(limit.code, "computing");
    EXPECT_NEAR(limit.share, 0.9, 1e-12);
    EXPECT_NE(limit.text.find("60 % into source"), std::string::npos) << limit.text;
    EXPECT_FALSE(limit.help.empty());
}

TEST(Limit, MissedCachesAndFewInstructionsAreMemory) {
    json run = healthy();
    run["hardware_counters"] = {
        {"instructions", same(5e9)}, {"cycles", same(1e10)}, {"cache_misses", same(1e8)}};
    EXPECT_EQ(judge_limit(run).code, "memory");
    run["hardware_counters"]["instructions"] = same(2.5e10);
    EXPECT_EQ(judge_limit(run).code, "computing") << "instructions enough";
}

// Kernels as they should be, on a machine of 40 GB/s and 100 GFLOP/s.
json counted() {
    json run = healthy();
    const auto kernel = [](const char* name, double seconds, double gflops, double gigabytes_per_second) {
        return json{{"name", name},
                    {"seconds", same(seconds)},
                    {"gflops", gflops},
                    {"gigabytes_per_second", gigabytes_per_second},
                    {"lanes_filled", 1.0}};
    };
    run["limits"] = {{"source", "measured"},       {"isa", "v4"},
                     {"best_isa", "v4"},           {"held_by", ""},
                     {"flushes_subnormals", true}, {"stream_gigabytes_per_second", 40.0},
                     {"peak_gflops", 100.0}};
    run["kernels"] = {kernel("propagation", 30.0, 5.0, 20.0), kernel("source", 60.0, 30.0, 0.5)};
    return run;
}

TEST(Limit, KernelsThatReachTheirFifthAreNotInTheWay) {
    EXPECT_EQ(judge_limit(counted()).code, "computing");
    json run = counted();
    run["kernels"][1]["gflops"] = 20.0;
    EXPECT_EQ(judge_limit(run).code, "computing");
    run["limits"] = nullptr;
    run["kernels"][1]["gflops"] = 1.0;
    EXPECT_EQ(judge_limit(run).code, "computing") << "nobody knows";
}

TEST(Limit, KernelsThatReachASmallPartAreNamedWithPhaseShareAndCause) {
    json run = counted();
    run["kernels"][1]["gflops"] = 2.0;
    const Limit limit = judge_limit(run);
    EXPECT_EQ(limit.code, "slow-kernels");
    EXPECT_NEAR(limit.share, 0.6 * 0.9, 1e-12) << "what a fifth would gain";
    EXPECT_NE(
        limit.text.find("60.0 s, 60 % of the run: source 2 % of what arithmetic allows (2 of 100 GFLOP/s)"),
        std::string::npos)
        << limit.text;
    EXPECT_EQ(limit.text.find("Nothing"), std::string::npos) << limit.text;
    EXPECT_NE(limit.text.find("Likely: "), std::string::npos) << limit.text;
    EXPECT_EQ(limit.text.find("propagation"), std::string::npos) << limit.text;
    run["kernels"][0] = run["kernels"][1];
    run["kernels"][0]["name"] = "propagation";
    run["kernels"][0]["seconds"] = same(30.0);
    EXPECT_NE(judge_limit(run).text.find("source"), std::string::npos);
    EXPECT_NE(judge_limit(run).text.find("propagation"), std::string::npos) << "both";
}

TEST(Limit, AKernelOfFewSecondsIsNotInTheWay) {
    json run = counted();
    run["kernels"][0]["seconds"] = same(10.0);
    run["kernels"][0]["gigabytes_per_second"] = 0.1;
    EXPECT_EQ(judge_limit(run).code, "computing") << "a tenth";
    run["kernels"][0]["seconds"] = same(30.0);
    EXPECT_EQ(judge_limit(run).code, "slow-kernels");
}

TEST(Limit, ClustersOfAKernelAreJudgedTogether) {
    json run = counted();
    run["kernels"][0] = run["kernels"][1];
    run["kernels"][0]["seconds"] = same(30.0);
    run["kernels"][0]["gflops"] = 1.0;  // (30·1 + 60·30)/90
    EXPECT_EQ(judge_limit(run).code, "computing");
    run["kernels"][1]["gflops"] = 20.0;  // 13.7
    EXPECT_EQ(judge_limit(run).code, "slow-kernels");
    EXPECT_NE(judge_limit(run).text.find("90.0 s"), std::string::npos) << judge_limit(run).text;
}

TEST(Limit, SlowKernelsWithoutTheirCoresAreNotToBlame) {
    json run = counted();
    run["kernels"][1]["gflops"] = 2.0;
    run["cores"]["findings"].push_back(finding("busy-cores"));
    run["cores"]["core_share"] = same(0.5);
    EXPECT_EQ(judge_limit(run).code, "busy-cores");
    run = counted();
    run["kernels"][1]["gflops"] = 10.0;
    run["output"]["blocked_seconds"] = same(60.0);
    EXPECT_EQ(judge_limit(run).code, "slow-output") << "which costs more than half of the source terms";
}

TEST(Limit, ARunThatIsHeldToNarrowRegistersIsTold) {
    json run = counted();
    run["limits"]["isa"] = "v2";
    run["limits"]["held_by"] = "GROUNDSWELL_ISA=v2";
    const Limit limit = judge_limit(run);
    EXPECT_EQ(limit.code, "narrow-registers");
    EXPECT_NE(limit.text.find("v2"), std::string::npos) << limit.text;
    EXPECT_NE(limit.help.find("GROUNDSWELL_ISA=v2"), std::string::npos) << limit.help;
    run["kernels"][1]["gflops"] = 2.0;
    EXPECT_EQ(judge_limit(run).code, "narrow-registers") << "and is why they are slow";
}

TEST(Limit, OutputThatTheModelWaitsForIsNamed) {
    json run = healthy();
    run["output"]["blocked_seconds"] = same(10.0);
    EXPECT_EQ(judge_limit(run).code, "computing") << "a tenth";
    run["output"]["finish_seconds"] = same(30.0);
    const Limit limit = judge_limit(run);
    EXPECT_EQ(limit.code, "slow-output");
    EXPECT_NE(limit.text.find("40.0 s, 40 % of the run"), std::string::npos) << limit.text;
    EXPECT_NE(limit.help.find("thread"), std::string::npos);
    run["output"]["mode"] = "thread";
    EXPECT_EQ(judge_limit(run).help.find("output.mode"), std::string::npos)
        << "it writes with a thread already";
}

TEST(Limit, ASpinningServerComesBeforeTheCoresThatItTakes) {
    json run = healthy();
    run["output"]["server_idle_seconds"] = same(90.0);
    run["output"]["server_idle_processor_seconds"] = same(4.0);
    EXPECT_EQ(judge_limit(run).code, "computing") << "it sleeps";
    run["output"]["server_idle_queue_seconds"] = same(60.0);
    EXPECT_EQ(judge_limit(run).code, "computing") << "it sleeps, and waits for a core when it wakes";
    run["output"]["server_idle_processor_seconds"] = same(29.0);
    EXPECT_EQ(judge_limit(run).code, "spinning-server") << "it never sleeps";
    run["output"]["server_idle_queue_seconds"] = same(0.0);
    run["output"]["server_idle_processor_seconds"] = same(80.0);
    run["cores"]["findings"].push_back(finding("crowded-cores"));
    run["cores"]["core_share"] = same(0.5);
    EXPECT_EQ(judge_limit(run).code, "spinning-server");
}

TEST(Limit, CoresNotHadComeBeforeWhatTheyMakeWait) {
    json run = healthy();
    run["computation_seconds"]["max"] = 120.0;
    EXPECT_EQ(judge_limit(run).code, "imbalance");
    run["cores"]["findings"].push_back(finding("narrow-binding"));
    EXPECT_EQ(judge_limit(run).code, "narrow-binding");
    EXPECT_EQ(judge_limit(run).text, "Rank 1 of host a narrow-binding.");
    EXPECT_EQ(judge_limit(run).help, "Do otherwise.");
    // A disk that costs far more than the cores does: both are true, and one is worth more.
    run["cores"]["core_share"] = same(0.9);
    run["output"]["blocked_seconds"] = same(60.0);
    EXPECT_EQ(judge_limit(run).code, "slow-output");
}

TEST(Limit, WhatIsOddAboutTheStartHidesNothingThatIsWorse) {
    json run = healthy();
    run["cores"]["findings"].push_back(finding("omp-num-threads"));
    EXPECT_EQ(judge_limit(run).code, "computing") << "it costs nothing";
    run["computation_seconds"]["max"] = 120.0;
    EXPECT_EQ(judge_limit(run).code, "imbalance");
    run["cores"]["findings"].push_back(finding("busy-cores"));
    EXPECT_EQ(judge_limit(run).code, "busy-cores") << "behind the other one";
}

TEST(Limit, ScatteredRanksAreWhyMessagesTakeLong) {
    json run = healthy();
    run["cores"]["findings"].push_back(finding("scattered-ranks"));
    EXPECT_EQ(judge_limit(run).code, "scattered-ranks");
    run["exchange"]["late_seconds"] = same(0.0);
    run["phases"]["exchange_wait"] = same(40.0);
    EXPECT_EQ(judge_limit(run).code, "scattered-ranks") << "and not the network";
    run["output"]["blocked_seconds"] = same(60.0);
    EXPECT_EQ(judge_limit(run).code, "slow-output") << "which costs more";
}

TEST(Limit, LateRanksAndMessagesAreToldApart) {
    json run = healthy();
    run["phases"]["exchange_wait"] = same(40.0);
    EXPECT_EQ(judge_limit(run).code, "late-ranks") << "two thirds of it";
    run["exchange"]["late_seconds"] = same(0.0);
    const Limit limit = judge_limit(run);
    EXPECT_EQ(limit.code, "network");
    EXPECT_NE(limit.help.find("halo.progress"), std::string::npos);
    run["exchange"]["progress"] = "thread";
    EXPECT_EQ(judge_limit(run).help.find("halo.progress"), std::string::npos);
}

TEST(Limit, AStartUpIsNamedByItsLargestPart) {
    json run = healthy();
    run["phases"]["setup"] = same(150.0);
    run["startup"]["connections"] = same(149.0);
    const Limit limit = judge_limit(run);
    EXPECT_EQ(limit.code, "start-up");
    EXPECT_NE(limit.text.find("for: connections"), std::string::npos) << limit.text;
    EXPECT_NE(limit.help.find("halo.transport"), std::string::npos);
}

TEST(Limit, NothingIsSaidOfARunOfASecond) {
    json run = healthy();
    run["wall_seconds"] = 0.5;
    run["phases"]["setup"] = same(2.0);
    run["output"]["blocked_seconds"] = same(0.3);
    run["phases"]["exchange_wait"] = same(0.3);
    run["computation_seconds"] = {{"min", 0.0}, {"mean", 0.1}, {"max", 0.4}};
    EXPECT_EQ(judge_limit(run).code, "computing");
}

TEST(Limit, TheParagraphSaysBothInLinesThatFit) {
    const std::string text = limit_paragraph(judge_limit(healthy()));
    EXPECT_TRUE(text.starts_with("What limited this run: "));
    std::string words = text;
    std::ranges::replace(words, '\n', ' ');
    EXPECT_NE(words.find(" What would help most: "), std::string::npos);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        EXPECT_LE(end - begin, 100u);
        begin = end + 1;
    }
}

}  // namespace
}  // namespace groundswell::simulation
