#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::halo {

/// The rank that owns each of `needed_ids`. Every rank keeps the owners of one block of all ids for the time
/// of the call; owners register there and the others ask there. Throws base::Refusal on all ranks, naming the
/// id and the ranks, if an id is owned twice or is needed and owned by nobody. Collective.
std::vector<int> find_owners(MPI_Comm comm, parallel::SparseExchange& exchange,
                             std::span<const std::int64_t> owned_ids,
                             std::span<const std::int64_t> needed_ids);

}  // namespace groundswell::halo
