// Who sends how much to whom.
#include "groundswell/halo/measure/measurement.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <vector>

namespace {

using namespace groundswell;
using halo::Plan;

// Rank r owns ids 100 r … 100 r + 99 and needs the first s + 1 of those of every other rank s but its
// predecessor's: bytes depend on the sender, and there is no way back where there is a way.
class HaloByteMatrix : public testing::Test {
protected:
    HaloByteMatrix() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    }
    bool sends(int sender, int receiver) const {
        return sender != receiver && (sender + 1) % ranks_ != receiver;
    }
    Plan make_plan() const {
        std::vector<std::int64_t> owned, needed;
        for (int i = 0; i < 100; ++i) owned.push_back(100 * rank_ + i);
        for (int s = 0; s < ranks_; ++s)
            for (int i = 0; sends(s, rank_) && i <= s; ++i) needed.push_back(100 * s + i);
        return Plan(MPI_COMM_WORLD, owned, needed);
    }

    int rank_ = 0, ranks_ = 1;
};

TEST_F(HaloByteMatrix, RowsSendAndColumnsReceive) {
    const Plan plan = make_plan();
    const auto matrix = halo::byte_matrix(plan, halo::received_bytes(plan, 24));
    if (rank_ != 0) {
        EXPECT_TRUE(matrix.empty());
        return;
    }
    ASSERT_EQ(matrix.size(), static_cast<std::size_t>(ranks_));
    for (int sender = 0; sender < ranks_; ++sender) {
        const auto& row = matrix[static_cast<std::size_t>(sender)];
        ASSERT_EQ(row.size(), static_cast<std::size_t>(ranks_));
        for (int receiver = 0; receiver < ranks_; ++receiver)
            EXPECT_EQ(row[static_cast<std::size_t>(receiver)],
                      sends(sender, receiver) ? 24 * (sender + 1) : 0)
                << sender << " to " << receiver;
    }
}

TEST_F(HaloByteMatrix, ASelectionCountsItsOwnValuesOnly) {
    const Plan plan = make_plan();
    halo::Selection selection{4, 2, 3, {}};  // two rows of three values of four bytes
    for (std::int32_t q = 0; q < plan.needed(); ++q) selection.needed.push_back({0, q % 3});
    const std::vector<std::int64_t> received = halo::received_bytes(plan, 24, &selection);
    ASSERT_EQ(received.size(), plan.sources().size());
    std::int32_t q = 0;
    for (std::size_t k = 0; k < received.size(); ++k) {
        std::int64_t values = 0;
        for (int i = 0; i <= plan.sources()[k].rank; ++i) values += q++ % 3;
        EXPECT_EQ(received[k], values * 2 * 4) << "from rank " << plan.sources()[k].rank;
    }
}

}  // namespace
