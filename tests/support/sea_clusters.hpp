#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/clusters/choice.hpp"
#include "groundswell/sea/clusters/steps.hpp"
#include "support/sea_propagation_case.hpp"

/// A sea whose cells step in clusters as a test wants them, on the ranks of a communicator.
namespace groundswell::sea::test {

/// Wanted by place (rad); lowered where neighbours ask for it.
using ClusterAt = std::function<int(double lon, double lat)>;

/// Three clusters: a fast spot at (0.6, 0.2), rings of slower cells around it.
inline int rings(double lon, double lat) {
    const double distance = std::hypot(std::remainder(lon - 0.6, base::two_pi), lat - 0.2);
    return distance < 0.3 ? 0 : distance < 0.6 ? 1 : 2;
}

inline voronoi::LocalMesh clustered_mesh(MPI_Comm comm, const std::function<voronoi::GlobalMesh()>& make,
                                         const SpectralGrid& grid, int layers, const ClusterAt& wanted) {
    voronoi::LoadOptions load;
    load.layers = layers;
    load.other_imbalances.assign(most_clusters - 1, 0.05);
    load.group = [&](MPI_Comm ranks, const parallel::RowBlocks& blocks, const voronoi::LocalMesh& mesh) {
        // A cluster asked for is a step of that length.
        std::vector<double> step;
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            step.push_back(std::ldexp(1.0, wanted(mesh.lon[cell], mesh.lat[cell])));
        const PropagationTables tables(mesh, grid, {});
        parallel::SparseExchange exchange(ranks);
        const graph::Clusters found = graph::find_clusters(ranks, exchange, cluster_graph(blocks, tables),
                                                           step, {cluster_rate, 1.0, most_clusters});
        return voronoi::CellGroups{found.of, static_cast<int>(found.cells.size())};
    };
    return voronoi::load_mesh(comm, make, load).mesh;
}

struct ClusteredSea {
    ClusteredSea(MPI_Comm comm_, const std::function<voronoi::GlobalMesh()>& make, const SpectralGrid& grid_,
                 const PropagationOptions& options, const ClusterAt& wanted = rings,
                 const halo::ExchangeOptions& halo = {})
        : comm(comm_),
          grid(grid_),
          mesh(clustered_mesh(comm, make, grid, Propagator::layers(options.scheme), wanted)),
          clustered(mesh),
          propagator(clustered.mesh, grid, options),
          plan(comm, mesh.owned_ids(), mesh.halo_ids()),
          first(layout_of(plan, clustered), grid.stride(), 0, halo.memory()),
          second(layout_of(plan, clustered), grid.stride(), 0, halo.memory()),
          steps(comm, clustered, propagator, options.scheme, first, second, halo, profile,
                profile.add_phase("propagation", parallel::PhaseKind::even)) {}

    /// The longest time from one meeting to the next.
    double longest() const { return longest_meeting(comm, mesh, propagator.longest_steps()); }
    void advance(double seconds) {
        steps.advance(seconds, [] {});
    }

    /// N(id of the cell, frequency, direction), of owned cells; what else there is must not matter.
    void fill(const std::function<double(std::int64_t, int, int)>& value) {
        std::fill_n(first.data(), static_cast<std::size_t>(first.ids()) * first.stride(),
                    std::numeric_limits<Real>::quiet_NaN());
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            for (int f = 0; f < grid.frequencies; ++f)
                for (int d = 0; d < grid.directions; ++d)
                    at(cell, f, d) = static_cast<Real>(value(mesh.id[cell], f, d));
    }
    Real& at(std::int32_t cell, int f, int d) {
        return first.data()[cell * first.stride() + static_cast<std::size_t>(grid.index(f, d))];
    }
    /// Σ N A over this rank's cells and directions of one frequency.
    double action(int f) {
        long double sum = 0.0L;
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            for (int d = 0; d < grid.directions; ++d)
                sum += at(cell, f, d) * static_cast<long double>(mesh.area[cell]);
        const double mine = static_cast<double>(sum);
        return parallel::sum(comm, std::span(&mine, 1));
    }
    Real smallest() {
        Real least = std::numeric_limits<Real>::max();
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            for (int b = 0; b < grid.bins(); ++b) least = std::min(least, at(cell, 0, b));
        return least;
    }

    MPI_Comm comm;
    SpectralGrid grid;
    voronoi::LocalMesh mesh;
    ClusteredMesh clustered;
    Propagator propagator;
    halo::Plan plan;
    halo::Field<Real> first, second;
    parallel::Profile profile;
    ClusterSteps steps;
};

}  // namespace groundswell::sea::test
