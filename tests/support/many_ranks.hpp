// What the start of a run costs each of many more ranks than there are cores, counted.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/allocations.hpp"

namespace groundswell::test {

/// Most bytes that this rank held at a time during `action`, besides what it held before.
inline std::int64_t peak_of(const std::function<void()>& action) {
    const std::int64_t before = held_bytes;
    peak_bytes = before;
    action();
    return peak_bytes - before;
}

/// The most of any rank but rank 0, which cuts the mesh, and rank 0's own.
struct Worst {
    std::int64_t others = 0, first = 0;
};
inline Worst worst(MPI_Comm comm, std::int64_t mine) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return {parallel::max(comm, rank == 0 ? std::int64_t{0} : mine),
            parallel::max(comm, rank == 0 ? mine : std::int64_t{0})};
}

struct Costs {
    int ranks = 0;
    Worst messages, sent, read, held;
};
inline Costs worst_costs(MPI_Comm comm, const parallel::ReadCost& cost, std::int64_t held) {
    Costs costs;
    MPI_Comm_size(comm, &costs.ranks);
    costs.messages = worst(comm, cost.messages);
    costs.sent = worst(comm, cost.bytes_sent);
    costs.read = worst(comm, cost.bytes_read);
    costs.held = worst(comm, held);
    return costs;
}
inline void print(const char* what, const Costs& costs) {
    std::printf(
        "%-22s %2d ranks: %lld messages, %lld bytes sent, %lld read, %lld held; rank 0: %lld, %lld, "
        "%lld, %lld\n",
        what, costs.ranks, static_cast<long long>(costs.messages.others),
        static_cast<long long>(costs.sent.others), static_cast<long long>(costs.read.others),
        static_cast<long long>(costs.held.others), static_cast<long long>(costs.messages.first),
        static_cast<long long>(costs.sent.first), static_cast<long long>(costs.read.first),
        static_cast<long long>(costs.held.first));
}

// Blocks of some hundred cells touch more or fewer others by chance: a quarter is left for that.
constexpr double chance = 1.25;

inline void expect_no_growth(std::int64_t now, std::int64_t before, const char* what, int ranks) {
    EXPECT_LE(static_cast<double>(now), chance * static_cast<double>(before)) << what << ", " << ranks;
}

/// Where nobody holds the mesh as a whole, rank 0 among 64 ranks needs no more than others do among 16. `one_answers_all`: one rank
/// sends each other one a message.
inline void expect_as_much_of_all(const std::vector<Costs>& of, bool one_answers_all = false) {
    for (const Costs& costs : of) {
        if (costs.ranks != 64) continue;
        const Costs& sixteen = of[2];
        for (const bool first : {false, true}) {
            const auto most = [&](const Worst& worst) { return first ? worst.first : worst.others; };
            expect_no_growth(most(costs.read), sixteen.read.others, "bytes read", 64);
            expect_no_growth(most(costs.held), sixteen.held.others, "bytes held", 64);
            // Cells are sorted in as many rounds as the number of ranks can be halved: six, not four.
            EXPECT_LE(2 * most(costs.sent), 3 * sixteen.sent.others);
            EXPECT_LE(2 * (most(costs.messages) - (one_answers_all ? costs.ranks : 0)),
                      3 * sixteen.messages.others);
        }
    }
}

/// A test on all ranks with a file that they share.
class StartAmongRanks : public testing::Test {
protected:
    void SetUp() override {
        int process = static_cast<int>(getpid());
        MPI_Bcast(&process, 1, MPI_INT, 0, mpi.comm());
        path = (std::filesystem::temp_directory_path() / ("gs_readers_" + std::to_string(process) + ".nc"))
                   .string();
    }
    void TearDown() override {
        on_rank_0([&] { std::filesystem::remove(path); });
    }

    void on_rank_0(const std::function<void()>& action) const {
        MPI_Barrier(mpi.comm());
        if (mpi.rank() == 0) action();
        MPI_Barrier(mpi.comm());
    }

    /// `measure` among the first 4, 8, 16 and 64 ranks, as far as there are so many; what it returned there,
    /// on all ranks.
    /// `prepare` runs before, on rank 0.
    std::vector<Costs> among(const char* what, const std::function<void(int ranks)>& prepare,
                             const std::function<Costs(MPI_Comm)>& measure) const {
        std::vector<Costs> of;
        for (const int ranks : {4, 8, 16, 64}) {
            if (ranks > mpi.size()) break;
            on_rank_0([&] { prepare(ranks); });
            const bool takes_part = mpi.rank() < ranks;
            const auto comm =
                parallel::Communicator::split(mpi.comm(), takes_part ? 0 : MPI_UNDEFINED, mpi.rank());
            of.push_back(takes_part ? measure(comm.get()) : Costs{});
            if (mpi.rank() == 0) print(what, of.back());
            MPI_Bcast(&of.back(), sizeof(Costs), MPI_BYTE, 0, mpi.comm());
        }
        return of;
    }

    parallel::Environment mpi{};
    std::string path;
};

}  // namespace groundswell::test
