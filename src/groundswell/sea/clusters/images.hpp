#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::sea {

/// The cells of cluster `from` that touch cluster `to`, and their images: local cells behind all others that hold what each
/// cell is to the cluster that reads it. Image i is local cell first + i.
struct ClusterBorder {
    int from = 0, to = 0;
    std::int32_t first = 0;
    /// Local cells, of which there are images: first owned ones without a neighbour in the halo, then the other owned ones (all
    /// that touch a cell of `to`, whoever owns that), then those of the halo that this rank reads.
    std::vector<std::int32_t> source = {};
    std::int32_t inner = 0, owned = 0;  ///< of source

    std::int32_t images() const { return static_cast<std::int32_t>(source.size()); }
    bool is_from_slower() const { return from > to; }
};

/// A mesh whose groups are clusters, where no cell touches one of another cluster: beyond such an edge lies the other cell's
/// image.
struct ClusteredMesh {
    voronoi::LocalMesh mesh;  ///< `total` counts images too, groups do not hold them; images have no edges
    std::int32_t first_image = 0;
    std::vector<ClusterBorder> borders;

    /// Makes images for the cells that propagation computes, or whose gradients it computes: owned cells, and with two layers of halo
    /// those of the halo that touch an owned cell of their cluster.
    explicit ClusteredMesh(voronoi::LocalMesh given);
};

}  // namespace groundswell::sea
