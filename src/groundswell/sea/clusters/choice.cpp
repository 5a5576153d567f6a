#include "groundswell/sea/clusters/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"
#include "groundswell/sea/step_rules.hpp"

namespace groundswell::sea {

namespace {

// The steps of cluster 0 with which so many clusters meet at the ends of equal parts of `cycle`, each part as long as may be.
double first_step(double cycle, double shortest, int clusters) {
    const double to_meet = std::ldexp(1.0, clusters - 1);
    const double parts = std::ceil(cycle / (shortest * to_meet) * (1.0 - 1e-12));
    return cycle / (std::max(1.0, parts) * to_meet);
}

}  // namespace

graph::ClusterGraph cluster_graph(const parallel::RowBlocks& blocks, const PropagationTables& tables) {
    const voronoi::LocalMesh& mesh = tables.mesh;
    std::vector<std::int64_t> row, offset{0};
    std::vector<graph::ClusterGraph::Side> sides;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        row.push_back(mesh.mesh_cell[cell] - 1);
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t beyond = mesh.neighbour[e];
            if (beyond >= 0)
                sides.push_back({mesh.mesh_cell[beyond] - 1, tables.crosses_frames(cell, beyond)});
        }
        offset.push_back(static_cast<std::int64_t>(sides.size()));
    }
    return {blocks, row, std::move(offset), sides};
}

voronoi::CellGroups choose_clusters(MPI_Comm comm, const parallel::RowBlocks& blocks,
                                    const voronoi::LocalMesh& mesh, const Case& run) {
    const simulation::Schedule schedule =
        simulation::make_schedule(run, step_rules(run, std::numeric_limits<double>::infinity()));
    // Limits need one ring of cells, as the first order does.
    PropagationOptions options = run.propagation;
    options.scheme = PropagationScheme::upwind;
    const SpectralGrid grid(run.spectrum.frequencies, run.spectrum.directions, run.spectrum.first_frequency,
                            run.spectrum.ratio);
    const PropagationTables tables(mesh, grid, options);
    const double share = outflow_limit(run.propagation.scheme) * (run.time.step ? 1.0 : run.courant);
    std::vector<double> step = tables.longest_steps;
    for (double& one : step) one *= share;
    double shortest = std::numeric_limits<double>::infinity();
    for (const double one : step) shortest = std::min(shortest, one);
    shortest = parallel::min(comm, shortest);

    parallel::SparseExchange exchange(comm);
    const graph::ClusterGraph graph = cluster_graph(blocks, tables);
    voronoi::CellGroups best{std::vector<std::int32_t>(step.size(), 0), 1};
    const double length = run.time.step ? schedule.step_seconds() : schedule.cycle_seconds();
    double least = run.time.step && length > shortest ? std::numeric_limits<double>::infinity()
                                                      : 1.0 / first_step(length, shortest, 1);
    least *= static_cast<double>(mesh.global_cells);
    for (int clusters = 2; clusters <= most_clusters; ++clusters) {
        const double first =
            run.time.step ? std::ldexp(length, 1 - clusters) : first_step(length, shortest, clusters);
        // Where a given step is too long for so many clusters, and where the fastest cells could step twice as far.
        if (first > shortest) continue;
        if (first * cluster_rate <= shortest) break;
        const graph::Clusters found =
            graph::find_clusters(comm, exchange, graph, step, {cluster_rate, first / shortest, clusters});
        if (found.cost() >= least) continue;
        least = found.cost();
        best = {found.of, static_cast<int>(found.cells.size())};
    }
    return best;
}

}  // namespace groundswell::sea
