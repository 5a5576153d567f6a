#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/output/writers/server_link.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::output {

int server_count(std::string_view wanted, int ranks, std::string_view where, std::string_view key) {
    double number = 0.0;
    const auto [rest, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    const std::string_view unit(rest, static_cast<std::size_t>(wanted.data() + wanted.size() - rest));
    const bool share = unit == "%" || (unit.empty() && number < 1.0);
    base::require(error == std::errc() && (unit.empty() || unit == "%") && number > 0.0 &&
                      (share || number == std::floor(number)),
                  where, key, wanted,
                  "a number of ranks, such as 2, or a share of them, such as 0.1 or \"10%\"");
    if (unit == "%") number /= 100.0;
    const double count = share ? std::max(1.0, std::round(number * ranks)) : number;
    base::require(count < ranks, where, key, wanted,
                  ranks == 1 ? std::string("at least 2 ranks, of which one computes: mpirun -n 2 …")
                             : fmt::format("fewer servers than ranks ({}): at most {}, or start more ranks",
                                           ranks, ranks - 1));
    return static_cast<int>(count);
}

namespace {

/// Choice of the ranks that serve: each server goes to the host where servers are rarest, and takes its last free rank.
std::vector<char> choose_servers(const std::vector<int>& host_of_rank, int servers) {
    const int hosts = 1 + *std::max_element(host_of_rank.begin(), host_of_rank.end());
    std::vector<std::vector<int>> free(hosts);
    for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank)
        free[host_of_rank[rank]].push_back(static_cast<int>(rank));
    std::vector<int> taken(free.size(), 0);
    std::vector<char> serves(host_of_rank.size(), 0);
    for (int s = 0; s < servers; ++s) {
        // One more server on this host would be one for so many of its ranks.
        std::size_t best = free.size();
        const auto ranks_each = [&](std::size_t host) {
            return static_cast<double>(free[host].size() + static_cast<std::size_t>(taken[host])) /
                   (taken[host] + 1);
        };
        for (std::size_t host = 0; host < free.size(); ++host) {
            if (free[host].empty()) continue;
            if (best == free.size() || ranks_each(host) > ranks_each(best)) best = host;
        }
        serves[free[best].back()] = 1;
        free[best].pop_back();
        ++taken[best];
    }
    return serves;
}

/// Decision of rank 0 for one rank.
struct Assignment {
    int serves = 0;
    int place = 0;              // among the servers, where it is one
    std::vector<int> partners;  // of a server its clients, of a client its servers
};

std::vector<Assignment> assign(const std::vector<int>& host_of_rank, int servers) {
    std::vector<Assignment> all(host_of_rank.size());
    const auto at = [&](int rank) -> Assignment& { return all[rank]; };
    const std::vector<char> serves = choose_servers(host_of_rank, servers);
    // Both in the order of hosts, so that most clients find their server at home; and server 0 serves the
    // first rank that computes, whose values stand for all where an array is replicated.
    std::vector<int> order(host_of_rank.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return host_of_rank[a] < host_of_rank[b]; });
    std::vector<int> server_ranks, client_ranks;
    for (const int rank : order) {
        const bool is_server = serves[rank] != 0;
        at(rank).serves = is_server ? 1 : 0;
        at(rank).place = static_cast<int>(server_ranks.size());
        (is_server ? server_ranks : client_ranks).push_back(rank);
    }
    // Pairs: each rank of the more numerous side is in one, those of the other side in their share.
    const std::size_t pairs = std::max(server_ranks.size(), client_ranks.size());
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const int client = client_ranks[pair * client_ranks.size() / pairs];
        const int server = server_ranks[pair * server_ranks.size() / pairs];
        at(client).partners.push_back(server);
        at(server).partners.push_back(client);
    }
    return all;
}

/// Gives each rank what rank 0 decided for it.
Assignment scatter(MPI_Comm comm, const std::vector<Assignment>& all) {
    std::vector<int> heads, counts, offsets, partners;
    for (const Assignment& each : all) {
        counts.push_back(static_cast<int>(each.partners.size()));
        offsets.push_back(static_cast<int>(partners.size()));
        heads.insert(heads.end(), {each.serves, each.place, counts.back()});
        partners.insert(partners.end(), each.partners.begin(), each.partners.end());
    }
    std::array<int, 3> head{};
    parallel::check(MPI_Scatter(heads.data(), 3, MPI_INT, head.data(), 3, MPI_INT, 0, comm),
                    "tell ranks whether they serve");
    Assignment mine{head[0], head[1], std::vector<int>(head[2])};
    parallel::check(MPI_Scatterv(partners.data(), counts.data(), offsets.data(), MPI_INT,
                                 mine.partners.data(), head[2], MPI_INT, 0, comm),
                    "tell ranks whom they serve");
    return mine;
}

}  // namespace

Roles split_roles(MPI_Comm world, int servers) {
    Roles roles;
    roles.bridge = parallel::Communicator::duplicate(world);
    const int here = roles.bridge.rank();
    GS_ASSERT(servers > 0 && servers < roles.bridge.size());
    roles.server_count = servers;
    const parallel::Placement placement = parallel::find_placement(world);
    roles.host = placement.host_name;
    const std::vector<int> host_of_rank = parallel::hosts_of_all_ranks(world, placement);  // on rank 0
    const Assignment mine =
        scatter(world, here == 0 ? assign(host_of_rank, servers) : std::vector<Assignment>());
    roles.serves = mine.serves != 0;
    auto part = parallel::Communicator::split(world, mine.serves, roles.serves ? mine.place : here);
    (roles.serves ? roles.servers : roles.compute) = std::move(part);

    // A client must be able to name its server. All of them wait when it is silent; one says so.
    constexpr int tag_name = 750;
    struct Greeting {
        bool speaks = false;
        char host[MPI_MAX_PROCESSOR_NAME] = {};
    } greeting;
    if (roles.serves) {
        roles.clients = mine.partners;
        placement.host_name.copy(greeting.host, sizeof greeting.host - 1);
        for (const int client : roles.clients) {
            greeting.speaks = client == roles.clients.front();
            parallel::check(
                MPI_Send(&greeting, sizeof greeting, MPI_BYTE, client, tag_name, roles.bridge.get()),
                "tell a client the name of its server");
        }
        return roles;
    }
    for (const int server : mine.partners) {
        parallel::check(MPI_Recv(&greeting, sizeof greeting, MPI_BYTE, server, tag_name, roles.bridge.get(),
                                 MPI_STATUS_IGNORE),
                        "hear the name of a server");
        if (roles.server < 0) {
            roles.server = server;
            roles.server_host = greeting.host;
        }
        roles.links.push_back(std::make_shared<ServerLink>(
            roles.bridge.get(), server,
            fmt::format("the output server, rank {} on host {},", server, greeting.host), greeting.speaks));
    }
    return roles;
}

}  // namespace groundswell::output
