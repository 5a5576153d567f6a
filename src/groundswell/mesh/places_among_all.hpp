#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::mesh {

/// Count of the numbers of all ranks that lie below each of this rank's: the rows of a file in which they all stand ascending. `mine`
/// ascends, 0 ≤ number < `limit`, and no number is had twice. Memory and messages by the share of `limit` and by `mine`.
/// Collective.
std::vector<std::int64_t> places_among_all(MPI_Comm comm, std::int64_t limit,
                                           std::span<const std::int64_t> mine);

}  // namespace groundswell::mesh
