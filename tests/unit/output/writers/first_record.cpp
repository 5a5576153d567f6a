#include "groundswell/output/writers/way.hpp"

#include <gtest/gtest.h>

#include "groundswell/parallel/cores/thread_time.hpp"

// Mode auto: a writer thread is worth it where it saves time, and only there.
namespace {

using namespace groundswell;
using namespace groundswell::output;

FirstRecord measured(double writing, double asleep, double computing, bool own_core, bool cores_for_all) {
    return {writing, asleep, computing, own_core, cores_for_all};
}

TEST(OutputFirstRecord, OfASlowDiskCallsForThreads) {
    EXPECT_TRUE(threads_pay(measured(0.4, 0.39, 0.5, true, true)));
    EXPECT_TRUE(threads_pay(measured(0.4, 0.39, 0.5, false, true)));
    EXPECT_FALSE(threads_pay(measured(0.005, 0.004, 0.5, true, true)));
}

TEST(OutputFirstRecord, OfABusyProcessorCallsForThreadsWithCoresOfTheirOwn) {
    EXPECT_TRUE(threads_pay(measured(0.4, 0.0, 0.5, true, true)));
    EXPECT_FALSE(threads_pay(measured(0.4, 0.0, 0.5, false, true)));
}

TEST(OutputFirstRecord, NeverCallsForThreadsWhereThoseThatComputeShareCores) {
    EXPECT_FALSE(threads_pay(measured(0.4, 0.39, 0.5, true, false)));
}

// Eight ranks on two cores take long for a record, and no disk is to blame: 0.1 s on a processor, 0.3 s in
// its queue.
TEST(OutputFirstRecord, IsNotBlamedOnTheDiskWhereItWaitedForAProcessor) {
    const parallel::ThreadTime time{0.4, 0.1, 0.299};
    EXPECT_LT(time.asleep(), 0.002);
    EXPECT_FALSE(threads_pay(measured(time.wall, time.asleep(), 0.5, false, true)));
    const parallel::ThreadTime slow_disk{0.4, 0.01, 0.0};
    EXPECT_NEAR(slow_disk.asleep(), 0.39, 1e-12);
}

}  // namespace
