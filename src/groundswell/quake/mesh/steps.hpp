#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groundswell/graph/clusters.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/mesh/step_rule.hpp"

/// The time steps of elements, and the clusters of those whose steps are alike, see graph/clusters.hpp.
namespace groundswell::quake {

using graph::ClusterOptions;
using graph::Clusters;

/// Edges along which elements limit each other's step: those that share a face, and those of a fault the most.
graph::ClusterGraph cluster_graph(const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours);

/// The longest steps of a rank's cells, s, which heed the rock across their faces; none is longer than `most`. Collective.
std::vector<double> longest_steps(parallel::SparseExchange& exchange, const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours,
                                  std::span<const Material> material, int order, const StepLimit& limit,
                                  double most);

/// The clusters that a run has: with the scale that find_scale() finds where `options.scale` is 0, and of rate 1 where there
/// is only one. Collective.
Clusters choose_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                         std::span<const std::array<tetra::Across, 4>> neighbours,
                         std::span<const double> step, ClusterOptions options);

/// From one time that all clusters meet at to the next, s.
double meeting_seconds(const Clusters& clusters);

/// Cost of a step of each cell, in sixteenths of one of rock without faults. A cell of water costs half of it, a face of a fault
/// as much as `face_cost` updates of a cell (LawDescription::cost), half of which each of its cells counts.
std::vector<std::int64_t> costs_of(std::span<const tetra::Tetrahedron> cells,
                                   std::span<const Material> material, double face_cost);

/// A cell in which something is largest or smallest.
struct Extreme {
    double value = 0.0;
    std::int64_t cell = 0;  ///< row of the mesh
    tetra::Point centre{};  ///< m
};

/// The smallest or largest value in the whole mesh; `value` by cell of the slab, of equal ones the first row. Collective.
Extreme find_smallest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value);
Extreme find_largest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value);

/// Warns where a few elements, one in a hundred or up to twenty, cost a fifth of the run or more with their short steps: how
/// many, how much, and where the worst are. `clusters`: those of the run, found with `options`. `mesh` names the mesh.
/// Collective.
void warn_of_costly_elements(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& mesh,
                             const tetra::Slab& slab,
                             std::span<const std::array<tetra::Across, 4>> neighbours,
                             std::span<const double> step, ClusterOptions options, const Clusters& clusters);

}  // namespace groundswell::quake
