#include "groundswell/halo/messages/neighbor_graph.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"

namespace groundswell::halo {

using parallel::check;

NeighborMessages in_units(std::span<const Stretch> stretches) {
    std::size_t divisor = 0;
    for (const Stretch& one : stretches)
        divisor = std::gcd(std::gcd(divisor, static_cast<std::size_t>(one.bytes)), one.displacement);
    divisor = std::max<std::size_t>(divisor, 1);
    NeighborMessages messages;
    for (const Stretch& one : stretches) {
        base::require(one.displacement / divisor <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                      "halo", "bytes exchanged by one rank", fmt::format("{} or more", one.displacement),
                      fmt::format("at most 2^31 times {}; use more ranks", divisor));
        messages.displacements.push_back(static_cast<int>(one.displacement / divisor));
        messages.counts.push_back(static_cast<int>(static_cast<std::size_t>(one.bytes) / divisor));
    }
    // Open MPI 4 refuses null pointers, even to arrays of no neighbours.
    messages.displacements.push_back(0);
    messages.counts.push_back(0);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(static_cast<int>(divisor), MPI_BYTE, &type), "describe some bytes");
    messages.unit = std::move(Datatype(type).commit());
    return messages;
}

parallel::Communicator make_neighbor_graph(MPI_Comm comm, const std::vector<int>& sources,
                                           const std::vector<int>& destinations) {
    MPI_Comm graph = MPI_COMM_NULL;
    check(MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()), sources.data(),
                                         MPI_UNWEIGHTED, static_cast<int>(destinations.size()),
                                         destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
          "make a graph of neighbours");
    return parallel::Communicator::adopt(graph);
}

std::vector<int> ranks_of(std::span<const Link> links) {
    std::vector<int> ranks;
    for (const Link& link : links) ranks.push_back(link.rank);
    return ranks;
}

}  // namespace groundswell::halo
