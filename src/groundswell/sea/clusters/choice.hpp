#pragma once

#include <mpi.h>

#include "groundswell/graph/clusters.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

/// Between the steps of one cluster and the next.
inline constexpr int cluster_rate = 2;
/// Clusters are at most so many: the slowest cells then step once in 64 steps of the fastest.
inline constexpr int most_clusters = 7;

/// The owned cells of a mesh, whose rows are of this rank's block, and which are held back by which others: by neighbours, most
/// of all by those whose frames turn against each other.
graph::ClusterGraph cluster_graph(const parallel::RowBlocks& blocks, const PropagationTables& tables);

/// The clusters of the cells of a case: cells of cluster c step once in 2ᶜ steps of cluster 0. All meet after a propagation
/// step, of which a source step has a whole number, so the steps that cells can take depend on the source step too: of all
/// numbers of clusters the one with the fewest updates a second is taken. Where the case gives `time.step`, that is the step of
/// the slowest. Cells whose frames turn against each other are of one cluster. A function of case, mesh and spectrum: the same
/// on any ranks. Arguments as voronoi::GroupCells has them. Collective.
voronoi::CellGroups choose_clusters(MPI_Comm comm, const parallel::RowBlocks& blocks,
                                    const voronoi::LocalMesh& mesh, const Case& run);

}  // namespace groundswell::sea
