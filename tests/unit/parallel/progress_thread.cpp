#include "groundswell/parallel/progress_thread.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {
namespace {

using namespace std::chrono_literals;

const CpuSet of_this_process = allowed_cpus();  // before any test

void until(const std::function<bool()>& holds) {
    const double limit = now() + 10.0;
    while (!holds() && now() < limit) std::this_thread::sleep_for(50us);
    ASSERT_TRUE(holds());
}

// The owner changes `shared` without a lock between end() and begin(), as a transport is started and finished
// without one: a thread that pushed then would be seen here, and by the thread sanitizer.
TEST(ProgressThread, WorksBetweenBeginAndEndAndNeverOutside) {
    for (const std::optional<int> cpu : {std::optional<int>(), std::optional<int>(allowed_cpus().back())}) {
        std::int64_t shared = 0;
        std::atomic<std::int64_t> pushes = 0;
        std::atomic<bool> outside = true;
        ProgressThread thread(
            [&] {
                EXPECT_FALSE(outside);
                ++shared;
                ++pushes;
            },
            cpu);
        for (int exchange = 0; exchange < 200; ++exchange) {
            ASSERT_EQ(shared, pushes);
            const std::int64_t before = pushes;
            outside = false;
            thread.begin();
            if (exchange % 10 == 0) until([&] { return pushes > before + 2; });
            thread.end();
            outside = true;
            const std::int64_t after = shared;
            if (exchange % 50 == 0) std::this_thread::sleep_for(2ms);
            ASSERT_EQ(shared, after);
        }
        EXPECT_GT(thread.seconds(), 0.0);
    }
}

TEST(ProgressThread, EndWaitsForTheCallThatIsRunning) {
    std::atomic<int> inside = 0;
    ProgressThread thread([&] {
        ++inside;
        std::this_thread::sleep_for(20ms);
        --inside;
    });
    for (int i = 0; i < 5; ++i) {
        thread.begin();
        until([&] { return inside > 0; });
        thread.end();
        EXPECT_EQ(inside, 0);
    }
}

TEST(ProgressThread, ThrowsToItsOwnerWhatWasThrownAtItOnce) {
    std::atomic<int> calls = 0;
    ProgressThread thread([&] {
        if (++calls == 3) throw std::runtime_error("the message is lost");
    });
    thread.begin();
    until([&] { return calls >= 3; });
    std::this_thread::sleep_for(5ms);  // time for a call too many
    EXPECT_THROW(thread.end(), std::runtime_error);
    EXPECT_EQ(calls, 3);
    thread.begin();
    until([&] { return calls > 4; });
    EXPECT_NO_THROW(thread.end());
}

TEST(ProgressThread, SleepsWhileThereIsNothingToPush) {
    timespec before, after;
    ProgressThread thread([] {}, allowed_cpus().back());
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    std::this_thread::sleep_for(200ms);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const auto milliseconds = [](const timespec& t) { return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec; };
    EXPECT_LT(milliseconds(after) - milliseconds(before), 50.0);
}

TEST(ProgressThread, RunsOnItsCpuAndLeavesItsOwnerWhereItWas) {
    CpuSet inside;
    std::atomic<bool> seen = false;
    ProgressThread thread(
        [&] {
            inside = allowed_cpus();
            seen = true;
        },
        of_this_process.front());
    EXPECT_EQ(allowed_cpus(), of_this_process);
    thread.begin();
    until([&] { return seen.load(); });
    thread.end();
    EXPECT_EQ(inside, CpuSet{of_this_process.front()});
}

// Ended in the middle of its work, as when the run fails.
TEST(ProgressThread, MayBeDestroyedAtAnyTime) {
    for (int i = 0; i < 100; ++i) {
        ProgressThread thread([] {});
        if (i % 2 == 0) thread.begin();
        if (i % 3 == 0) thread.end();
    }
}

}  // namespace
}  // namespace groundswell::parallel
