// Which host each rank sits on, real and pretended.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/placement.hpp"

namespace {

using namespace groundswell;
using parallel::HostOrder;

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

class Placement : public testing::Test {
protected:
    void TearDown() override { unsetenv("GROUNDSWELL_TEST_HOSTS"); }
    static parallel::Placement pretend(const std::string& text, MPI_Comm comm = MPI_COMM_WORLD) {
        setenv("GROUNDSWELL_TEST_HOSTS", text.c_str(), 1);
        return parallel::find_placement(comm);
    }
};

TEST_F(Placement, CountsHostsAndTheirRanks) {
    const int size = size_of(MPI_COMM_WORLD), rank = rank_of(MPI_COMM_WORLD);
    for (int hosts = 1; hosts <= size; ++hosts) {
        for (const char* order : {"", ",round-robin", ",random"}) {
            const parallel::Placement placement = pretend(std::to_string(hosts) + order);
            EXPECT_EQ(placement.hosts, hosts);
            std::vector<int> all = parallel::hosts_of_all_ranks(MPI_COMM_WORLD, placement);
            EXPECT_EQ(all.size(), rank == 0 ? size : 0);
            all.resize(size);
            MPI_Bcast(all.data(), size, MPI_INT, 0, MPI_COMM_WORLD);
            EXPECT_EQ(all[rank], placement.host);
            EXPECT_EQ(placement.ranks_on_host, std::count(all.begin(), all.end(), placement.host));
            EXPECT_EQ(placement.rank_on_host, std::count(all.begin(), all.begin() + rank, placement.host));
            for (int r = 0, next = 0; r < size; ++r) {  // numbered by their lowest rank
                EXPECT_LE(all[r], next);
                if (all[r] == next) ++next;
            }
            const parallel::Communicator host = parallel::host_communicator(MPI_COMM_WORLD, placement);
            EXPECT_EQ(host.rank(), placement.rank_on_host);
            EXPECT_EQ(host.size(), placement.ranks_on_host);
        }
    }
}

TEST_F(Placement, AProcessKeepsItsPretendedHostInEveryCommunicator) {
    const int size = size_of(MPI_COMM_WORLD), rank = rank_of(MPI_COMM_WORLD);
    const auto turned = parallel::Communicator::split(MPI_COMM_WORLD, 0, size - rank);
    for (int hosts = 1; hosts <= size; ++hosts)
        EXPECT_EQ(pretend(std::to_string(hosts)).host_name,
                  pretend(std::to_string(hosts), turned.get()).host_name);
    EXPECT_EQ(pretend(std::to_string(size), MPI_COMM_SELF).hosts, 1);
}

TEST_F(Placement, AWrongNumberOfPretendedHostsIsRefused) {
    for (const char* wrong : {"0", "two", "1000000", "1.5", "1,", "1,blocks", ",random", "1,random,2"})
        EXPECT_THROW(pretend(wrong), base::Refusal) << wrong;
}

TEST_F(Placement, WithoutPretenceHostsAreReal) {
    const parallel::Placement real = parallel::find_placement(MPI_COMM_WORLD);
    EXPECT_FALSE(real.pretended);
    EXPECT_FALSE(real.host_name.empty());
    EXPECT_LE(real.ranks_on_host, size_of(MPI_COMM_WORLD));
}

TEST(PretendedHosts, HaveEqualSharesInEveryOrder) {
    for (const int processes : {1, 2, 3, 7, 28, 64, 100, 1000}) {
        for (const int hosts : {1, 2, 3, 7, 28}) {
            if (hosts > processes) continue;
            for (const auto order : {HostOrder::blocks, HostOrder::round_robin, HostOrder::random}) {
                std::vector<int> count(hosts, 0);
                for (int p = 0; p < processes; ++p)
                    ++count.at(parallel::pretended_host(p, processes, hosts, order));
                EXPECT_LE(*std::ranges::max_element(count) - *std::ranges::min_element(count), 1)
                    << processes << " on " << hosts;
            }
        }
    }
}

TEST(PretendedHosts, AreScatteredAsTheirOrderSays) {
    const auto neighbours_together = [](HostOrder order) {
        int together = 0;
        for (int p = 1; p < 400; ++p)
            together += parallel::pretended_host(p, 400, 10, order) ==
                        parallel::pretended_host(p - 1, 400, 10, order);
        return together;
    };
    EXPECT_EQ(neighbours_together(HostOrder::blocks), 390);
    EXPECT_EQ(neighbours_together(HostOrder::round_robin), 0);
    EXPECT_GT(neighbours_together(HostOrder::random), 10);
    EXPECT_LT(neighbours_together(HostOrder::random), 90);  // by pure chance 40
    // The few ranks that tests have are scattered too.
    for (const int processes : {4, 6, 8, 16, 64}) {
        int apart = 0;
        for (int p = 1; p < processes; ++p)
            apart += parallel::pretended_host(p, processes, 2, HostOrder::random) !=
                     parallel::pretended_host(p - 1, processes, 2, HostOrder::random);
        EXPECT_GT(apart, 1) << processes;
    }
}

}  // namespace
