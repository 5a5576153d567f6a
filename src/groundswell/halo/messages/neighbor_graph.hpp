#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "groundswell/halo/messages/datatype.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// A distributed-graph communicator of these neighbours, in this order; ranks keep their numbers (reorder =
/// 0). Collective over `comm`.
parallel::Communicator make_neighbor_graph(MPI_Comm comm, const std::vector<int>& sources,
                                           const std::vector<int>& destinations);

/// The ranks that links lead to, in their order.
std::vector<int> ranks_of(std::span<const Link> links);

/// The messages of one direction as the v-form of a neighbour collective wants them: int counts and
/// displacements, of this type. The type is as many bytes as divide every message and displacement, so that
/// an int reaches further than 2 GiB. A sender's type need not be its receiver's: both are bytes in the end.
/// One entry stands behind those of the neighbours, so that the arrays are never empty.
struct NeighborMessages {
    Datatype unit;
    std::vector<int> counts, displacements;
};

/// Position of a message.
struct Stretch {
    std::size_t displacement = 0;
    int bytes = 0;
};

/// Throws base::Refusal if an int cannot hold a displacement. Not collective.
NeighborMessages in_units(std::span<const Stretch> messages);

}  // namespace groundswell::halo
