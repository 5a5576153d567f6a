// The order in which a measurement takes its contestants.
#include "groundswell/halo/measure/measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using groundswell::halo::balanced_order;

TEST(HaloMeasurement, NoContestantHasAPlaceOrAPredecessorMoreOftenThanAnother) {
    for (int count = 1; count <= 9; ++count) {
        const auto size = static_cast<std::size_t>(count);
        for (const int first_round : {0, 5}) {
            std::vector<std::vector<int>> at(size, std::vector<int>(size)),
                after(size, std::vector<int>(size));
            for (int round = first_round; round < first_round + 2 * count; ++round) {
                const std::vector<int> order = balanced_order(round, count);
                ASSERT_EQ(order.size(), size);
                for (std::size_t place = 0; place < size; ++place) {
                    const auto one = static_cast<std::size_t>(order[place]);
                    ASSERT_LT(one, size);
                    ++at[one][place];
                    if (place > 0) ++after[one][static_cast<std::size_t>(order[place - 1])];
                }
            }
            for (std::size_t one = 0; one < size; ++one) {
                for (std::size_t other = 0; other < size; ++other) {
                    EXPECT_EQ(at[one][other], 2) << count << " contestants, place " << other;
                    EXPECT_EQ(after[one][other], one == other ? 0 : 2) << count << " contestants";
                }
            }
        }
    }
}

}  // namespace
