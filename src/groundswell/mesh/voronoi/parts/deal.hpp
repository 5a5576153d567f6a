// From the slabs that ranks have read to the parts that they compute.
#pragma once

#include <mpi.h>

#include <vector>

#include "groundswell/mesh/cut.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/parts/slab.hpp"

namespace groundswell::voronoi {

using mesh::CellPlace;

/// Makes coast of what lies between a cell that is not kept and any other; `kept` says it of each cell of this
/// rank's block. Collective.
void cull_neighbours(parallel::SparseExchange& exchange, Slab& slab, const std::vector<char>& kept);

/// Sends the cells of all slabs to the ranks that compute them and their halos. `places` are those of this
/// rank's block; part p goes to rank p of `ranks`, the processes of `comm` in any order. Memory by the rank's
/// block and part; messages by the parts in its block and the blocks that its part touches. Collective over
/// `comm`.
LocalMesh deal(MPI_Comm comm, parallel::SparseExchange& exchange, Slab slab,
               const std::vector<CellPlace>& places, MPI_Comm ranks, int layers, int groups = 1);

}  // namespace groundswell::voronoi
