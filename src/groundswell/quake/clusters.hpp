#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/mesh/step_rule.hpp"

/// Elements whose time steps are alike step together: cluster c takes steps `rate`ᶜ times as long as cluster 0 (A. Breuer,
/// A. Heinecke and M. Bader 2016, doi:10.1109/IPDPS.2016.109).
namespace groundswell::quake {

struct ClusterOptions {
    int rate = 2;  ///< between one cluster and the next; 1: one step for all
    double scale =
        1.0;        ///< of the step of cluster 0, above 1/rate: a shorter one may fill the clusters better
    int most = 64;  ///< clusters
};

struct Clusters {
    double step = 0.0;  ///< of cluster 0, s
    int rate = 2;
    std::vector<std::int32_t> of;      ///< of each cell of the block
    std::vector<std::int64_t> cells;   ///< in each cluster, of the whole mesh
    std::vector<std::int64_t> before;  ///< the same before neighbours were minded
    std::int64_t uneven_faces = 0;     ///< between cells of two clusters, in the whole mesh

    /// Steps that all cells take in a second of simulated time.
    double cost() const;
    /// Updates of a cell, on average over the whole mesh, from one meeting of all clusters to the next: `ticks` steps of
    /// cluster 0.
    double updates_of_cell(std::int64_t ticks) const;
};

/// Puts each cell of a block into the highest cluster that its longest step allows, then lowers cells until those that
/// share a face differ by one cluster at most, and not at all across a fault: that leaves one outcome, whatever the order.
/// `step` in s, by cell. The same on any ranks. Collective.
Clusters find_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                       std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                       const ClusterOptions& options);

/// The scale of cluster 0's step at which cells take the fewest steps in a second of simulated time, neighbours minded: 1, or
/// one of the hundredths between 1/rate and 1 (A. Breuer and A. Heinecke 2022, arXiv:2202.10313). The same on any ranks; `options.scale` has no part in it. Collective.
double find_scale(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                  std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                  ClusterOptions options);

}  // namespace groundswell::quake
