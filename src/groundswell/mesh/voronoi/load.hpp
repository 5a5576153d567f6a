// From a mesh file to every rank's part, in one call.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "groundswell/mesh/cut.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/parallel/row_blocks.hpp"

namespace groundswell::voronoi {

/// Cells that are updated and exchanged together (mesh::CellGroup), those of time steps of their own.
struct CellGroups {
    std::vector<std::int32_t> of;  ///< of each owned cell, 0 … groups - 1
    int groups = 1;
};

/// Tells the groups of cells before a mesh is cut, so that every part gets its share of each. `mesh`: all cells, dealt out as
/// they were read, the owned ones in a block of rows of the file (LocalMesh::mesh_cell - 1) on each rank, with one ring of halo.
/// Collective.
using GroupCells =
    std::function<CellGroups(MPI_Comm comm, const parallel::RowBlocks& blocks, const LocalMesh& mesh)>;

/// Options for reading a mesh, choosing its sea cells, and distributing them over ranks.
struct LoadOptions : mesh::DealOptions {
    ReadOptions read;  ///< of a file
    CullOptions cull;
    /// A file with the part of each cell (parts/part_file.hpp), in place of cutting by `method`; empty: none. For meshes from files.
    std::string part_file;
    GroupCells group;  ///< empty: all cells are of one group
};

/// For the log and the run's report; the same on every rank.
struct LoadReport : mesh::DealReport {
    CullReport cull;
    double read_seconds = 0.0;   ///< reading and checking, or making
    double order_seconds = 0.0;  ///< culling and ordering
};

/// Cost of loading from a file on this rank. `outline_bytes` are those of bytes_read that rank 0 alone reads,
/// to cut the mesh.
struct LoadCost : parallel::ReadCost {
    std::int64_t outline_bytes = 0;
};

/// A part on each rank of `comm`, which is not the communicator that was given: processes may have other
/// ranks in it (reorder). Owners and everything that is to exchange with them go by the ranks of `comm`.
struct LoadedMesh {
    LocalMesh mesh;
    parallel::Communicator comm;
    LoadReport report;
    LoadCost cost;
};

/// Every rank reads a contiguous slab of the file and checks it; rank 0 alone also reads what cutting needs,
/// which cells touch and which are wet, and tells each rank where the cells of its slab belong; then slabs
/// are dealt out to parts. Along the curve (PartitionMethod::curve) and with parts from a file all ranks find
/// that together, and rank 0 reads no more than its slab; `reorder` is refused. Ranks other than 0 never hold more than their slab and their part; messages and
/// memory of a rank follow from its cells, not from the number of ranks. Ranks on one host are found by the
/// MPI library (or GROUNDSWELL_TEST_HOSTS). Ids, and all numbers of a cell, do not depend on the ranks.
/// Throws base::Refusal on all ranks if the mesh is not fit for use. Collective.
///
/// With `reorder` the library is asked for new ranks before cells are distributed, so the result is right
/// whether it moves ranks or not: the process with rank p of the new communicator holds part p. Parts were
/// cut for the hosts of the old ranks. They stay as they are where the library moves ranks across hosts: it
/// was told what the parts exchange, and the user asked for its judgement; the report tells what it cost.
/// GROUNDSWELL_TEST_REORDER=reverse or rotate pretends that the library turned the ranks round, or moved
/// each by one.
LoadedMesh load_mesh(MPI_Comm comm, const std::string& path, const LoadOptions& options = {});

/// The same for a mesh that `make` returns; it is called on rank 0 alone, which holds the whole mesh and
/// deals it out. Collective.
LoadedMesh load_mesh(MPI_Comm comm, const std::function<GlobalMesh()>& make, const LoadOptions& options = {});

}  // namespace groundswell::voronoi
