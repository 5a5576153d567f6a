#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/mesh/steps.hpp"

/// Survey of a mesh for the model, before anything is run on it.
namespace groundswell::quake {

/// Histogram: number of cells between two edges each.
struct Histogram {
    std::vector<double> edges;
    std::vector<std::int64_t> cells;

    /// The value below which this share of the cells lies, to the width of a bin.
    double percentile(double share) const;
};

struct Survey {
    std::int64_t cells = 0, vertices = 0;
    tetra::Point low{}, high{};                       ///< m
    std::map<std::int64_t, std::int64_t> groups;      ///< cells of each; on rank 0
    std::int64_t free = 0, absorbing = 0, fault = 0;  ///< faces
    Extreme worst;                                    ///< by tetra::radius_ratio()
    Histogram quality;
    double shortest_edge = 0.0, longest_edge = 0.0, mean_edge = 0.0;  ///< m
    Extreme shortest, longest;                                        ///< step that a cell may take, s
    Histogram steps;   ///< the same number of bins for each doubling
    Extreme coarsest;  ///< cell: the lowest of the highest frequencies that cells carry, Hz
    double scale = 1.0, best_scale = 1.0;
    Clusters clusters;  ///< with `scale`
    /// Factor by which all cells take fewer steps than with the shortest step for all: if each had the longest it may take,
    /// with the clusters, and with those of the best scale.
    double gain_of_own_steps = 1.0, gain_of_clusters = 1.0, gain_of_best_scale = 1.0;
    std::vector<double> step;  ///< of the cells of the slab
};

/// Surveys a mesh; for each cell of the slab the longest `step`, s, and the highest `frequency` that it carries, Hz. `options.scale` 0: the best.
/// Collective.
Survey survey(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
              std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
              std::span<const double> frequency, ClusterOptions options);

/// Bytes of memory that the unknowns of a cell and all that kernels know of it take, and those that a face between two
/// clusters adds; without halos. Real is float or double.
struct Memory {
    double cell = 0.0, uneven_face = 0.0;
};
template <class Real>
Memory memory_of(int order, int rate, int mechanisms = 0);

/// Writes the triangles at the boundaries and faults of the mesh, each with the step, the cluster and the quality of the cell
/// behind it, to be drawn. Collective.
void write_surface(MPI_Comm comm, const tetra::Slab& slab,
                   std::span<const std::array<tetra::Across, 4>> neighbours, const Survey& survey,
                   const std::string& path, bool overwrite);

}  // namespace groundswell::quake
