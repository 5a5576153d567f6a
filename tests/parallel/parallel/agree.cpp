// An error met by some ranks is thrown by all, once spoken of; a value comes back where all is well.
#include <gtest/gtest.h>
#include <mpi.h>

#include <new>
#include <stdexcept>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace {

using namespace groundswell;

class Agree : public testing::Test {
protected:
    parallel::Environment mpi{};
};

TEST_F(Agree, ReturnsTheValueOfEachRank) {
    EXPECT_EQ(parallel::agree(mpi.comm(), [&] { return std::to_string(mpi.rank()); }),
              std::to_string(mpi.rank()));
    EXPECT_NO_THROW(parallel::agree(mpi.comm(), [] {}));
}

TEST_F(Agree, EveryRankThrowsWhatTheLowestFailingRankThrew) {
    // All ranks but 0 fail (alone, rank 0 does), each with a message of its own.
    const int lowest = mpi.size() > 1 ? 1 : 0;
    try {
        parallel::agree(mpi.comm(), [&]() -> int {
            if (mpi.rank() >= lowest) base::refuse("rank " + std::to_string(mpi.rank()), "key", "1", "2");
            return 0;
        });
        FAIL() << "no error on rank " << mpi.rank();
    } catch (const base::Refusal& error) {
        EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(lowest) + ": key = 1: expected 2");
        const auto* agreed = dynamic_cast<const parallel::Agreed*>(&error);
        ASSERT_NE(agreed, nullptr);
        EXPECT_EQ(agreed->failing_rank(), lowest);
        EXPECT_EQ(parallel::sum(mpi.comm(), std::int64_t{agreed->speaks()}), 1) << "one rank speaks";
    }
}

TEST_F(Agree, KeepsTheKindOfTheError) {
    const auto last_rank_throws = [&](auto error) {
        return [this, error] {
            if (mpi.rank() == mpi.size() - 1) throw error;
        };
    };
    EXPECT_THROW(parallel::agree(mpi.comm(), last_rank_throws(base::RunFailure("disk"))), base::RunFailure);
    EXPECT_THROW(parallel::agree(mpi.comm(), last_rank_throws(base::Defect("ours"))), base::Defect);
    EXPECT_THROW(parallel::agree(mpi.comm(), last_rank_throws(std::bad_alloc())), base::RunFailure);
    EXPECT_THROW(parallel::agree(mpi.comm(), last_rank_throws(std::runtime_error("?"))), base::Defect);
    EXPECT_THROW(parallel::agree(mpi.comm(), last_rank_throws(42)), base::Defect);
}

TEST_F(Agree, ExitCodeIsTheSameOnAllRanks) {
    testing::internal::CaptureStderr();
    const int code = parallel::run_to_exit_code(mpi.comm(), [&] {
        parallel::agree(mpi.comm(), [&] {
            if (mpi.rank() == mpi.size() - 1) throw base::RunFailure("the disk is full");
        });
        return 0;
    });
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(code, 3);
    EXPECT_EQ(said.find("the disk is full") != std::string::npos, mpi.rank() == mpi.size() - 1);
    EXPECT_EQ(parallel::run_to_exit_code(mpi.comm(), [] { return 1; }), 1);
}

TEST_F(Agree, MpiReturnCodesBecomeRunFailures) {
    // A rank that does not exist: the library returns its error instead of ending the program.
    const int nobody = mpi.size();
    EXPECT_THROW(parallel::check(MPI_Send(nullptr, 0, MPI_BYTE, nobody, 0, mpi.comm()), "send to nobody"),
                 base::RunFailure);
}

TEST_F(Agree, EnvironmentTellsTheLibrary) {
    const parallel::Library mpi_library = parallel::library();
    EXPECT_FALSE(mpi_library.name.empty());
    EXPECT_NE(mpi_library.version.find('.'), std::string::npos) << mpi_library.version;
    EXPECT_NE(mpi_library.standard.find('.'), std::string::npos);
}

}  // namespace
