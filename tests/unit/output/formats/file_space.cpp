#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "groundswell/output/formats/file_space.hpp"

namespace {

using groundswell::output::FileSpace;

// Against a list of bytes that are in use: nothing is given twice, what was given back is used again, and the
// end is that of the last byte in use.
TEST(OutputFileSpace, NeverGivesAByteTwice) {
    std::mt19937 random(7);
    FileSpace space(16);
    std::vector<char> used(16, 1);
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    std::int64_t in_use = 16, most = 16;
    for (int step = 0; step < 4000; ++step) {
        if (taken.empty() || random() % 5 < 3) {
            const auto bytes = static_cast<std::int64_t>(1 + random() % 40);
            const std::int64_t begin = space.take(bytes);
            if (used.size() < static_cast<std::size_t>(begin + bytes))
                used.resize(static_cast<std::size_t>(begin + bytes));
            for (std::int64_t at = begin; at < begin + bytes; ++at) {
                ASSERT_EQ(used[static_cast<std::size_t>(at)], 0) << "byte " << at;
                used[static_cast<std::size_t>(at)] = 1;
            }
            taken.emplace_back(begin, bytes);
            in_use += bytes;
        } else {
            std::swap(taken[random() % taken.size()], taken.back());
            const auto [begin, bytes] = taken.back();
            taken.pop_back();
            space.give_back(begin, bytes);
            for (std::int64_t at = begin; at < begin + bytes; ++at) used[static_cast<std::size_t>(at)] = 0;
            in_use -= bytes;
        }
        while (used.back() == 0) used.pop_back();
        ASSERT_EQ(space.end(), static_cast<std::int64_t>(used.size()));
        most = std::max(most, in_use);
    }
    EXPECT_LT(space.end(), 2 * most);
    for (const auto& [begin, bytes] : taken) space.give_back(begin, bytes);
    EXPECT_EQ(space.end(), 16);
    EXPECT_EQ(space.take(5), 16);
}

}  // namespace
