// A wave field in a box, with clusters as a test wants them, on the ranks of a communicator.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/mesh/steps.hpp"
#include "groundswell/quake/wavefield.hpp"
#include "support/quake/elements_of_box.hpp"

namespace groundswell::quake::test {

struct FieldOfBox {
    tetra::BoxOptions box;
    std::function<tetra::Slab(MPI_Comm)> mesh = {};  ///< in place of the box
    std::function<Material(const tetra::Point&)> material;
    /// Clusters by place, lowered where neighbours ask for it; each cell's own step where this is empty.
    std::function<int(const tetra::Point&)> cluster = {};
    int order = 3, rate = 2;
    std::string transport = "posted";
    std::shared_ptr<const Attenuation> attenuation = nullptr;  ///< of the material, which is unrelaxed
    StepLimit limit = usual_step;
    /// Which faces inside the box a fault lies at, by their corners; and what acts there.
    std::function<bool(const std::array<tetra::Point, 3>&)> at_fault = {};
    const FaultInput* fault = nullptr;
    double gravity = base::gravity;
    std::function<std::unique_ptr<exec::Device>()> device = {};  ///< that elements step on
    halo::Route gpu = halo::Route::automatic;
    bool faults_on_device = true;  ///< else the processor solves them
    double seconds = 0.0;          ///< if not 0: the step is shortened so that all clusters meet at this time
};

/// Puts water above a height, m, whose surface is the top of the box, under gravity.
inline void put_under_a_sea(FieldOfBox& wanted, double bottom) {
    wanted.material = [rock = wanted.material, bottom](const tetra::Point& place) {
        return place[2] > bottom ? Material{1000.0, 2.25e9, 0.0} : rock(place);
    };
    wanted.mesh = [box = wanted.box](MPI_Comm comm) {
        tetra::Slab slab = tetra::slab_of(comm, tetra::Box(box));
        for (tetra::Tetrahedron& cell : slab.cell) {
            for (int f = 0; f < 4; ++f) {
                const auto is_top = [&](int corner) { return cell.place[corner][2] == box.length[2]; };
                if (std::ranges::all_of(tetra::face_corners[f], is_top))
                    cell.boundary[f] = tetra::Boundary::sea;
            }
        }
        return slab;
    };
}

template <class Real>
struct MadeField {
    tetra::LocalMesh mesh;
    std::vector<Material> material;
    Clusters clusters;
    std::unique_ptr<exec::Device> device;
    std::unique_ptr<Wavefield<Real>> field;
};

template <class Real>
MadeField<Real> make_field(MPI_Comm comm, const FieldOfBox& wanted) {
    parallel::SparseExchange exchange(comm);
    tetra::Slab slab = wanted.mesh ? wanted.mesh(comm) : tetra::slab_of(comm, tetra::Box(wanted.box));
    const auto neighbours = tetra::find_neighbours(comm, exchange, slab, "box");
    for (std::size_t c = 0; wanted.at_fault && c < slab.cell.size(); ++c) {
        for (int f = 0; f < 4; ++f) {
            std::array<tetra::Point, 3> corner;
            for (int i = 0; i < 3; ++i) corner[i] = slab.cell[c].place[tetra::face_corners[f][i]];
            if (neighbours[c][f].cell < 0 || !wanted.at_fault(corner)) continue;
            slab.cell[c].boundary[f] = tetra::Boundary::fault;
            // The + side is where y is larger, or x and half of z are.
            const auto normal = tetra::geometry_of(slab.cell[c].place).normal[f];
            if (normal[1] < 0.0 || (normal[1] == 0.0 && normal[0] + 0.5 * normal[2] < 0.0))
                slab.cell[c].set_plus(f);
        }
    }
    ClusterOptions options;
    options.rate = wanted.rate;
    std::vector<Material> rock;
    for (const auto& cell : slab.cell) rock.push_back(wanted.material(centre_of(cell)));
    const std::vector<double> own =
        longest_steps(exchange, slab, neighbours, rock, wanted.order, wanted.limit, 1e300);
    std::vector<double> step = own;
    for (std::size_t c = 0; wanted.cluster && c < step.size(); ++c) {
        // A cluster asked for is a step of that length.
        step[c] = std::pow(wanted.rate, wanted.cluster(centre_of(slab.cell[c]))) * 1.0000001;
        options.scale = 1.0;
    }
    MadeField<Real> made;
    made.clusters = graph::find_clusters(comm, exchange, cluster_graph(slab, neighbours), step, options);
    if (wanted.cluster) {
        const double shortest = own.empty() ? 1e300 : *std::ranges::min_element(own);
        made.clusters.step = parallel::min(comm, shortest) /
                             std::pow(wanted.rate, static_cast<double>(made.clusters.cells.size() - 1));
    }
    if (wanted.seconds > 0.0) {
        const double ticks = std::pow(wanted.rate, static_cast<double>(made.clusters.cells.size() - 1));
        made.clusters.step =
            wanted.seconds / ticks / std::ceil(wanted.seconds / (made.clusters.step * ticks));
    }
    const std::vector<std::int64_t> weight(slab.cell.size(), 1);
    made.mesh = tetra::deal_cells(comm, exchange, slab, neighbours, made.clusters.of,
                                  static_cast<int>(made.clusters.cells.size()), weight);
    for (const auto& cell : made.mesh.cell) made.material.push_back(wanted.material(centre_of(cell)));
    halo::ExchangeOptions halo;
    halo.transport = wanted.transport;
    halo.gpu = wanted.gpu;
    const int mechanisms = wanted.attenuation ? wanted.attenuation->options().mechanisms : 0;
    made.field = std::make_unique<Wavefield<Real>>(
        comm,
        !wanted.device ? wave_kernels<Real>(wanted.order, mechanisms)
                       : wave_device_kernels<Real>(wanted.order, mechanisms).elements,
        made.mesh, made.material, made.clusters.step, wanted.rate, halo, nullptr, wanted.attenuation.get(),
        wanted.fault, wanted.gravity);
    if (wanted.device) {
        made.device = wanted.device();
        made.field->move_to(*made.device, wanted.faults_on_device);
    }
    return made;
}

}  // namespace groundswell::quake::test
