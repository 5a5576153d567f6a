#include "groundswell/halo/exchange/lateness.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace groundswell::halo {
namespace {

// This rank came at 1, 2 and 3 s; its last neighbour a quarter second later, long before, and much later.
TEST(HaloLateness, IsWaitingUntilTheLastNeighbourCame) {
    const std::vector<Arrival> mine = {{1.0, 0.5}, {2.0, 0.1}, {3.0, 0.4}};
    const Waits waits = split_waits(mine, std::vector{1.25, 1.5, 9.0});
    EXPECT_EQ(waits.exchanges, 3);
    EXPECT_DOUBLE_EQ(waits.late, (0.25 + 0.0 + 0.4) / 3);
    EXPECT_DOUBLE_EQ(waits.message, (0.25 + 0.1 + 0.0) / 3);
}

TEST(HaloLateness, OfNothingIsNothing) {
    const Waits waits = split_waits({}, {});
    EXPECT_EQ(waits.exchanges, 0);
    EXPECT_EQ(waits.late + waits.message, 0.0);
}

}  // namespace
}  // namespace groundswell::halo
