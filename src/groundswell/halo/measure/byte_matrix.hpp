// Bytes sent between each pair of ranks, as the receivers see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/selection.hpp"

namespace groundswell::halo {

/// Bytes that each of plan.sources() sends to this rank in one exchange of `bytes_per_id` bytes an id; with a
/// selection, of the selected values alone.
std::vector<std::int64_t> received_bytes(const Plan& plan, std::size_t bytes_per_id,
                                         const Selection* selection = nullptr);

/// [sender][receiver] on rank 0, nothing on the others. `received` as received_bytes() gave it. For reports:
/// rank 0 holds a number for every pair of ranks. Collective.
std::vector<std::vector<std::int64_t>> byte_matrix(const Plan& plan,
                                                   const std::vector<std::int64_t>& received);

}  // namespace groundswell::halo
