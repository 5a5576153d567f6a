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
            MpiTraffic(after.bytes.sent - before.bytes.sent, after.bytes.received - before.bytes.received)};
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
    EXPECT_EQ(since(sends).bytes.sent, 3 * 5 * 8);
    EXPECT_EQ(since(sends).bytes.received, 0);
    EXPECT_EQ(since(receives).count, 3);
    EXPECT_EQ(since(receives).bytes.received, 3 * 5 * 8);
    EXPECT_EQ(since(receives).bytes.sent, 0);
    EXPECT_EQ(since(waits).count, 3);
    EXPECT_EQ(since(waits).bytes.sent + since(waits).bytes.received, 0);
    EXPECT_GT(since(sends).seconds, 0.0);
}

// A root sends to all, or receives of all; the others the other way round.
TEST(MpiCalls, SentAndReceivedAreToldApartInCollectives) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    const int ranks = size_of(comm);
    const bool root = rank_of(comm) == 0;
    const MpiCall sent = so_far("MPI_Bcast"), gathered = so_far("MPI_Gather"), all = so_far("MPI_Alltoallv");
    std::array<double, 3> values{1.0, 2.0, 3.0};
    std::vector<double> of_all(3 * static_cast<std::size_t>(ranks));
    check(MPI_Bcast(values.data(), 3, MPI_DOUBLE, 0, comm), "tell all");
    check(MPI_Gather(values.data(), 3, MPI_DOUBLE, of_all.data(), 3, MPI_DOUBLE, 0, comm), "gather");
    // Rank r sends one number to each, and so receives one of each; of the last rank two.
    const bool last = rank_of(comm) == ranks - 1;
    std::vector<int> counts(static_cast<std::size_t>(ranks), last ? 2 : 1), places = counts, rooms = counts;
    std::ranges::fill(rooms, 1);
    rooms.back() = 2;
    for (int i = 0; i < ranks; ++i) places[i] = (last ? 2 : 1) * i;
    std::vector<int> received_places(rooms.size());
    for (int i = 0; i < ranks; ++i) received_places[i] = i;
    std::vector<double> outgoing(2 * counts.size()), incoming(2 * counts.size());
    check(MPI_Alltoallv(outgoing.data(), counts.data(), places.data(), MPI_DOUBLE, incoming.data(),
                        rooms.data(), received_places.data(), MPI_DOUBLE, comm),
          "exchange");
    EXPECT_EQ(since(sent).bytes.sent, root ? 24 : 0);
    EXPECT_EQ(since(sent).bytes.received, root ? 0 : 24);
    EXPECT_EQ(since(gathered).bytes.sent, 24);
    EXPECT_EQ(since(gathered).bytes.received, root ? 24 * ranks : 0);
    EXPECT_EQ(since(all).bytes.sent, 8 * ranks * (last ? 2 : 1));
    EXPECT_EQ(since(all).bytes.received, 8 * (ranks + 1));
}

TEST(MpiCalls, CallsBelongToThePhaseInWhichTheyAreMade) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    Profile profile;
    const Phase mine = profile.add_phase("mine", PhaseKind::service);
    const auto of = [&](Phase phase) {
        return mpi_calls_by_place(profile.phases())[static_cast<std::size_t>(phase) + 1];
    };
    const auto nowhere = [&] { return mpi_calls_by_place(profile.phases()).front().count; };
    const std::int64_t before = of(mine).count, waits = of(Phase::exchange_wait).count, outside = nowhere();
    check(MPI_Barrier(comm), "meet");
    EXPECT_EQ(nowhere() - outside, 1) << "the profile does not run yet";
    profile.start();
    {
        const PhaseTimer outer(profile, mine);
        check(MPI_Barrier(comm), "meet");
        {
            const PhaseTimer inner(profile, Phase::exchange_wait);
            check(MPI_Barrier(comm), "meet");
            check(MPI_Barrier(comm), "meet");
        }
        double value = 1.0;
        check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm), "add up");
        std::thread([] {
            int flag = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        }).join();
    }
    profile.stop();
    check(MPI_Barrier(comm), "meet");
    EXPECT_EQ(of(mine).count - before, 2);
    EXPECT_EQ(of(Phase::exchange_wait).count - waits, 2);
    EXPECT_EQ(nowhere() - outside, 3) << "two of this thread, one of another";
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
