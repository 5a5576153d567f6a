#include "groundswell/quake/mesh/steps.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::quake {

std::vector<double> longest_steps(std::span<const tetra::Tetrahedron> cells,
                                  std::span<const Material> material, int order, const StepLimit& limit,
                                  double most) {
    std::vector<double> step;
    for (std::size_t c = 0; c < cells.size(); ++c)
        step.push_back(
            std::min(most, limit.longest_step(tetra::geometry_of(cells[c].place), material[c], order)));
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

std::vector<std::int64_t> costs_of(std::span<const tetra::Tetrahedron> cells, double face_cost) {
    constexpr std::int64_t whole = 16;
    const std::int64_t of_side = std::llround(0.5 * face_cost * static_cast<double>(whole));
    std::vector<std::int64_t> costs;
    for (const tetra::Tetrahedron& cell : cells)
        costs.push_back(whole + of_side * std::ranges::count_if(cell.boundary, tetra::is_fault));
    return costs;
}

}  // namespace groundswell::quake
