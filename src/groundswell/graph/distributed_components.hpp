// The connected components of a graph that no rank has as a whole.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::graph {

/// The component of each cell of this rank's block, named by the lowest row in it. Row `blocks.begin() + c` of
/// the graph has the neighbours [offset[c], offset[c+1]): rows of any block, and negative numbers, which stand
/// for none; every pair stands in both rows. Names spread across blocks, and by way of the rows that they
/// name (after Y. Shiloach and U. Vishkin 1982, doi:10.1016/0196-6774(82)90008-6), so that rounds go with the
/// logarithm of the number of blocks that a component lies in. Collective.
std::vector<std::int64_t> components_of(MPI_Comm comm, parallel::SparseExchange& exchange,
                                        const parallel::RowBlocks& blocks,
                                        std::span<const std::int64_t> offset,
                                        std::span<const std::int32_t> neighbour);

}  // namespace groundswell::graph
