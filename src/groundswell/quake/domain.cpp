#include "groundswell/quake/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile/held_memory.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/mesh/costly.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/mesh/steps.hpp"

namespace groundswell::quake {

namespace {

tetra::Slab make_slab(MPI_Comm comm, parallel::SparseExchange& exchange, const MeshSection& mesh) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    if (!mesh.box) return tetra::read_mesh(comm, exchange, mesh.file, mesh.join);
    return parallel::agree(comm, [&] { return tetra::slab_of(comm, tetra::Box(*mesh.box)); });
}

std::vector<Material> read_rock(MPI_Comm comm, const Case& run, std::span<const tetra::Tetrahedron> cells,
                                std::span<const std::int64_t> group) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    return materials_of(comm, run.rock, cells, group);
}

// A case's longitudes and latitudes become metres as those of its mesh did.
void require_same_projection(MPI_Comm comm, const Case& run) {
    if (run.mesh.box || !run.projection) return;
    parallel::agree(comm, [&] {
        const std::string stated =
            parallel::rank_of(comm) == 0 ? tetra::stated_projection(run.mesh.file) : std::string();
        const std::string& wanted = run.projection->proj();
        if (stated.empty() || stated == wanted) return;
        const auto of_mesh = tetra::Projection::from_words(stated, run.mesh.file, "projection");
        base::require(of_mesh.proj() == wanted, run.mesh.file, "projection", stated,
                      fmt::format("that of the case's section [projection], {}: the mesh was made about "
                                  "another place",
                                  wanted));
    });
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
    const parallel::MemoryHolder holder(parallel::MemoryPart::mesh);
    const parallel::StartUpTimer timer(parallel::StartUpPart::partition);
    require_same_projection(comm, run);
    parallel::SparseExchange exchange(comm);
    tetra::Slab slab = make_slab(comm, exchange, run.mesh);
    const auto neighbours = tetra::find_neighbours(comm, exchange, slab, run.mesh.name());
    if (run.fault) tetra::mark_plus_sides(comm, exchange, slab, run.fault->plus_side);
    double most = run.time.step ? run.time.step->seconds() : std::numeric_limits<double>::infinity();
    const auto material = read_rock(comm, run, slab.cell, slab.group);
    if (parallel::rank_of(comm) == 0) warn_of_quality(run.rock);
    if (run.rock.attenuation) most = std::min(most, run.rock.attenuation->longest_step());
    const auto step =
        longest_steps(exchange, slab, neighbours, material, run.solver.order, run.solver.step, most);
    Domain domain;
    domain.projection = run.projection;
    domain.shortest = find_smallest(comm, slab, step);
    std::vector<double> frequency;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        frequency.push_back(highest_frequency(slab.cell[c].place, material[c], run.solver.order));
    domain.coarsest = find_smallest(comm, slab, frequency);
    domain.ranges = ranges_of(comm, slab, material);
    require_plausible(comm, run, domain.ranges, domain.coarsest.value);
    warn_of_axes(comm, run, slab);
    warn_of_layers(comm, run, slab);
    ClusterOptions options;
    options.rate = run.solver.rate;
    options.most = run.solver.clusters;
    options.scale = run.solver.scale.value_or(0.0);
    domain.clusters = choose_clusters(comm, exchange, slab, neighbours, step, options);
    find_gains(comm, step, domain);
    warn_of_costly_elements(comm, exchange, run.mesh.name(), slab, neighbours, step, options,
                            domain.clusters);
    domain.mesh = tetra::deal_cells(comm, exchange, slab, neighbours, domain.clusters.of,
                                    static_cast<int>(domain.clusters.cells.size()),
                                    costs_of(slab.cell, run.fault ? find_law(run.fault->law)->cost : 0.0));
    domain.clusters.of.clear();
    domain.cost = {exchange.messages_sent(), exchange.bytes_sent(), slab.bytes_read};
    // Once more: what a cell is made of follows from its corners alone, and needs no message.
    domain.material = read_rock(comm, run, domain.mesh.cell, domain.mesh.material_group);
    return domain;
}

}  // namespace groundswell::quake
