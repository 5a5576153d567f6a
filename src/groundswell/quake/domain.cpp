#include "groundswell/quake/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/mesh/resolution.hpp"

namespace groundswell::quake {

namespace {

tetra::Slab make_slab(MPI_Comm comm, parallel::SparseExchange& exchange, const MeshSection& mesh) {
    if (!mesh.box) return tetra::read_mesh(comm, exchange, mesh.file);
    return parallel::agree(comm, [&] { return tetra::slab_of(comm, tetra::Box(*mesh.box)); });
}

// What one update of a cell costs in `rate` to the power of clusters - 1 ticks.
std::vector<std::int64_t> weights_of(const Clusters& clusters) {
    std::vector<std::int64_t> updates(clusters.cells.size(), 1);
    for (std::size_t c = updates.size() - 1; c > 0; --c) updates[c - 1] = updates[c] * clusters.rate;
    std::vector<std::int64_t> weight;
    for (const std::int32_t c : clusters.of) weight.push_back(updates[c]);
    return weight;
}

void find_gains(MPI_Comm comm, std::span<const double> step, Domain& domain) {
    std::vector<double> own;
    for (const double one : step) own.push_back(1.0 / one);
    const auto cells = static_cast<double>(parallel::sum(comm, static_cast<std::int64_t>(step.size())));
    const double one_for_all = cells / domain.shortest.value;
    domain.gain_of_own_steps = one_for_all / parallel::sum(comm, own);
    domain.gain_of_clusters = one_for_all / domain.clusters.cost();
}

}  // namespace

Domain make_domain(MPI_Comm comm, const Case& run) {
    parallel::SparseExchange exchange(comm);
    const tetra::Slab slab = make_slab(comm, exchange, run.mesh);
    const auto neighbours = tetra::find_neighbours(comm, exchange, slab, run.mesh.name());
    const double most = run.time.step ? run.time.step->seconds() : std::numeric_limits<double>::infinity();
    const auto material = materials_of(comm, run.rock, slab.cell, slab.group);
    const double fraction = run.solver.step.fraction(run.solver.order);
    std::vector<double> step;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        step.push_back(std::min(most, longest_step(tetra::geometry_of(slab.cell[c].place), material[c],
                                                   run.solver.order, fraction)));
    Domain domain;
    domain.shortest = find_smallest(comm, slab, step);
    std::vector<double> frequency;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        frequency.push_back(highest_frequency(slab.cell[c].place, material[c], run.solver.order));
    domain.coarsest = find_smallest(comm, slab, frequency);
    ClusterOptions options;
    options.rate = run.solver.rate;
    options.most = run.solver.clusters;
    options.scale =
        run.solver.scale ? *run.solver.scale : find_scale(comm, exchange, slab, neighbours, step, options);
    domain.clusters = find_clusters(comm, exchange, slab, neighbours, step, options);
    if (domain.clusters.cells.size() == 1) domain.clusters.rate = 1;
    find_gains(comm, step, domain);
    domain.mesh =
        tetra::deal_cells(comm, exchange, slab, neighbours, domain.clusters.of,
                          static_cast<int>(domain.clusters.cells.size()), weights_of(domain.clusters));
    domain.clusters.of.clear();
    // Once more: what a cell is made of follows from its corners alone, and needs no message.
    domain.material = materials_of(comm, run.rock, domain.mesh.cell, domain.mesh.material_group);
    return domain;
}

}  // namespace groundswell::quake
