#include "groundswell/parallel/cores/thread_time.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "groundswell/parallel/machine/cpu_set.hpp"

namespace groundswell::parallel {
namespace {

TEST(ThreadTime, OfASleepIsSleep) {
    const ThreadTime begin = ThreadTime::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const ThreadTime spent = ThreadTime::now() - begin;
    EXPECT_GT(spent.asleep(), 0.15);
}

void spin_until(const std::atomic<bool>& end) {
    while (!end) continue;
}

// Two threads that never sleep, on one processor: each is in the queue while the other runs.
TEST(ThreadTime, OfAThreadThatSharesItsProcessorIsNoSleep) {
    if (!tells_of_queue()) GTEST_SKIP() << "this kernel does not tell of the queue for its processors";
    const CpuSet before = allowed_cpus();
    run_on({before.front()});  // the new thread inherits it
    std::atomic<bool> end = false;
    std::thread other([&] { spin_until(end); });
    const ThreadTime begin = ThreadTime::now();
    ThreadTime spent;
    while (spent.wall < 0.4) spent = ThreadTime::now() - begin;
    end = true;
    other.join();
    run_on(before);
    EXPECT_GT(spent.wall - spent.processor, 0.1);  // it did wait
    EXPECT_LT(spent.asleep(), 0.1 * spent.wall);
    EXPECT_GT(spent.involuntary, 0);
}

}  // namespace
}  // namespace groundswell::parallel
