#include "groundswell/quake/mesh/steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::quake {

namespace {

struct Speed {
    std::int64_t cell;  // across a face of that whose speed it is
    double vp;
};

// By cell: the greatest factor between its vp and one across its faces.
std::vector<double> contrasts(parallel::SparseExchange& exchange, const tetra::Slab& slab,
                              std::span<const std::array<tetra::Across, 4>> neighbours,
                              std::span<const Material> material) {
    std::vector<Speed> told;
    for (std::size_t c = 0; c < material.size(); ++c) {
        for (const tetra::Across& across : neighbours[c]) {
            if (across.cell >= 0) told.push_back({across.cell, material[c].vp()});
        }
    }
    const auto owner = [&](const Speed& one) { return slab.blocks.owner(one.cell); };
    std::vector<double> contrast(material.size(), 1.0);
    for (const Speed& one : parallel::send_to_owners(exchange, std::move(told), owner)) {
        const auto cell = static_cast<std::size_t>(one.cell - slab.blocks.begin());
        const double own = material[cell].vp();
        contrast[cell] = std::max({contrast[cell], own / one.vp, one.vp / own});
    }
    return contrast;
}

}  // namespace

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

std::vector<double> longest_steps(parallel::SparseExchange& exchange, const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours,
                                  std::span<const Material> material, int order, const StepLimit& limit,
                                  double most) {
    const std::vector<double> contrast = contrasts(exchange, slab, neighbours, material);
    std::vector<double> step;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        step.push_back(std::min(most, limit.longest_step(tetra::geometry_of(slab.cell[c].place), material[c],
                                                         order, contrast[c])));
    return step;
}

Clusters choose_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                         std::span<const std::array<tetra::Across, 4>> neighbours,
                         std::span<const double> step, ClusterOptions options) {
    const graph::ClusterGraph graph = cluster_graph(slab, neighbours);
    if (options.scale == 0.0) options.scale = graph::find_scale(comm, exchange, graph, step, options);
    Clusters clusters = graph::find_clusters(comm, exchange, graph, step, options);
    if (clusters.cells.size() == 1) clusters.rate = 1;
    return clusters;
}

double meeting_seconds(const Clusters& clusters) {
    double seconds = clusters.step;
    for (std::size_t c = 1; c < clusters.cells.size(); ++c) seconds *= clusters.rate;
    return seconds;
}

std::vector<std::int64_t> costs_of(std::span<const tetra::Tetrahedron> cells,
                                   std::span<const Material> material, double face_cost) {
    constexpr std::int64_t whole = 16;
    const std::int64_t of_side = std::llround(0.5 * face_cost * static_cast<double>(whole));
    std::vector<std::int64_t> costs;
    for (std::size_t c = 0; c < cells.size(); ++c)
        costs.push_back((material[c].is_liquid() ? whole / 2 : whole) +
                        of_side * std::ranges::count_if(cells[c].boundary, tetra::is_fault));
    return costs;
}

}  // namespace groundswell::quake
