// Where the cells of a mesh file go when they are cut along the curve that orders them, found by all ranks
// from their slabs: no rank reads or holds an outline of the whole mesh.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/parts/deal.hpp"
#include "groundswell/mesh/voronoi/parts/slab.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::voronoi {

/// The places of the cells of this rank's block, and the water that each belongs to (its lowest row).
struct CurvePlaces {
    std::vector<CellPlace> place;
    std::vector<std::int64_t> water;
};

/// Culls land and small waters as cull() does, and gives the sea cells the same ids; parts are those of
/// PartitionMethod::curve. Neighbours on land become `coast` in the slab. Throws base::Refusal on all ranks if
/// nothing is left. Collective.
CurvePlaces places_along_curve(MPI_Comm comm, parallel::SparseExchange& exchange, Slab& slab,
                               const CullOptions& options, CullReport& report);

/// Other parts for cells that have groups: each its share of every group. Collective.
void cut_again_by_group(MPI_Comm comm, parallel::SparseExchange& exchange, const Slab& slab,
                        CurvePlaces& places);

/// Quality of the parts, from what each rank of `ranks` holds; `places` and `slabs` (the blocks of cells)
/// as they were, over `comm`. The same on every rank. Collective.
graph::PartitionReport measure_parts(MPI_Comm comm, parallel::SparseExchange& exchange,
                                     const parallel::RowBlocks& slabs, const CurvePlaces& places, int host,
                                     const LocalMesh& mesh);

}  // namespace groundswell::voronoi
