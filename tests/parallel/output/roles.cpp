#include <gtest/gtest.h>
#include <mpi.h>

#include <numeric>
#include <set>

#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/placement.hpp"
#include "support/output_launch.hpp"

// Who serves: spread over hosts, everyone once, and nobody without a partner.
namespace {

using namespace groundswell;
using namespace groundswell::output;

int total(int mine) {
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

TEST(OutputRoles, AreTheWholeWorldInTwoParts) {
    for (int servers = 1; servers < launch::world_ranks(); ++servers) {
        const Roles roles = split_roles(MPI_COMM_WORLD, servers);
        EXPECT_EQ(total(roles.serves ? 1 : 0), servers);
        EXPECT_NE(static_cast<bool>(roles.compute), static_cast<bool>(roles.servers));
        EXPECT_EQ(roles.serves ? roles.servers.size() : launch::world_ranks() - roles.compute.size(),
                  servers);
        EXPECT_EQ(roles.serves, !roles.clients.empty());
        EXPECT_EQ(roles.serves, roles.links.empty());
        const int pairs = std::max(servers, launch::world_ranks() - servers);
        EXPECT_EQ(total(static_cast<int>(roles.clients.size())), pairs);
        EXPECT_EQ(total(static_cast<int>(roles.links.size())), pairs);
    }
}

TEST(OutputRoles, RanksThatComputeKeepTheirOrder) {
    if (launch::world_ranks() == 1) GTEST_SKIP() << "needs more ranks";
    const Roles roles = split_roles(MPI_COMM_WORLD, 1);
    if (!roles.serves) {
        int below = -1;
        const int here = roles.bridge.rank();
        MPI_Exscan(&here, &below, 1, MPI_INT, MPI_MAX, roles.compute.get());
        if (roles.compute.rank() > 0) {
            EXPECT_LT(below, here);
        }
    } else {
        EXPECT_EQ(roles.clients.size(), static_cast<std::size_t>(launch::world_ranks()) - 1);
        EXPECT_EQ(roles.bridge.rank(), launch::world_ranks() - 1);  // the last of its host
    }
}

// Pretended hosts 0 0 1 1: each gives its last rank, and serves its own other one.
TEST(OutputRoles, ServersAreSpreadOverHosts) {
    if (launch::world_ranks() != 4) GTEST_SKIP() << "needs four ranks";
    const dataset::Environment hosts("GROUNDSWELL_TEST_HOSTS", "2");
    const Roles roles = split_roles(MPI_COMM_WORLD, 2);
    const int here = roles.bridge.rank();
    EXPECT_EQ(roles.serves, here == 1 || here == 3);
    if (roles.serves) {
        EXPECT_EQ(roles.clients, std::vector<int>{here - 1});
    }
}

}  // namespace
