#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/material.hpp"

/// Elements whose time steps are alike step together: cluster c takes steps `rate`ᶜ times as long as cluster 0 (A. Breuer,
/// A. Heinecke and M. Bader 2016, doi:10.1109/IPDPS.2016.109).
namespace groundswell::quake {

/// How long a step an element may take: a fraction of the diameter of its inscribed sphere over vp (2 order - 1).
enum class StepRule {
    stable,  ///< what is stable on any mesh at this order: see stable_fraction()
    own      ///< all of it, of which half is usual (M. Dumbser, M. Käser and E. F. Toro 2007, section 2.3)
};

/// The fraction up to which steps are stable at order 2 to 7, whatever the shape of the elements and the rock in them: the
/// least that was found on regular, distorted, flat and long elements, uniform and in contrast, with random values at the
/// start (tests/convergence/stability.cpp finds it again). It falls with the order, from three quarters to below a half.
double stable_fraction(int order);

struct StepLimit {
    StepRule rule = StepRule::stable;
    double courant = 0.9;  ///< of what the rule allows; with `own` 0.5 is usual

    /// Of the diameter of the inscribed sphere over vp (2 order - 1).
    double fraction(int order) const;
};

/// Of what a rule allows, where nobody says it.
constexpr double usual_courant(StepRule rule) {
    return rule == StepRule::stable ? 0.9 : 0.5;
}

struct ClusterOptions {
    int rate = 2;  ///< between one cluster and the next; 1: one step for all
    double scale =
        1.0;        ///< of the step of cluster 0, above 1/rate: a shorter one may fill the clusters better
    int most = 64;  ///< clusters
};

/// The longest step of an element, s: `fraction` of the diameter of its inscribed sphere over vp (2 order - 1).
double longest_step(const tetra::Geometry& geometry, const Material& material, int order, double fraction);

struct Clusters {
    double step = 0.0;  ///< of cluster 0, s
    int rate = 2;
    std::vector<std::int32_t> of;      ///< of each cell of the block
    std::vector<std::int64_t> cells;   ///< in each cluster, of the whole mesh
    std::vector<std::int64_t> before;  ///< the same before neighbours were minded
    std::int64_t uneven_faces = 0;     ///< between cells of two clusters, in the whole mesh

    /// Steps that all cells take in a second of simulated time.
    double cost() const;
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
