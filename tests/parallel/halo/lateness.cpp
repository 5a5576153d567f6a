#include "groundswell/halo/exchange/lateness.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "groundswell/parallel/environment.hpp"

namespace groundswell::halo {
namespace {

// A ring: each rank needs an id of the one before it.
Plan ring(const parallel::Environment& mpi) {
    const std::vector<std::int64_t> owned = {mpi.rank()};
    const std::vector<std::int64_t> needed = {(mpi.rank() + mpi.size() - 1) % mpi.size()};
    return {mpi.comm(), owned, needed};
}

// Rank r arrives at r seconds, and all wait 10 s: for a rank in front that is late 1 s of it, for the last
// rank, on which rank 0 waits, as many as there are ranks less one. More exchanges than are kept.
TEST(HaloLatenessOfRanks, IsThatOfTheNeighbourAndNotOfAll) {
    const parallel::Environment mpi;
    const Plan plan = ring(mpi);
    for (const int exchanges : {3, 5000}) {
        Lateness lateness(mpi.comm());
        for (int i = 0; i < exchanges; ++i) lateness.record(100.0 * i + mpi.rank(), 10.0);
        const Waits waits = lateness.waits(plan);
        EXPECT_EQ(waits.exchanges, exchanges == 3 ? 3 : 625) << "of 5000 every eighth is kept";
        const double late = mpi.size() > 1 && mpi.rank() == 0 ? mpi.size() - 1.0 : 0.0;
        EXPECT_NEAR(waits.late, late, 1e-3);
        EXPECT_NEAR(waits.message, 10.0 - late, 1e-3);
    }
}

}  // namespace
}  // namespace groundswell::halo
