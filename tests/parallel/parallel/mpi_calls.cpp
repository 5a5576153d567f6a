// Functions of MPI that the program defines count themselves, and the library does the work: each call once, with its bytes
// and the time within it, whichever thread makes it.
#include "groundswell/parallel/profile/mpi_calls.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {
namespace {

MpiCall so_far(const std::string& name) {
    const std::vector<MpiCall> all = mpi_calls();
    const auto found = std::ranges::find(all, name, &MpiCall::name);
    EXPECT_NE(found, all.end()) << name;
    return found == all.end() ? MpiCall{} : *found;
}

MpiCall since(const MpiCall& before) {
    const MpiCall after = so_far(before.name);
    return {after.name, after.count - before.count, after.seconds - before.seconds,
            after.bytes - before.bytes};
}

TEST(MpiCalls, ARingOfMessagesIsCountedWithItsBytes) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int rank = rank_of(comm), ranks = size_of(comm);
    const MpiCall sends = so_far("MPI_Isend"), receives = so_far("MPI_Recv"), waits = so_far("MPI_Wait");
    const std::array<double, 5> mine{1.0 * rank, 2.0, 3.0, 4.0, 5.0};
    std::array<double, 5> theirs{};
    for (int i = 0; i < 3; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Isend(mine.data(), 5, MPI_DOUBLE, (rank + 1) % ranks, 7, comm, &request), "send");
        check(MPI_Recv(theirs.data(), 5, MPI_DOUBLE, (rank + ranks - 1) % ranks, 7, comm, MPI_STATUS_IGNORE),
              "receive");
        check(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
        EXPECT_EQ(theirs[0], (rank + ranks - 1) % ranks);
    }
    EXPECT_EQ(since(sends).count, 3);
    EXPECT_EQ(since(sends).bytes, 3 * 5 * 8);
    EXPECT_EQ(since(receives).count, 3);
    EXPECT_EQ(since(receives).bytes, 3 * 5 * 8);
    EXPECT_EQ(since(waits).count, 3);
    EXPECT_EQ(since(waits).bytes, 0);
    EXPECT_GT(since(sends).seconds, 0.0);
}

TEST(MpiCalls, WaitingForALateRankIsTimeInTheCall) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    if (size_of(comm) == 1) GTEST_SKIP() << "nobody to wait for";
    check(MPI_Barrier(comm), "meet");
    const MpiCall before = so_far("MPI_Barrier");
    if (rank_of(comm) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const double begin = now();
    check(MPI_Barrier(comm), "meet");
    const double outside = now() - begin;
    const MpiCall waited = since(before);
    EXPECT_EQ(waited.count, 1);
    EXPECT_LE(waited.seconds, outside);
    EXPECT_NEAR(waited.seconds, outside, 0.01 + 0.2 * outside);
    if (rank_of(comm) != 0) {
        EXPECT_GT(waited.seconds, 0.1);
    }
}

TEST(MpiCalls, EveryPollIsCounted) {
    const MpiCall before = so_far("MPI_Iprobe");
    for (int i = 0; i < 1000; ++i) {
        int there = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE), "look");
    }
    EXPECT_EQ(since(before).count, 1000);
    EXPECT_GT(since(before).seconds, 0.0);
}

TEST(MpiCalls, ThreadsAreAddedUp) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "one thread calls MPI";
    const MpiCall before = so_far("MPI_Iprobe");
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([] {
            int there = 0;
            for (int i = 0; i < 100; ++i)
                MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(since(before).count, 300) << "those of threads that have ended too";
}

TEST(MpiCalls, ACallWithinAnotherIsPartOfIt) {
    const MpiCall before = so_far("MPI_Barrier");
    {
        const CountedCall outer(mpi_calls().front().name == before.name ? 1 : 0, 0);
        check(MPI_Barrier(MPI_COMM_SELF), "meet");
    }
    EXPECT_EQ(since(before).count, 0);
    check(MPI_Barrier(MPI_COMM_SELF), "meet");
    EXPECT_EQ(since(before).count, 1);
}

}  // namespace
}  // namespace groundswell::parallel
