// A kernel below a fifth of what this machine allows is named, with the cause that is known to be so.
#include "groundswell/simulation/limits/kernel_judgement.hpp"

#include <gtest/gtest.h>

namespace groundswell::simulation {
namespace {

const exec::MachineLimits machine{40.0, 100.0};  // GB/s, GFLOP/s

KernelCircumstances usual() {
    KernelCircumstances at;
    at.isa = at.best_isa = "v4";
    return at;
}

KernelSpeed kernel(double gflops, double gigabytes_per_second) {
    return {"propagation", gflops, gigabytes_per_second, 1.0};
}

TEST(KernelJudgement, TheBoundThatIsReachedFirstCounts) {
    EXPECT_FALSE(judge_kernel(kernel(1.0, 8.0), machine, usual())) << "a fifth of memory's";
    EXPECT_FALSE(judge_kernel(kernel(20.0, 0.1), machine, usual())) << "a fifth of arithmetic's";
    const auto slow = judge_kernel(kernel(12.0, 4.0), machine, usual());
    ASSERT_TRUE(slow);
    EXPECT_NEAR(slow->share.of_bound(), 0.12, 1e-12);
    EXPECT_FALSE(slow->share.is_bound_by_memory());
    EXPECT_EQ(slow->reaches, "12 % of what arithmetic allows (12 of 100 GFLOP/s)");
    const auto pieces = judge_kernel(kernel(1.0, 4.0), machine, usual());
    ASSERT_TRUE(pieces);
    EXPECT_EQ(pieces->reaches, "10 % of what memory allows (4 of 40 GB/s)");
}

TEST(KernelJudgement, WhatIsNotCountedIsNotJudged) {
    EXPECT_FALSE(judge_kernel(kernel(0.0, 0.0), machine, usual()));
    EXPECT_FALSE(judge_kernel(kernel(1.0, 1.0), {}, usual())) << "nor where the limits are not known";
    EXPECT_TRUE(judge_kernel(kernel(1.0, 0.0), machine, usual())) << "arithmetic alone is enough";
}

TEST(KernelJudgement, TheCauseThatIsKnownIsTold) {
    const auto code = [](const KernelSpeed& slow, const KernelCircumstances& at) {
        return judge_kernel(slow, machine, at)->code;
    };
    KernelCircumstances at = usual();
    KernelSpeed arithmetic = kernel(5.0, 0.5);
    EXPECT_EQ(code(kernel(0.5, 2.0), at), "memory-in-pieces");
    EXPECT_EQ(code(arithmetic, at), "other-instructions");
    arithmetic.lanes_filled = 0.375;  // 6 directions in 16 lanes
    EXPECT_EQ(code(arithmetic, at), "few-lanes");
    at.isa = "v3";
    EXPECT_EQ(code(arithmetic, at), "narrow-registers");
    at.disturbed = "its threads had their cores for 40 % of the time";
    EXPECT_EQ(code(arithmetic, at), "disturbed-cores");
    at.flushes_subnormals = false;
    EXPECT_EQ(code(arithmetic, at), "subnormals");
}

TEST(KernelJudgement, NarrowRegistersAreToldWithWhoHoldsToThem) {
    KernelCircumstances at = usual();
    EXPECT_FALSE(judge_registers(at));
    EXPECT_EQ(register_share(at), 1.0);
    at.isa = "v2";
    EXPECT_EQ(register_share(at), 0.25);
    ASSERT_TRUE(judge_registers(at));
    EXPECT_NE(judge_registers(at)->message.find("v2"), std::string::npos);
    EXPECT_NE(judge_registers(at)->fix.find("GROUNDSWELL_ARCH"), std::string::npos) << "it is the build";
    at.held_by = "GROUNDSWELL_ISA=v2";
    EXPECT_EQ(judge_registers(at)->fix, "leave out GROUNDSWELL_ISA=v2");
    at.best_isa = "";
    EXPECT_FALSE(judge_registers(at)) << "not known";
}

}  // namespace
}  // namespace groundswell::simulation
