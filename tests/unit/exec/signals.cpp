// Signals are for the thread that computes first: no other is ever interrupted, whatever it calls.
#include <gtest/gtest.h>

#include <csignal>
#include <vector>

#include "groundswell/exec/launch.hpp"

namespace {

using namespace groundswell;

TEST(Signals, TerminationReachesTheFirstThreadAlone) {
    exec::set_threads(3);
    std::vector<int> waits(3, -1);
    exec::for_each_cell(0, 3, [&](std::int32_t thread) {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        waits[thread] = sigismember(&mask, SIGTERM);
    });
    exec::set_threads(1);
    EXPECT_EQ(waits, (std::vector<int>{0, 1, 1}));
}

}  // namespace
