// Assignment of cells to ranks: the graph of the whole mesh, cut on rank 0, and what every rank learns of it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/partition.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/row_blocks.hpp"

namespace groundswell::mesh {

/// Options for distributing the cells of a mesh over ranks.
struct DealOptions {
    graph::PartitionMethod method = graph::PartitionMethod::two_level;
    double imbalance = 0.02;                 ///< of the partition
    std::vector<double> other_imbalances{};  ///< as in graph::PartitionOptions
    bool map_to_hosts = true;                ///< plain parts go to ranks such that neighbours share hosts
    int layers = 1;                          ///< rings of halo: 1 for first order, 2 for second
    /// Let the MPI library give the processes new ranks, knowing which parts exchange how much
    /// (MPI_Dist_graph_create_adjacent with reorder).
    bool reorder = false;
};

struct DealReport {
    graph::PartitionReport partition;
    int moved_ranks = 0;  ///< processes whose rank the library changed (reorder)
    /// As partition.host_cut_weight, with the hosts of the new ranks (reorder): what the library's answer is
    /// worth.
    std::int64_t host_cut_after_reorder = 0;
    double distribute_seconds = 0.0;
};

/// Knowledge of rank 0 about the whole mesh once it is cut; empty on the others.
struct Cut {
    graph::Graph graph;
    std::vector<int> part;
};

/// Cuts the graph into one part for each rank. On rank 0 alone, which has gathered the ranks' hosts
/// (parallel::hosts_of_all_ranks).
Cut cut_graph(graph::Graph graph, const DealOptions& options, std::vector<int> host_of_rank,
              DealReport& report);

/// The communicator whose rank p gets part p: the same ranks, or those that the library gives with `reorder`.
/// Collective.
parallel::Communicator ranks_of_parts(MPI_Comm comm, const Cut& cut, const DealOptions& options,
                                      DealReport& report);

/// Destination of a cell of the file.
struct CellPlace {
    std::int32_t id = -1;    ///< in the model; -1: a row without a cell
    std::int32_t part = -1;  ///< of the cells
    std::int32_t group = 0;  ///< of cells that are updated together
};

/// Tells every rank of the cells of its block. Rank 0 alone knows the row and the part of each cell (its id is
/// its place there). One MPI_Scatter of equal pieces, so that no rank needs a table of the others. Collective.
std::vector<CellPlace> scatter_places(MPI_Comm comm, const parallel::RowBlocks& blocks,
                                      std::span<const std::int32_t> row, std::span<const int> part);

/// Makes groups of cells weights of their graph: a constraint for each group, so that every part gets its share of each.
void weigh_groups(std::span<const std::int32_t> group, int groups, graph::Graph& graph);

/// The same on rank 0 with the groups of the cells of all blocks; cell c of the graph has row row[c]. `places`: of this rank's
/// block. Other ranks' graphs are not looked at. Collective.
void weigh_groups(MPI_Comm comm, const parallel::RowBlocks& blocks, std::span<const CellPlace> places,
                  std::span<const std::int32_t> row, int groups, graph::Graph& graph);

}  // namespace groundswell::mesh
