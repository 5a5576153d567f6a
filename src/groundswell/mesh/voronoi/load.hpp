// From a mesh file to every rank's part, in one call.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/mpas/mesh_file.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/read_cost.hpp"

namespace groundswell::voronoi {

struct LoadOptions {
    ReadOptions read;  ///< of a file
    CullOptions cull;
    graph::PartitionMethod method = graph::PartitionMethod::two_level;
    double imbalance = 0.02;   ///< of the partition
    bool map_to_hosts = true;  ///< plain parts go to ranks such that neighbours share hosts
    int layers = 1;            ///< rings of halo: 1 for first order, 2 for second
    /// Let the MPI library give the processes new ranks, knowing which parts exchange how much
    /// (MPI_Dist_graph_create_adjacent with reorder).
    bool reorder = false;
};

/// For the log and the run's report; the same on every rank.
struct LoadReport {
    CullReport cull;
    graph::PartitionReport partition;
    double read_seconds = 0.0;   ///< reading and checking, or making
    double order_seconds = 0.0;  ///< culling and ordering
    double distribute_seconds = 0.0;
    int moved_ranks = 0;  ///< processes whose rank the library changed (reorder)
    /// As partition.host_cut, with the hosts of the new ranks (reorder): what the library's answer is worth.
    std::int64_t host_cut_after_reorder = 0;
};

/// What loading from a file cost this rank. `outline_bytes` are those of bytes_read that rank 0 alone reads,
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
/// are dealt out to parts. Ranks other than 0 never hold more than their slab and their part; messages and
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
