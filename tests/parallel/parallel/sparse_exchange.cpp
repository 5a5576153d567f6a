// Sparse exchange: what was sent arrives, once, at whom it was sent to; receivers did not know.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <random>
#include <vector>

#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace {

using namespace groundswell;
using parallel::Parcel;

/// What rank `from` sends to rank `to` in a round: the same on all ranks, so a receiver knows what to expect.
std::vector<int> message(int round, int from, int to) {
    std::mt19937 random(static_cast<unsigned>(round * 10007 + from * 101 + to));
    if (random() % 2 == 0) return {};
    std::vector<int> values(random() % 3000);
    for (int& value : values) value = static_cast<int>(random());
    values.push_back(from);
    return values;
}

TEST(SparseExchange, EverythingArrivesOnceSortedBySource) {
    parallel::Environment mpi;
    parallel::SparseExchange exchange(mpi.comm());
    // Many rounds in a row, without a barrier: messages of the next round must not be taken for this one's.
    for (int round = 0; round < 200; ++round) {
        std::vector<Parcel> outgoing;
        for (int to = 0; to < mpi.size(); ++to) {
            const std::vector<int> values = message(round, mpi.rank(), to);
            if (!values.empty()) outgoing.push_back(parallel::pack_parcel<int>(to, values));
        }
        std::reverse(outgoing.begin(), outgoing.end());
        const std::vector<Parcel> incoming = exchange(outgoing);
        std::size_t next = 0;
        for (int from = 0; from < mpi.size(); ++from) {
            const std::vector<int> expected = message(round, from, mpi.rank());
            if (expected.empty()) continue;
            ASSERT_LT(next, incoming.size());
            EXPECT_EQ(incoming[next].rank, from);
            EXPECT_EQ(parallel::unpack_parcel<int>(incoming[next]), expected);
            ++next;
        }
        EXPECT_EQ(next, incoming.size());
    }
}

// Short messages arrive at once, so a rank that is ahead can reach one that has not left the round before.
TEST(SparseExchange, RoundsDoNotMix) {
    parallel::Environment mpi;
    parallel::SparseExchange exchange(mpi.comm());
    int wrong = 0;  // counted, because a rank that stops early would leave the others waiting
    for (int round = 0; round < 2000; ++round) {
        std::vector<Parcel> outgoing;
        for (int to = 0; to < mpi.size(); ++to) {
            if ((round + mpi.rank() + to) % 2 == 0)
                outgoing.push_back(parallel::pack_parcel<int>(to, std::vector<int>{round}));
        }
        for (const Parcel& parcel : exchange(outgoing)) {
            wrong += parallel::unpack_parcel<int>(parcel) != std::vector<int>{round};
        }
    }
    EXPECT_EQ(wrong, 0);
}

TEST(SparseExchange, KeepsTheOrderOfParcelsToOneRank) {
    parallel::Environment mpi;
    parallel::SparseExchange exchange(mpi.comm());
    std::vector<Parcel> outgoing;
    const int next = (mpi.rank() + 1) % mpi.size();
    for (int i = 0; i < 50; ++i) outgoing.push_back(parallel::pack_parcel<int>(next, std::vector<int>(i, i)));
    const std::vector<Parcel> incoming = exchange(outgoing);
    ASSERT_EQ(incoming.size(), 50U);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(parallel::unpack_parcel<int>(incoming[i]), std::vector<int>(i, i));
    EXPECT_EQ(exchange.messages_sent(), 50);
    EXPECT_EQ(exchange.bytes_sent(), static_cast<std::int64_t>(49 * 50 / 2 * sizeof(int)));
}

TEST(SparseExchange, NobodySendsAnything) {
    parallel::Environment mpi;
    parallel::SparseExchange exchange(mpi.comm());
    EXPECT_TRUE(exchange({}).empty());
}

}  // namespace
