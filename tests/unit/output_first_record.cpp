#include "groundswell/output/first_record.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

// Mode auto: a writer thread is worth it where it saves time, and only there.
namespace {

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
    const ThreadTime time{0.4, 0.1, 0.299};
    EXPECT_LT(time.asleep(), 0.002);
    EXPECT_FALSE(threads_pay(measured(time.wall, time.asleep(), 0.5, false, true)));
    const ThreadTime slow_disk{0.4, 0.01, 0.0};
    EXPECT_NEAR(slow_disk.asleep(), 0.39, 1e-12);
}

TEST(OutputThreadTime, OfASleepIsSleep) {
    const ThreadTime begin = ThreadTime::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const ThreadTime spent = ThreadTime::now() - begin;
    EXPECT_GT(spent.asleep(), 0.15);
}

void spin_until(const std::atomic<bool>& end) {
    while (!end) continue;
}

// Two threads that never sleep, on one processor: each is in the queue while the other runs.
TEST(OutputThreadTime, OfAThreadThatSharesItsProcessorIsNoSleep) {
    if (!std::ifstream("/proc/thread-self/schedstat").is_open())
        GTEST_SKIP() << "this kernel does not tell of the queue for its processors";
    cpu_set_t before, one;
    ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
        if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);  // the new thread inherits it
    std::atomic<bool> end = false;
    std::thread other([&] { spin_until(end); });
    const ThreadTime begin = ThreadTime::now();
    ThreadTime spent;
    while (spent.wall < 0.4) spent = ThreadTime::now() - begin;
    end = true;
    other.join();
    ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
    EXPECT_GT(spent.wall - spent.processor, 0.1);  // it did wait
    EXPECT_LT(spent.asleep(), 0.1 * spent.wall);
}

}  // namespace
