#include "groundswell/output/writers/byte_pool.hpp"

#include <gtest/gtest.h>

namespace {

using groundswell::output::BytePool;

constexpr std::int64_t bytes_of_record = std::int64_t{1} << 20;

std::vector<std::byte> memory(std::int64_t bytes) {
    return std::vector<std::byte>(static_cast<std::size_t>(bytes));
}

TEST(OutputBytePool, OneRecordLeavesItsMemoryToTheNext) {
    BytePool pool;
    std::vector<std::byte> first = memory(bytes_of_record);
    const std::byte* place = first.data();
    pool.give(std::move(first));
    EXPECT_EQ(pool.take(bytes_of_record, 0).data(), place);
    EXPECT_TRUE(pool.take(bytes_of_record, 0).empty());
}

// Else what waits would take more memory than it says.
TEST(OutputBytePool, MuchLargerMemoryIsNotTaken) {
    BytePool pool;
    pool.give(memory(4 * bytes_of_record));
    EXPECT_LT(pool.take(bytes_of_record, 8 * bytes_of_record).capacity(),
              static_cast<std::size_t>(4 * bytes_of_record));
    EXPECT_EQ(pool.bytes(), 4 * bytes_of_record);
}

TEST(OutputBytePool, KeepsNoMoreThanThereIsRoomFor) {
    BytePool pool;
    for (int i = 0; i < 4; ++i) pool.give(memory(bytes_of_record));
    EXPECT_EQ(static_cast<std::int64_t>(pool.take(bytes_of_record, 2 * bytes_of_record).capacity()),
              bytes_of_record);
    EXPECT_EQ(pool.bytes(), 2 * bytes_of_record);
    // A job that goes alone through a smaller buffer.
    EXPECT_TRUE(pool.take(9 * bytes_of_record, -bytes_of_record).empty());
    EXPECT_EQ(pool.bytes(), 0);
}

TEST(OutputBytePool, SmallPiecesAreLeftToTheHeap) {
    BytePool pool;
    pool.give(memory(100));
    EXPECT_EQ(pool.bytes(), 0);
    pool.give(memory(bytes_of_record));
    EXPECT_TRUE(pool.take(100, 0).empty());
    EXPECT_EQ(pool.bytes(), bytes_of_record);
}

}  // namespace
