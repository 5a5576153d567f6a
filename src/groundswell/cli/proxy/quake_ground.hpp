#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/case_parts.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/plain/checks.hpp"
#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/quake/source/all_sources.hpp"
#include "groundswell/quake/wavefield.hpp"

/// The ground that kernels of the earthquake model are timed on.
namespace groundswell::cli {

// Cubes of the box are so wide, m.
inline constexpr double width = 1000.0;

// Faults in every other plane between cubes along y.
inline void break_planes(tetra::Slab& slab) {
    for (tetra::Tetrahedron& cell : slab.cell) {
        for (int f = 0; f < 4; ++f) {
            const auto y = [&](int corner) { return cell.place[tetra::face_corners[f][corner]][1]; };
            if (y(0) != y(1) || y(0) != y(2) || std::fmod(y(0), 2.0 * width) != width) continue;
            cell.boundary[f] = tetra::Boundary::fault;
            if (cell.place[3 - f][1] > y(0)) cell.set_plus(f);
        }
    }
}

// All slips: that is what takes longest.
inline quake::FaultInput slipping(const std::string& law) {
    quake::FaultInput input;
    const quake::LawDescription& description = *quake::find_law(law);
    input.law = law;
    for (const quake::LawParameter& parameter : description.of_fault)
        input.of_fault.push_back(parameter.sample);
    quake::FaultPoint point{{-120e6, 70e6, 10e6}, {}, {}};
    for (std::size_t i = 0; i < description.at_places.size(); ++i)
        point.parameter[i] = description.at_places[i].sample;
    input.at = [point](const quake::FaultSpot&) { return point; };
    return input;
}

// A part of the ground with a wave field on it.
template <class Real>
struct ProxyGround {
    parallel::Profile profile;
    quake::Domain domain;
    std::shared_ptr<const quake::Attenuation> attenuation;
    std::optional<quake::FaultInput> fault;
    std::unique_ptr<quake::Wavefield<Real>> field;

    void make_field(MPI_Comm comm, int order, int mechanisms, const halo::ExchangeOptions& halo) {
        field = std::make_unique<quake::Wavefield<Real>>(comm, quake::wave_kernels<Real>(order, mechanisms),
                                                         domain.mesh, domain.material, domain.clusters.step,
                                                         domain.clusters.rate, halo, &profile,
                                                         attenuation.get(), fault ? &*fault : nullptr);
    }
    int clusters() const { return static_cast<int>(domain.clusters.cells.size()); }
    std::vector<exec::KernelCheck> check() {
        return quake::check_kernels(*field, domain.mesh, std::span<const quake::Material>(domain.material),
                                    attenuation.get(), clusters());
    }
};

// Rock that differs from cell to cell, or water, in a box that has no end, with one step for all.
template <class Real>
std::unique_ptr<ProxyGround<Real>> box_of_rock(MPI_Comm comm, int cells, int order, int mechanisms,
                                               const std::string& law, bool water = false) {
    const bool with_faults = !law.empty();
    auto ground = std::make_unique<ProxyGround<Real>>();
    tetra::BoxOptions box;
    // An even number of cubes along each axis, five tetrahedra in each.
    const auto even = [](double cubes) { return std::max<std::int64_t>(4, 2 * std::lround(0.5 * cubes)); };
    box.cubes[0] = box.cubes[1] = even(std::cbrt(cells / 5.0));
    box.cubes[2] = even(cells / 5.0 / static_cast<double>(box.cubes[0] * box.cubes[1]));
    for (int axis = 0; axis < 3; ++axis) box.length[axis] = width * static_cast<double>(box.cubes[axis]);
    box.periodic = {true, true, true};
    box.jitter = with_faults ? 0.0 : 0.1;
    parallel::SparseExchange exchange(comm);
    tetra::Slab slab = tetra::slab_of(comm, tetra::Box(box));
    if (with_faults) break_planes(slab);
    const auto neighbours = tetra::find_neighbours(comm, exchange, slab, "box");
    const std::vector<std::int32_t> group(slab.cell.size(), 0);
    const std::vector<std::int64_t> weight(slab.cell.size(), 1);
    ground->domain.mesh = tetra::deal_cells(comm, exchange, slab, neighbours, group, 1, weight);
    auto& material = ground->domain.material;
    for (const auto& cell : ground->domain.mesh.cell) {
        const double stiffer = 1.0 + 0.1 * std::sin(1e-3 * (cell.place[0][0] + 2.0 * cell.place[0][1]));
        material.push_back(water ? quake::Material{1000.0, 2.25e9 * stiffer, 0.0}
                                 : quake::Material{2700.0, 3.24e10 * stiffer, 3.24e10 * stiffer});
    }
    const quake::Material fastest =
        water ? quake::Material{1000.0, 2.5e9, 0.0} : quake::Material{2700.0, 3.6e10, 3.6e10};
    // Two decades of frequencies that steps of these cells resolve.
    if (mechanisms > 0) {
        ground->attenuation =
            std::make_shared<const quake::Attenuation>(quake::AttenuationOptions{mechanisms, 0.01, 1.0, 0.1});
        for (quake::Material& rock : material) {
            rock.loss_p = 1.0 / 80.0;
            rock.loss_s = 1.0 / 40.0;
            rock = ground->attenuation->unrelaxed(rock);
        }
    }
    double step = 1e300;
    for (const auto& cell : ground->domain.mesh.cell)
        step =
            std::min(step, quake::StepLimit{}.longest_step(tetra::geometry_of(cell.place), fastest, order));
    ground->domain.clusters.step = parallel::min(comm, step);
    ground->domain.clusters.rate = 1;
    ground->domain.clusters.cells = {ground->domain.mesh.global_cells};
    if (with_faults) ground->fault = slipping(law);
    ground->make_field(comm, order, mechanisms, halo::ExchangeOptions{});
    return ground;
}

// The ground of a case, made as a run makes it.
template <class Real>
std::unique_ptr<ProxyGround<Real>> ground_of(MPI_Comm comm, const quake::Case& run) {
    auto ground = std::make_unique<ProxyGround<Real>>();
    ground->domain = quake::domain_of(comm, run);
    ground->attenuation = run.rock.attenuation;
    ground->fault = quake::fault_input_of(comm, run, ground->domain.mesh);
    ground->make_field(comm, run.solver.order, run.rock.mechanisms(), run.halo);
    auto& field = *ground->field;
    quake::add_sources(
        comm, run.source, run.file, ground->domain,
        [&](std::int32_t cell, const tetra::Point& reference, std::span<const quake::PointSource> sources) {
            for (const quake::PointSource& source : sources) field.add_source(cell, reference, source);
        });
    if (run.plasticity)
        field.make_plastic(comm, ground->domain.mesh, ground->domain.material,
                           quake::plasticity_input(comm, *run.plasticity, run.fault ? &*run.fault : nullptr,
                                                   ground->domain.mesh));
    return ground;
}

}  // namespace groundswell::cli
