#include "groundswell/quake/mesh/steps.hpp"

#include <algorithm>

namespace groundswell::quake {

std::vector<double> longest_steps(std::span<const tetra::Tetrahedron> cells,
                                  std::span<const Material> material, int order, const StepLimit& limit,
                                  double most) {
    const double fraction = limit.fraction(order);
    std::vector<double> step;
    for (std::size_t c = 0; c < cells.size(); ++c)
        step.push_back(
            std::min(most, longest_step(tetra::geometry_of(cells[c].place), material[c], order, fraction)));
    return step;
}

Clusters choose_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                         std::span<const std::array<tetra::Across, 4>> neighbours,
                         std::span<const double> step, ClusterOptions options) {
    if (options.scale == 0.0) options.scale = find_scale(comm, exchange, slab, neighbours, step, options);
    Clusters clusters = find_clusters(comm, exchange, slab, neighbours, step, options);
    if (clusters.cells.size() == 1) clusters.rate = 1;
    return clusters;
}

double meeting_seconds(const Clusters& clusters) {
    double seconds = clusters.step;
    for (std::size_t c = 1; c < clusters.cells.size(); ++c) seconds *= clusters.rate;
    return seconds;
}

std::vector<std::int64_t> updates_of(const Clusters& clusters) {
    std::vector<std::int64_t> of_cluster(clusters.cells.size(), 1), updates;
    for (std::size_t c = of_cluster.size() - 1; c > 0; --c) of_cluster[c - 1] = of_cluster[c] * clusters.rate;
    for (const std::int32_t c : clusters.of) updates.push_back(of_cluster[c]);
    return updates;
}

}  // namespace groundswell::quake
