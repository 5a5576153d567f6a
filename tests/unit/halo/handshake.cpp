// The flags of shared memory between threads, over plain memory: a reader sees the values of the exchange
// that it was promised, whole, and the owner never writes while somebody reads. The same file is compiled
// once more under the thread sanitizer, which sees a wrong memory order even where the processor forgives it.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "groundswell/halo/host/handshake.hpp"

namespace {

using groundswell::halo::Handshake;
using groundswell::halo::Patience;
using groundswell::halo::Whereabouts;

/// Zeroed memory as the constructor wants it.
class Lines {
public:
    explicit Lines(std::size_t bytes) : bytes_(bytes + Handshake::alignment) {}
    std::byte* at(std::size_t offset) {
        const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
        const std::uintptr_t past = begin % Handshake::alignment;
        return bytes_.data() + (past == 0 ? 0 : Handshake::alignment - past) + offset;
    }

private:
    std::vector<std::byte> bytes_;
};

TEST(HaloHandshake, SaysNothingAtFirst) {
    Lines memory(Handshake::bytes(2));
    const Handshake link(memory.at(0), 2);
    EXPECT_FALSE(link.published(1));
    EXPECT_FALSE(link.released(1));
    EXPECT_TRUE(link.released(0)) << "before the first exchange the owner may write";
}

TEST(HaloHandshake, TellsNumberAndWhereabouts) {
    for (const std::size_t channels : {1U, 3U, 20U}) {
        Lines memory(2 * Handshake::bytes(channels));
        const Handshake link(memory.at(0), channels);
        const Handshake next(memory.at(Handshake::bytes(channels)), channels);
        std::vector<Whereabouts> where(channels);
        for (std::size_t c = 0; c < channels; ++c) where[c] = {c + 1, 100 * c};
        link.publish(1, where);
        EXPECT_TRUE(link.published(1));
        EXPECT_FALSE(link.published(2));
        EXPECT_FALSE(link.released(1));
        for (std::size_t c = 0; c < channels; ++c) {
            EXPECT_EQ(link.where(c).memory, c + 1);
            EXPECT_EQ(link.where(c).offset, 100 * c);
        }
        link.release(1);
        EXPECT_TRUE(link.released(1));
        EXPECT_FALSE(link.released(2));
        EXPECT_FALSE(next.published(1)) << "the handshake beside it is untouched";
        EXPECT_FALSE(next.released(1));
    }
}

// A ring: every thread owns values that its two neighbours read, and alternates between two blocks of them as
// a model does. The values are plain memory; the flags alone keep readers and writers apart.
TEST(HaloHandshake, RingOfThreads) {
    constexpr int ranks = 5;
    constexpr std::uint64_t exchanges = 400;
    constexpr std::size_t length = 300;
    struct Rank {
        std::array<std::vector<std::uint64_t>, 2> block{std::vector<std::uint64_t>(length),
                                                        std::vector<std::uint64_t>(length)};
    };
    std::vector<Rank> all(ranks);
    const std::size_t size = Handshake::bytes(1);
    Lines memory(ranks * 2 * size);
    // Side 0: read by the rank before; side 1: by the rank after.
    const auto link = [&](int owner, int side) {
        return Handshake(memory.at(static_cast<std::size_t>(2 * owner + side) * size), 1);
    };
    std::atomic<std::int64_t> wrong{0};
    std::atomic<std::int64_t> waited{0};

    const auto run = [&](int rank) {
        const std::array sources{(rank + 1) % ranks, (rank + ranks - 1) % ranks};
        std::int64_t bad = 0;
        std::int64_t rests = 0;
        for (std::uint64_t e = 1; e <= exchanges; ++e) {
            auto& mine = all[static_cast<std::size_t>(rank)].block[e % 2];
            for (std::size_t i = 0; i < length; ++i) mine[i] = 1000 * e + static_cast<std::uint64_t>(rank);
            const Whereabouts where{e % 2, 8};
            for (int side = 0; side < 2; ++side) link(rank, side).publish(e, {&where, 1});
            for (int side = 0; side < 2; ++side) {
                const int source = sources[static_cast<std::size_t>(side)];
                const Handshake from = link(source, side);
                Patience patience;
                while (!from.published(e)) patience.rest([&] { ++rests; });
                const Whereabouts there = from.where(0);
                const auto& theirs = all[static_cast<std::size_t>(source)].block[there.memory];
                for (std::size_t i = there.offset / 8; i < length; ++i)
                    bad += theirs[i] != 1000 * e + static_cast<std::uint64_t>(source);
                from.release(e);
            }
            for (int side = 0; side < 2; ++side) {
                Patience patience;
                while (!link(rank, side).released(e)) patience.rest([&] { ++rests; });
            }
            // Only now may it write: a reader that is not done would see this.
            std::fill(mine.begin(), mine.end(), 0);
        }
        wrong += bad;
        waited += rests;
    };
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(run, rank);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(waited, 0) << "five threads wait for each other now and then";
}

}  // namespace
