// Many more ranks than cores. What a rank sends, holds and maps to find a plan and to exchange by it is the
// same among 16 ranks as among 64 (and no more than that among 4); and every transport brings the bits.
//
// The cells of a torus of 2^k × 2^k are numbered along the Z-curve, so that the 64 consecutive cells of a
// rank are a square of 8 × 8 with a ring of 36 needed cells around it, from eight neighbours (three among 4
// ranks):
//
//      0  1  4  5 16 …
//      2  3  6  7 18 …
//      8  9 12 13 24 …
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/allocations.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;
using halo::Memory;
using test::allocated_bytes;

constexpr std::int64_t square = 8;  // cells on a side of a rank's part

/// Every second bit of an id, from bit `first` on; and the id of a column and a row.
std::int64_t every_second_bit(std::int64_t id, int first) {
    std::int64_t bits = 0;
    for (int b = 0; b < 20; ++b) bits |= ((id >> (2 * b + first)) & 1) << b;
    return bits;
}
std::int64_t id_at(std::int64_t column, std::int64_t row) {
    std::int64_t id = 0;
    for (int b = 0; b < 20; ++b) id |= ((column >> b) & 1) << (2 * b) | ((row >> b) & 1) << (2 * b + 1);
    return id;
}

/// Of a torus over 4, 16 or 64 ranks.
Part square_part(int rank, int ranks) {
    std::int64_t side = square;
    while (side * side < square * square * ranks) side *= 2;
    Part part;
    const std::int64_t begin = square * square * rank;
    for (std::int64_t id = begin; id < begin + square * square; ++id) part.owned.push_back(id);
    const std::int64_t column = every_second_bit(begin, 0), row = every_second_bit(begin, 1);
    for (std::int64_t y = row - 1; y <= row + square; ++y) {
        for (std::int64_t x = column - 1; x <= column + square; ++x) {
            const bool inside = x >= column && x < column + square && y >= row && y < row + square;
            if (!inside) part.needed.push_back(id_at((x + side) % side, (y + side) % side));
        }
    }
    std::sort(part.needed.begin(), part.needed.end());  // owners are consecutive ids: grouped by owner
    return part;
}

/// Shared memory of ours that this process maps.
int mappings() {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);)
        count += line.find("/groundswell-") != std::string::npos;
    return count;
}

struct Costs {
    int ranks = 0;
    halo::Plan::Cost plan;
    // Allocated while the plan was found, and for a shared field and its transport, by the rank that needs
    // least: how much a vector grows depends on which of the neighbours come first, so ranks differ a little.
    std::int64_t plan_memory = 0;
    std::int64_t exchange_memory = 0;
    int mappings = 0;
};

Costs costs_among(MPI_Comm comm) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const Part part = square_part(rank, ranks);
    Costs costs;
    costs.ranks = ranks;
    std::int64_t before = allocated_bytes;
    const auto plan = make_plan(comm, part);
    costs.plan_memory = parallel::min(comm, allocated_bytes - before);
    costs.plan = plan->cost();

    before = allocated_bytes;
    const int mapped = mappings();
    const std::int64_t reading = allocated_bytes - before;
    Field<float> field(*plan, 10, 0, Memory::shared);
    const auto transport = halo::make_transport("shared", plan, field.channel());
    costs.exchange_memory = parallel::min(comm, allocated_bytes - before - reading);
    costs.mappings = mappings() - mapped;
    fill_owned(field, part, 1);
    transport->start(field.data());
    transport->finish();
    expect_exchanged(field, part, 1, std::to_string(ranks) + " ranks");
    return costs;
}

class ManyRanks : public testing::Test {
protected:
    parallel::Environment mpi{};
};

TEST_F(ManyRanks, CostsOfARankDoNotGrowWithTheRanks) {
    std::vector<Costs> of;
    for (const int ranks : {4, 16, 64}) {
        if (ranks > mpi.size()) break;
        const bool takes_part = mpi.rank() < ranks;
        const auto comm =
            parallel::Communicator::split(mpi.comm(), takes_part ? 0 : MPI_UNDEFINED, mpi.rank());
        if (takes_part) of.push_back(costs_among(comm.get()));
        MPI_Barrier(mpi.comm());
    }
    for (std::size_t i = 0; i < of.size(); ++i) {
        const Costs& costs = of[i];
        const int neighbours = costs.ranks == 4 ? 3 : 8;
        // To register the owned ids; to ask, to answer and to request.
        EXPECT_EQ(costs.plan.messages, 1 + 3 * neighbours);
        EXPECT_EQ(costs.plan.bytes, 64 * 8 + 36 * (8 + 4 + 8));
        // The field and the buffers of the transport, each this rank's and its neighbours'.
        EXPECT_EQ(costs.mappings, 2 * (1 + neighbours));
        if (i == 0 || costs.ranks == 16) continue;
        // An array of a byte a rank would show: 64 ranks have 48 more than 16.
        EXPECT_LT(costs.plan_memory, of[i - 1].plan_memory + 48);
        EXPECT_LT(costs.exchange_memory, of[i - 1].exchange_memory + 48);
    }
    if (mpi.rank() == 0) {
        for (const Costs& costs : of)
            std::printf("%lld messages, %lld bytes; %lld and %lld bytes allocated; %d mappings\n",
                        static_cast<long long>(costs.plan.messages), static_cast<long long>(costs.plan.bytes),
                        static_cast<long long>(costs.plan_memory),
                        static_cast<long long>(costs.exchange_memory), costs.mappings);
    }
}

TEST_F(ManyRanks, EveryTransportBringsTheBits) {
    const Part part = square_part(mpi.rank(), mpi.size());
    const auto plan = make_plan(mpi.comm(), part);
    Field<float> field(*plan, 100, 0, Memory::shared);
    for (const auto name : halo::transport_names()) {
        // `auto` would try all of them once more.
        if (name == "auto" || !halo::availability(name, *plan).available) continue;
        const auto transport = halo::make_transport(name, plan, field.channel());
        for (int round = 0; round < 2; ++round) {
            fill_owned(field, part, round);
            transport->start(field.data());
            transport->finish();
            expect_exchanged(field, part, round, std::string(name));
        }
    }
}

TEST_F(ManyRanks, SharedAcrossPretendedHosts) {
    const Part part = square_part(mpi.rank(), mpi.size());
    const auto plan = make_plan(mpi.comm(), part);
    setenv("GROUNDSWELL_TEST_HOSTS", "4,round-robin", 1);
    for (const Memory memory : {Memory::own, Memory::shared}) {
        Field<float> field(*plan, 100, 0, memory);
        const auto transport = halo::make_transport("shared", plan, field.channel());
        for (int round = 0; round < 5; ++round) {
            fill_owned(field, part, round);
            transport->start(field.data());
            transport->finish();
            expect_exchanged(field, part, round, "round " + std::to_string(round));
        }
    }
    unsetenv("GROUNDSWELL_TEST_HOSTS");
}

}  // namespace
