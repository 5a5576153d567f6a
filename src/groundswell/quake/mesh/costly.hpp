#pragma once

#include <mpi.h>

#include <array>
#include <span>
#include <string>

#include "groundswell/quake/mesh/steps.hpp"

namespace groundswell::quake {

/// Warns where a few elements, one in a hundred or up to twenty, cost a fifth of the run or more with their short steps: how
/// many, how much, and where the worst are. `clusters`: those of the run, found with `options`. `mesh` names the mesh.
/// Collective.
void warn_of_costly_elements(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& mesh,
                             const tetra::Slab& slab,
                             std::span<const std::array<tetra::Across, 4>> neighbours,
                             std::span<const double> step, ClusterOptions options, const Clusters& clusters);

}  // namespace groundswell::quake
