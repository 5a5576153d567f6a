#include "groundswell/parallel/placement.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::parallel {

namespace {

constexpr const char* hosts_variable = "GROUNDSWELL_TEST_HOSTS";

/// 0 where nothing is pretended.
int pretended_hosts(int ranks) {
    const char* text = std::getenv(hosts_variable);
    if (text == nullptr || *text == '\0') return 0;
    const std::string_view value = text;
    int hosts = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), hosts);
    base::require(error == std::errc() && end == value.data() + value.size() && hosts >= 1 && hosts <= ranks,
                  "environment", hosts_variable, value,
                  fmt::format("a number of hosts from 1 to {} (ranks)", ranks));
    return hosts;
}

std::string real_host_name() {
    char buffer[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    check(MPI_Get_processor_name(buffer, &length), "tell the name of the host");
    return std::string(buffer, static_cast<std::size_t>(length));
}

}  // namespace

int pretended_host(int rank, int ranks, int hosts) {
    return static_cast<int>(static_cast<long long>(rank) * hosts / ranks);
}

Placement find_placement(MPI_Comm comm) {
    int rank = 0;
    int ranks = 1;
    check(MPI_Comm_rank(comm, &rank), "tell the rank");
    check(MPI_Comm_size(comm, &ranks), "tell the number of ranks");

    Placement found;
    const int pretended = agree(comm, [&] { return pretended_hosts(ranks); });
    Communicator host;
    if (pretended > 0) {
        found.pretended = true;
        found.host_name = fmt::format("pretended-{}", pretended_host(rank, ranks, pretended));
        host = Communicator::split(comm, pretended_host(rank, ranks, pretended), rank);
    } else {
        found.host_name = real_host_name();
        MPI_Comm shared = MPI_COMM_NULL;
        check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared),
              "find the ranks that share memory");
        host = Communicator::adopt(shared);
    }
    found.rank_on_host = host.rank();
    found.ranks_on_host = host.size();

    // The lowest rank of each host counts the hosts before it and tells the others on its own.
    const int leads = host.rank() == 0 ? 1 : 0;
    check(MPI_Exscan(&leads, &found.host, 1, MPI_INT, MPI_SUM, comm), "number the hosts");
    if (rank == 0) found.host = 0;  // which MPI_Exscan leaves undefined
    check(MPI_Bcast(&found.host, 1, MPI_INT, 0, host.get()), "share the number of a host");
    check(MPI_Allreduce(&leads, &found.hosts, 1, MPI_INT, MPI_SUM, comm), "count the hosts");
    return found;
}

Communicator host_communicator(MPI_Comm comm, const Placement& placement) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "tell the rank");
    return Communicator::split(comm, placement.host, rank);
}

std::vector<int> hosts_of_all_ranks(MPI_Comm comm, const Placement& placement) {
    int ranks = 1;
    check(MPI_Comm_size(comm, &ranks), "tell the number of ranks");
    std::vector<int> hosts(static_cast<std::size_t>(ranks));
    check(MPI_Allgather(&placement.host, 1, MPI_INT, hosts.data(), 1, MPI_INT, comm),
          "gather the hosts of all ranks");
    return hosts;
}

}  // namespace groundswell::parallel
