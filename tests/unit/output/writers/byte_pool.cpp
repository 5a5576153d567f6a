#include "groundswell/output/writers/byte_pool.hpp"

#include <gtest/gtest.h>

namespace {

using groundswell::output::BytePool;

constexpr std::int64_t record = std::int64_t{1} << 20;

std::vector<std::byte> memory(std::int64_t bytes) {
    return std::vector<std::byte>(static_cast<std::size_t>(bytes));
}

TEST(OutputBytePool, OneRecordLeavesItsMemoryToTheNext) {
    BytePool pool;
    std::vector<std::byte> first = memory(record);
    const std::byte* place = first.data();
    pool.give(std::move(first));
    EXPECT_EQ(pool.take(record, 0).data(), place);
    EXPECT_TRUE(pool.take(record, 0).empty());
}

// Else what waits would take more memory than it says.
TEST(OutputBytePool, MuchLargerMemoryIsNotTaken) {
    BytePool pool;
    pool.give(memory(4 * record));
    EXPECT_LT(pool.take(record, 8 * record).capacity(), static_cast<std::size_t>(4 * record));
    EXPECT_EQ(pool.bytes(), 4 * record);
}

TEST(OutputBytePool, KeepsNoMoreThanThereIsRoomFor) {
    BytePool pool;
    for (int i = 0; i < 4; ++i) pool.give(memory(record));
    EXPECT_EQ(static_cast<std::int64_t>(pool.take(record, 2 * record).capacity()), record);
    EXPECT_EQ(pool.bytes(), 2 * record);
    // A job that goes alone through a smaller buffer.
    EXPECT_TRUE(pool.take(9 * record, -record).empty());
    EXPECT_EQ(pool.bytes(), 0);
}

TEST(OutputBytePool, SmallPiecesAreLeftToTheHeap) {
    BytePool pool;
    pool.give(memory(100));
    EXPECT_EQ(pool.bytes(), 0);
    pool.give(memory(record));
    EXPECT_TRUE(pool.take(100, 0).empty());
    EXPECT_EQ(pool.bytes(), record);
}

}  // namespace
