// From the slabs that ranks have read to the parts that they compute.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/outline.hpp"
#include "groundswell/mesh/voronoi/slab.hpp"

namespace groundswell::voronoi {

/// Where a cell of the file went.
struct CellPlace {
    std::int32_t id = -1;    ///< model id; -1: no sea cell
    std::int32_t part = -1;  ///< of the sea cells
};

/// Makes coast of what lies between a cell that is not kept and any other; `kept` says it of each cell of this
/// rank's block. Collective.
void cull_neighbours(parallel::SparseExchange& exchange, Slab& slab, const std::vector<char>& kept);

/// Tells every rank of the cells of its block. Rank 0 alone knows `outline` and `part`. One MPI_Scatter of
/// equal pieces, so that no rank needs a table of the others. Collective.
std::vector<CellPlace> scatter_places(MPI_Comm comm, const parallel::RowBlocks& cells, const Outline& outline,
                                      std::span<const int> part);

/// Sends the cells of all slabs to the ranks that compute them and their halos. `places` are those of this
/// rank's block; part p goes to rank p of `ranks`, the processes of `comm` in any order. Memory by the rank's
/// block and part; messages by the parts in its block and the blocks that its part touches. Collective over
/// `comm`.
LocalMesh deal(MPI_Comm comm, parallel::SparseExchange& exchange, Slab slab,
               const std::vector<CellPlace>& places, MPI_Comm ranks, int layers);

}  // namespace groundswell::voronoi
