#include "groundswell/parallel/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {

namespace {

constexpr const char* hosts_variable = "GROUNDSWELL_TEST_HOSTS";

struct Pretence {
    int hosts = 0;  // 0 where nothing is pretended
    HostOrder order = HostOrder::blocks;
};

Pretence read_pretence(int processes) {
    const char* text = std::getenv(hosts_variable);
    if (text == nullptr || *text == '\0') return {};
    const std::string_view value = text, number = value.substr(0, value.find(','));
    const std::string_view order = value.substr(std::min(number.size() + 1, value.size()));
    Pretence pretence;
    pretence.hosts = base::parse_number<int>(number).value_or(0);
    bool good = pretence.hosts >= 1 && pretence.hosts <= processes;
    if (order == "round-robin") {
        pretence.order = HostOrder::round_robin;
    } else if (order == "random") {
        pretence.order = HostOrder::random;
    } else {
        good = good && number == value;
    }
    base::require(good, "environment", hosts_variable, value,
                  fmt::format("a number of hosts from 1 to {} (processes), alone or followed by "
                              "',round-robin' or ',random'",
                              processes));
    return pretence;
}

/// Another place for each of `count` places, as if drawn at random, by invertible steps on the numbers below
/// the next power of two; a place beyond `count` is sent on until it falls below. Needs no table.
int shuffled_place(int place, int count) {
    const std::uint32_t mask = std::bit_ceil(static_cast<std::uint32_t>(count)) - 1;
    const int shift = std::max(1, std::popcount(mask) / 2);
    auto bits = static_cast<std::uint32_t>(place);
    do {
        for (int round = 0; round < 4; ++round) {
            bits = (bits * 2654435761u + 499u) & mask;  // an odd factor: invertible modulo a power of two
            bits ^= bits >> shift;
        }
    } while (bits >= static_cast<std::uint32_t>(count));
    return static_cast<int>(bits);
}

}  // namespace

std::string host_name() {
    char buffer[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    check(MPI_Get_processor_name(buffer, &length), "tell the name of the host");
    return std::string(buffer, static_cast<std::size_t>(length));
}

int pretended_host(int process, int processes, int hosts, HostOrder order) {
    if (order == HostOrder::round_robin) return process % hosts;
    if (order == HostOrder::random) process = shuffled_place(process, processes);
    return static_cast<int>(static_cast<long long>(process) * hosts / processes);
}

Placement find_placement(MPI_Comm comm) {
    const int rank = rank_of(comm), process = rank_of(MPI_COMM_WORLD), processes = size_of(MPI_COMM_WORLD);

    Placement found;
    const Pretence pretence = agree(comm, [&] { return read_pretence(processes); });
    Communicator host;
    if (pretence.hosts > 0) {
        const int number = pretended_host(process, processes, pretence.hosts, pretence.order);
        found.pretended = true;
        found.host_name = fmt::format("pretended-{}", number);
        host = Communicator::split(comm, number, rank);
    } else {
        found.host_name = host_name();
        host = machine_communicator(comm);
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

Communicator machine_communicator(MPI_Comm comm) {
    MPI_Comm shared = MPI_COMM_NULL;
    const int rank = rank_of(comm);
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared),
          "find the ranks that share memory");
    return Communicator::adopt(shared);
}

Communicator host_communicator(MPI_Comm comm, const Placement& placement) {
    const int rank = rank_of(comm);
    return Communicator::split(comm, placement.host, rank);
}

std::vector<int> hosts_of_all_ranks(MPI_Comm comm, const Placement& placement) {
    return gather(comm, placement.host);
}

Moment common_moment(MPI_Comm comm) {
    const Communicator host = machine_communicator(comm);
    // The first rank of a host to leave a barrier does so when the last of all has come, and a little later.
    check(MPI_Barrier(comm), "compare clocks");
    Moment moment;
    const double left = now();
    check(MPI_Allreduce(&left, &moment.here, 1, MPI_DOUBLE, MPI_MIN, host.get()), "compare clocks");
    moment.there = moment.here;
    check(MPI_Bcast(&moment.there, 1, MPI_DOUBLE, 0, comm), "compare clocks");
    return moment;
}

}  // namespace groundswell::parallel
