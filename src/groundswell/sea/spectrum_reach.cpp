#include "groundswell/sea/spectrum_reach.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::sea {

namespace {

constexpr double multiple = 2.5 * 0.13;  // of g/U
constexpr double raises_waves = 3.0;     // m s⁻¹
constexpr double wanted_wind = 5.0;      // m s⁻¹: a grid that carries its waves is fine enough
constexpr double worth_a_warning = 0.1;  // of the cells

}  // namespace

double lightest_wind(const SpectralGrid& grid) {
    return multiple * base::gravity / grid.frequency.back();
}

void warn_of_light_wind(MPI_Comm comm, const Case& run, const SpectralGrid& grid,
                        std::span<const CellForcing> cells) {
    const double enough = lightest_wind(grid);
    if (enough <= wanted_wind) return;
    std::int64_t light = 0;
    for (const CellForcing& cell : cells) {
        const double speed = std::hypot(cell.eastward_wind, cell.northward_wind);
        if (speed >= raises_waves && speed < enough) ++light;
    }
    const std::int64_t all = parallel::sum(comm, static_cast<std::int64_t>(cells.size()));
    light = parallel::sum(comm, light);
    const double share = static_cast<double>(light) / static_cast<double>(all);
    if (parallel::rank_of(comm) != 0 || all == 0 || share < worth_a_warning) return;
    const double wanted = multiple * base::gravity / wanted_wind;
    const double rows = std::log(wanted / grid.frequency.front()) / std::log(grid.ratio);
    const int frequencies = 1 + static_cast<int>(std::ceil(rows - 1e-6));
    base::log_warning(
        "{}: spectrum.frequencies = {}: the last frequency, {:.2f} Hz, is too low for winds below {:.1f} "
        "m/s, which {:.0f} % of the sea has at the start: waves there will be too low; {} frequencies carry "
        "those of {:g} m/s",
        run.file, grid.frequencies, grid.frequency.back(), enough, 100.0 * share, frequencies, wanted_wind);
}

void warn_of_idle_triads(MPI_Comm comm, const Case& run, const SpectralGrid& grid,
                         const Propagator& propagator, std::int32_t owned) {
    if (std::ranges::count(run.physics.terms, "triads") == 0) return;
    double depth = 1e300;
    for (std::int32_t cell = 0; cell < owned; ++cell) depth = std::min(depth, propagator.depth(cell));
    depth = parallel::min(comm, depth);
    // tanh π = 0.996: k = σ²/g.
    const double deep = base::pi * base::gravity / (grid.sigma.front() * grid.sigma.front());
    if (parallel::rank_of(comm) != 0 || depth <= deep) return;
    base::log_warning(
        "{}: physics.terms has triads, which act in shallow water: no cell is shallower than {:.0f} m, and "
        "from {:.0f} m on the water is deep for all waves of spectrum.first_frequency = {:g} Hz and more",
        run.file, depth, deep, grid.frequency.front());
}

double oldest_swell(MPI_Comm comm, const voronoi::LocalMesh& mesh, const SpectralGrid& grid) {
    // The largest coordinates, and the largest of the opposite place's.
    std::vector<double> most(6, -1.0);
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        const voronoi::Vector3 p = voronoi::point_at(mesh.lon[cell], mesh.lat[cell]);
        const std::array<double, 6> sides{p.x, p.y, p.z, -p.x, -p.y, -p.z};
        for (std::size_t i = 0; i < sides.size(); ++i) most[i] = std::max(most[i], sides[i]);
    }
    most = parallel::max(comm, std::move(most));
    const double extent = std::hypot(most[0] + most[3], most[1] + most[4], most[2] + most[5]);
    const double fastest = 0.5 * base::gravity / grid.sigma.front();
    return mesh.radius * extent / (3.0 * fastest);
}

}  // namespace groundswell::sea
