#include "groundswell/quake/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/rock/rock.hpp"
#include "groundswell/quake/water/sea_surface.hpp"

namespace groundswell::quake {

namespace {

tetra::Slab make_slab(MPI_Comm comm, parallel::SparseExchange& exchange, const MeshSection& mesh) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    if (!mesh.box) return tetra::read_mesh(comm, exchange, mesh.file, mesh.join);
    return parallel::agree(comm, [&] { return tetra::slab_of(comm, tetra::Box(*mesh.box)); });
}

std::vector<Material> read_rock(MPI_Comm comm, const GroundOptions& ground,
                                std::span<const tetra::Tetrahedron> cells,
                                std::span<const std::int64_t> group) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    return materials_of(comm, ground.rock, cells, group);
}

// A case's longitudes and latitudes become metres as those of its mesh did.
void require_same_projection(MPI_Comm comm, const GroundOptions& ground) {
    if (ground.mesh.box || !ground.projection) return;
    parallel::agree(comm, [&] {
        const std::string stated =
            parallel::rank_of(comm) == 0 ? tetra::stated_projection(ground.mesh.file) : std::string();
        const std::string& wanted = ground.projection->proj();
        if (stated.empty() || stated == wanted) return;
        const auto of_mesh = tetra::Projection::from_words(stated, ground.mesh.file, "projection");
        base::require(of_mesh.proj() == wanted, ground.mesh.file, "projection", stated,
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

void Domain::announce(double longest) const {
    base::log_info("ground: {}", ranges.extent());
    base::log_info("rock: {}; the shortest waves that all cells carry are {:.4g} m long", ranges.rock(),
                   shortest_wave());
    base::log_info(
        "steps from {:.4g} s (cell {} at {:.6g}, {:.6g}, {:.6g} m) to {:.4g} s, in {} cluster{}: {:.2f} "
        "times fewer updates than with one step for all; with a step of its own for each cell it would be "
        "{:.2f}",
        clusters.step, shortest.cell, shortest.centre[0], shortest.centre[1], shortest.centre[2], longest,
        clusters.cells.size(), clusters.cells.size() == 1 ? "" : "s", gain_of_clusters, gain_of_own_steps);
    base::log_info(
        "waves up to {:.4g} Hz in all cells, in uniform rock; the coarsest is cell {} at {:.6g}, {:.6g}, "
        "{:.6g} m",
        coarsest.value, coarsest.cell, coarsest.centre[0], coarsest.centre[1], coarsest.centre[2]);
    interfaces.announce();
}

void Domain::add_to(simulation::Report& report) const {
    report.set("elements", mesh.global_cells);
    report.set("smallest_step_seconds", shortest.value);
    report.set("smallest_step_cell", shortest.cell);
    report.set("resolution.highest_frequency", coarsest.value);
    report.set("resolution.coarsest_cell", coarsest.cell);
    report.set("resolution.shortest_wave", shortest_wave());
    report.set("local_time_stepping.rate", std::int64_t{clusters.rate});
    report.set("local_time_stepping.gain_per_element", gain_of_own_steps);
    report.set("local_time_stepping.gain_of_clusters", gain_of_clusters);
    report.set("reading.mesh.cells", mesh.global_cells);
    ranges.add_to(report);
}

Domain make_domain(MPI_Comm comm, const GroundOptions& ground) {
    const parallel::MemoryHolder holder(parallel::MemoryPart::mesh);
    const parallel::StartUpTimer timer(parallel::StartUpPart::partition);
    require_same_projection(comm, ground);
    parallel::SparseExchange exchange(comm);
    tetra::Slab slab = make_slab(comm, exchange, ground.mesh);
    const auto neighbours = tetra::find_neighbours(comm, exchange, slab, ground.mesh.name());
    if (ground.plus_side) tetra::mark_plus_sides(comm, exchange, slab, *ground.plus_side);
    double most =
        ground.longest_step ? ground.longest_step->seconds() : std::numeric_limits<double>::infinity();
    const auto material = read_rock(comm, ground, slab.cell, slab.group);
    if (parallel::rank_of(comm) == 0) warn_of_quality(ground.rock);
    const bool has_sea = require_level_sea(comm, ground.mesh.name(), slab, material);
    if (ground.rock.attenuation) most = std::min(most, ground.rock.attenuation->longest_step());
    const auto step =
        longest_steps(exchange, slab, neighbours, material, ground.solver.order, ground.solver.step, most);
    Domain domain;
    domain.projection = ground.projection;
    domain.gravity = ground.rock.gravity;
    domain.has_sea = has_sea;
    domain.shortest = find_smallest(comm, slab, step);
    std::vector<double> frequency;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        frequency.push_back(highest_frequency(slab.cell[c].place, material[c], ground.solver.order));
    domain.coarsest = find_smallest(comm, slab, frequency);
    domain.ranges = ranges_of(comm, slab, material);
    require_plausible(comm, ground.mesh, ground.rock, domain.ranges, domain.coarsest.value);
    warn_of_axes(comm, ground.mesh, slab);
    warn_of_layers(comm, ground.rock, slab);
    ClusterOptions options;
    options.rate = ground.solver.rate;
    options.most = ground.solver.clusters;
    options.scale = ground.solver.scale.value_or(0.0);
    domain.clusters = choose_clusters(comm, exchange, slab, neighbours, step, options);
    find_gains(comm, step, domain);
    warn_of_costly_elements(comm, exchange, ground.mesh.name(), slab, neighbours, step, options,
                            domain.clusters);
    domain.mesh = tetra::deal_cells(comm, exchange, slab, neighbours, domain.clusters.of,
                                    static_cast<int>(domain.clusters.cells.size()),
                                    costs_of(slab.cell, material, ground.fault_face_cost));
    domain.clusters.of.clear();
    domain.cost = {exchange.messages_sent(), exchange.bytes_sent(), slab.bytes_read};
    // Once more: what a cell is made of follows from its corners alone, and needs no message.
    domain.material = read_rock(comm, ground, domain.mesh.cell, domain.mesh.material_group);
    domain.interfaces = interfaces_of(comm, domain.mesh, domain.material, ground.solver.order);
    return domain;
}

}  // namespace groundswell::quake
