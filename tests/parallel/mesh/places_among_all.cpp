// Where numbers of many ranks stand among each other.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <random>

#include "groundswell/mesh/places_among_all.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"

namespace {

using namespace groundswell;

TEST(PlacesAmongAll, CountThoseBelow) {
    const int rank = parallel::rank_of(MPI_COMM_WORLD), ranks = parallel::size_of(MPI_COMM_WORLD);
    std::mt19937 random(5);  // the same on all ranks
    for (const std::int64_t limit : {1, 7, 1000}) {
        std::vector<std::int64_t> mine, expected;
        std::int64_t below = 0;
        for (std::int64_t number = 0; number < limit; ++number) {
            const auto drawn = random();
            if (drawn % 3 == 0) continue;  // nobody has it
            if (static_cast<int>(drawn / 3 % static_cast<unsigned>(ranks)) == rank) {
                mine.push_back(number);
                expected.push_back(below);
            }
            ++below;
        }
        EXPECT_EQ(mesh::places_among_all(MPI_COMM_WORLD, limit, mine), expected) << limit;
    }
    EXPECT_TRUE(mesh::places_among_all(MPI_COMM_WORLD, 10, {}).empty());
}

}  // namespace
