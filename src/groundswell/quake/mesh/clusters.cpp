#include "groundswell/quake/mesh/clusters.hpp"

#include <utility>
#include <vector>

namespace groundswell::quake {

graph::ClusterGraph cluster_graph(const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours) {
    std::vector<std::int64_t> row, offset{0};
    std::vector<graph::ClusterGraph::Side> sides;
    for (std::size_t c = 0; c < neighbours.size(); ++c) {
        row.push_back(slab.blocks.begin() + static_cast<std::int64_t>(c));
        for (int f = 0; f < 4; ++f) {
            const std::int64_t across = neighbours[c][f].cell;
            if (across >= 0) sides.push_back({across, tetra::is_fault(slab.cell[c].boundary[f])});
        }
        offset.push_back(static_cast<std::int64_t>(sides.size()));
    }
    return {slab.blocks, row, std::move(offset), sides};
}

Clusters find_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                       std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                       const ClusterOptions& options) {
    return graph::find_clusters(comm, exchange, cluster_graph(slab, neighbours), step, options);
}

double find_scale(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                  std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                  const ClusterOptions& options) {
    return graph::find_scale(comm, exchange, cluster_graph(slab, neighbours), step, options);
}

}  // namespace groundswell::quake
