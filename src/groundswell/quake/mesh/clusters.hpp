#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/clusters.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/mesh/step_rule.hpp"

/// Elements whose time steps are alike step together, see graph/clusters.hpp.
namespace groundswell::quake {

using graph::ClusterOptions;
using graph::Clusters;

/// Edges along which elements limit each other's step: those that share a face, and those of a fault the most.
graph::ClusterGraph cluster_graph(const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours);

/// The clusters of a block's cells: neighbours differ by one cluster at most, and not at all across a fault. `step` in s, by
/// cell. The same on any ranks. Collective.
Clusters find_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                       std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                       const ClusterOptions& options);

/// The scale at which these cells take the fewest steps: see graph::find_scale(). Collective.
double find_scale(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                  std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                  const ClusterOptions& options);

}  // namespace groundswell::quake
