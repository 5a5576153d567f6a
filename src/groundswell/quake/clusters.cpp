#include "groundswell/quake/clusters.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

// Of power -2: 1/m² is the mean of 1/h².
double mean_height(const tetra::Geometry& geometry) {
    double squares = 0.0;
    for (const double area : geometry.area) squares += area * area;
    return 6.0 * geometry.volume / std::sqrt(squares);
}

}  // namespace

double stable_fraction(int order) {
    constexpr double found[] = {0.69, 0.68, 0.65, 0.59, 0.53, 0.48};
    GS_ASSERT(order >= 2 && order <= 7);
    return found[order - 2];
}

double StepLimit::longest_step(const tetra::Geometry& geometry, const Material& material, int order) const {
    const double width = rule == StepRule::own ? 2.0 * geometry.inscribed_radius()
                                               : stable_fraction(order) * 0.5 * mean_height(geometry);
    return courant * width / (material.vp() * (2 * order - 1));
}

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
