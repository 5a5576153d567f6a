// lesser and greater choose one of two located values; the choice is the same in any order, so a tree of any
// shape over any ranks gives the same cell.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace {

using groundswell::parallel::greater;
using groundswell::parallel::lesser;
using groundswell::parallel::Located;
using groundswell::parallel::pretended_host;

TEST(Located, ChoiceIsTheSameInAnyOrder) {
    std::vector<Located> values = {{2.0, 5}, {-1.0, 9}, {-1.0, 4}, {2.0, 3}, {-0.0, 1}, {}};
    std::sort(values.begin(), values.end(), [](auto a, auto b) { return a.id < b.id; });
    do {
        Located least, most;
        for (const Located& value : values) {
            least = lesser(least, value);
            most = greater(value, most);
        }
        ASSERT_EQ(least.id, 4);
        ASSERT_EQ(least.value, -1.0);
        ASSERT_EQ(most.id, 3);
        ASSERT_EQ(most.value, 2.0);
    } while (std::next_permutation(values.begin(), values.end(), [](auto a, auto b) { return a.id < b.id; }));
}

TEST(Located, NotANumberIsNotHidden) {
    const Located bad{std::nan(""), 7};
    const Located good{1.0, 2};
    EXPECT_EQ(lesser(bad, good).id, 7);
    EXPECT_EQ(lesser(good, bad).id, 7);
    EXPECT_EQ(greater(good, bad).id, 7);
    EXPECT_EQ(greater(bad, Located{std::nan(""), 3}).id, 3);
    EXPECT_EQ(greater(Located{}, good).id, 2);
}

// Ranks 0..4 on 2 hosts: 0 0 0 1 1, blocks that differ by one at most, every host used.
TEST(Placement, PretendedHostsAreEvenBlocks) {
    for (int ranks = 1; ranks <= 20; ++ranks) {
        for (int hosts = 1; hosts <= ranks; ++hosts) {
            std::vector<int> count(static_cast<std::size_t>(hosts), 0);
            int last = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const int host = pretended_host(rank, ranks, hosts);
                ASSERT_GE(host, last);
                ASSERT_LT(host, hosts);
                last = host;
                ++count[static_cast<std::size_t>(host)];
            }
            const auto [least, most] = std::minmax_element(count.begin(), count.end());
            EXPECT_LE(*most - *least, 1);
        }
    }
}

}  // namespace
