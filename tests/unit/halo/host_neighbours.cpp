// Whether a neighbour still lives, told from another process.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "groundswell/halo/host/host_neighbours.hpp"

namespace {

using groundswell::halo::HostNeighbour;

TEST(HaloHostNeighbour, IsFoundToHaveEnded) {
    const pid_t process = fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
        pause();
        _exit(0);
    }
    const HostNeighbour neighbour{true, process};
    EXPECT_FALSE(neighbour.has_ended());
    kill(process, SIGKILL);
    // Dead, but still in the table of processes until its parent asks.
    for (int i = 0; i < 500 && !neighbour.has_ended(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(neighbour.has_ended());
    waitpid(process, nullptr, 0);
    EXPECT_TRUE(neighbour.has_ended());
}

TEST(HaloHostNeighbour, IsNotSuspectedWhereItCannotBeSeen) {
    EXPECT_FALSE((HostNeighbour{true, 0}).has_ended());
    EXPECT_FALSE((HostNeighbour{true, getpid()}).has_ended());
    EXPECT_FALSE((HostNeighbour{true, 1}).has_ended()) << "another user's process lives, too";
}

}  // namespace
