// A plan pairs every needed id with its one owner; both sides of a link agree on what is sent, in which
// order.
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"
#include "support/halo_graph.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Link;
using halo::Plan;

class HaloPlan : public testing::Test {
protected:
    parallel::Environment mpi{};

    /// What each destination is sent, told to it by a way of its own, must be what it needs from this rank.
    void expect_links_match(const Plan& plan, const Part& part) {
        std::vector<parallel::Parcel> told;
        for (const Link& link : plan.destinations()) {
            std::vector<std::int64_t> ids;
            for (int i = 0; i < link.count; ++i) {
                ids.push_back(part.owned[static_cast<std::size_t>(plan.pack_index()[link.first + i])]);
            }
            told.push_back(parallel::pack_parcel<std::int64_t>(link.rank, ids));
        }
        parallel::SparseExchange exchange(mpi.comm());
        const auto heard = exchange(told);
        ASSERT_EQ(heard.size(), plan.sources().size());
        std::vector<bool> filled(part.needed.size(), false);
        for (std::size_t k = 0; k < heard.size(); ++k) {
            const Link& link = plan.sources()[k];
            EXPECT_EQ(link.rank, heard[k].rank);
            const auto ids = parallel::unpack_parcel<std::int64_t>(heard[k]);
            ASSERT_EQ(ids.size(), static_cast<std::size_t>(link.count));
            for (std::size_t i = 0; i < ids.size(); ++i) {
                const auto position = static_cast<std::size_t>(plan.unpack_position()[link.first + i]);
                EXPECT_EQ(ids[i], part.needed[position]);
                EXPECT_FALSE(filled[position]);
                filled[position] = true;
            }
        }
        EXPECT_EQ(std::count(filled.begin(), filled.end(), true), plan.needed());
    }
};

TEST_F(HaloPlan, BothSidesAgreeOnEveryLink) {
    for (const Order order : {Order::grouped, Order::shuffled}) {
        for (int idle = 0; idle < 2; ++idle) {
            for (unsigned seed = 1; seed <= 5; ++seed) {
                const Part part = random_part(mpi.rank(), mpi.size(), idle, 40 * seed, order, seed);
                expect_links_match(*make_plan(mpi.comm(), part), part);
            }
        }
    }
}

TEST_F(HaloPlan, IdsGroupedByOwnerLandInPlace) {
    EXPECT_TRUE(make_plan(mpi.comm(), random_part(mpi.rank(), mpi.size(), 0, 300, Order::grouped, 1))
                    ->lands_in_place());
    const auto shuffled =
        make_plan(mpi.comm(), random_part(mpi.rank(), mpi.size(), 0, 300, Order::shuffled, 1));
    EXPECT_EQ(shuffled->lands_in_place(), mpi.size() < 3) << "with one source any order stands together";
}

// The line 0-1-2-…: rank r owns 10 ids and needs the one before and the one after; the ends of the line have
// one neighbour. A period closes it, which makes a rank that is alone its own neighbour.
TEST_F(HaloPlan, LineOfIds) {
    for (const bool periodic : {false, true}) {
        const std::int64_t n = 10 * mpi.size();
        Part part;
        for (std::int64_t i = 0; i < 10; ++i) part.owned.push_back(10 * mpi.rank() + i);
        const std::int64_t before = part.owned.front() - 1;
        const std::int64_t after = part.owned.back() + 1;
        if (periodic || before >= 0) part.needed.push_back((before + n) % n);
        if (periodic || after < n) part.needed.push_back(after % n);
        const auto plan = make_plan(mpi.comm(), part);
        expect_links_match(*plan, part);
        if (periodic && mpi.size() == 1) {
            ASSERT_EQ(plan->sources().size(), 1U);
            EXPECT_EQ(plan->sources()[0].rank, 0);
            EXPECT_EQ(plan->sources()[0].count, 2);
        }
        // Registering, asking, answering and requesting: at most two homes or neighbours on each side for
        // each of them, and this does not grow with the ranks.
        EXPECT_LE(plan->cost().messages, 2 + 4 + 4 + 2);
        EXPECT_LE(plan->cost().bytes, 8 * 10 + 4 * 8 * 4);
    }
}

TEST_F(HaloPlan, NobodyOwnsAnything) {
    const auto plan = make_plan(mpi.comm(), {});
    EXPECT_EQ(plan->owned(), 0);
    EXPECT_TRUE(plan->sources().empty());
    EXPECT_TRUE(plan->destinations().empty());
}

/// The message with which all ranks refuse a plan.
std::string refusal(MPI_Comm comm, const Part& part) {
    try {
        const Plan plan(comm, part.owned, part.needed);
    } catch (const base::Refusal& error) {
        return error.what();
    }
    return "";
}

/// "ranks 0, 1 and 2" of all ranks here.
std::string all_ranks(int ranks) {
    std::string list = ranks == 1 ? "rank 0" : "ranks 0";
    for (int rank = 1; rank < ranks; ++rank)
        list += (rank + 1 < ranks ? ", " : " and ") + std::to_string(rank);
    return list;
}

TEST_F(HaloPlan, RefusesAnIdThatNobodyOwns) {
    const std::string last = "needed by rank " + std::to_string(mpi.size() - 1);
    Part part{{mpi.rank()}, {}};
    if (mpi.rank() == mpi.size() - 1) part.needed = {1000};
    std::string message = refusal(mpi.comm(), part);
    EXPECT_NE(message.find("needed id = 1000"), std::string::npos) << message;
    EXPECT_TRUE(message.ends_with(last)) << message;

    // The lowest of several, with all ranks that need it: that is found by the rank which keeps its owner, so
    // ids below, within and above all owned ones are tried.
    for (const std::int64_t id : {0, 5, 4000}) {
        part = {{2 + 2 * mpi.rank()}, {2, id, id, 4001}};
        message = refusal(mpi.comm(), part);
        EXPECT_NE(message.find("needed id = " + std::to_string(id)), std::string::npos) << message;
        EXPECT_TRUE(message.ends_with("needed by " + all_ranks(mpi.size()))) << message;
    }
    message = refusal(mpi.comm(), {{}, {3}});
    EXPECT_NE(message.find("needed id = 3"), std::string::npos) << "where nobody owns anything: " << message;
}

TEST_F(HaloPlan, RefusesAnIdOwnedTwice) {
    // Rank 0 and the last own 500; alone, rank 0 owns it twice.
    Part part{{mpi.rank()}, {}};
    if (mpi.rank() == 0) part.owned.push_back(500);
    if (mpi.rank() == mpi.size() - 1) part.owned.push_back(500);
    std::string message = refusal(mpi.comm(), part);
    EXPECT_NE(message.find("owned id = 500"), std::string::npos) << message;
    const std::string last = std::to_string(mpi.size() - 1);
    EXPECT_TRUE(
        message.ends_with(mpi.size() == 1 ? "owned by rank 0, 2 times" : "owned by ranks 0 and " + last))
        << message;

    if (mpi.size() == 1) return;
    part = {{100 + mpi.rank(), 7}, {}};
    message = refusal(mpi.comm(), part);
    EXPECT_NE(message.find("owned id = 7"), std::string::npos) << message;
    EXPECT_TRUE(message.ends_with("owned by " + all_ranks(mpi.size()))) << message;
}

TEST_F(HaloPlan, RefusesNegativeIds) {
    const Part part{{mpi.rank() == 0 ? std::int64_t{-5} : mpi.rank()}, {}};
    EXPECT_NE(refusal(mpi.comm(), part).find("id = -5"), std::string::npos);
}

TEST_F(HaloPlan, NeededIdsMayStandAnywhereBehindTheOwnedOnes) {
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 300, Order::grouped, 1);
    const auto owned = static_cast<std::int32_t>(part.owned.size());
    std::vector<std::int32_t> index;
    for (std::size_t q = 0; q < part.needed.size(); ++q)
        index.push_back(owned + 10 + static_cast<std::int32_t>(q));
    const Plan behind(mpi.comm(), part.owned, part.needed, index);
    expect_links_match(behind, part);
    EXPECT_TRUE(behind.lands_in_place());
    EXPECT_EQ(behind.needed_begin(), part.needed.empty() ? owned : owned + 10);
    EXPECT_EQ(behind.ids(), part.needed.empty() ? owned : index.back() + 1);
    for (std::size_t i = 0; i < part.needed.size(); ++i)
        EXPECT_EQ(behind.unpack_index()[i], index[static_cast<std::size_t>(behind.unpack_position()[i])]);
}

TEST_F(HaloPlan, RefusesPlacesOfNeededIdsThatAreTaken) {
    const std::vector<std::int64_t> owned{2 * mpi.rank(), 2 * mpi.rank() + 1};
    const std::vector<std::int64_t> needed{0, 1};
    const auto refusal = [&](const std::vector<std::int32_t>& index) -> std::string {
        try {
            const Plan plan(mpi.comm(), owned, needed, index);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return "";
    };
    for (const auto& [index, words] :
         {std::pair{std::vector{2, 1}, "= 1: expected at least 2, behind the owned ids"},
          {std::vector{7, 7}, "= 7: expected a different one for each needed id"},
          {std::vector{3}, "= 1: expected one for each of the 2"}}) {
        const std::string message = refusal(mpi.rank() == 0 ? index : std::vector{9, 4});
        EXPECT_NE(message.find(words), std::string::npos) << message;
    }
}

}  // namespace
