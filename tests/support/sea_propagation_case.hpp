#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/sea/propagation/obstruction.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"

/// What the tests of propagation share: a mesh on one rank, two copies of the state, sums.
namespace groundswell::sea::test {

/// Rounding of the state's type.
inline constexpr double rounding = sizeof(Real) == 4 ? 6e-8 : 1.2e-16;

/// As load_mesh() makes it, without MPI.
inline voronoi::LocalMesh on_one_rank(voronoi::GlobalMesh mesh) {
    voronoi::CullReport culled;
    const auto sea = voronoi::order_along_curve(voronoi::cull(std::move(mesh), {}, culled));
    const std::vector<int> part(sea.lon.size(), 0);
    return voronoi::Extractor(sea, part, 1, 2).local_mesh(0);
}
inline voronoi::LocalMesh sphere(int k, const voronoi::DepthFunction& depth) {
    return on_one_rank(voronoi::icosahedral(k, depth));
}
inline voronoi::LocalMesh sphere(int k, double depth) {
    return on_one_rank(voronoi::icosahedral(k, depth));
}
/// Around (0, 0): flat to a part in (size/R)².
inline voronoi::LocalMesh patch(int nx, int ny, double spacing, const voronoi::DepthFunction& depth) {
    return on_one_rank(voronoi::hexagonal_patch(nx, ny, spacing, 0.0, 0.0, depth));
}
/// A shelf sea: 10 m to 4000 m within a few cells.
inline double rough_depth(double lon, double lat) {
    return 2005.0 + 1995.0 * std::sin(3.0 * lon + 1.0) * std::cos(5.0 * lat + 2.0 * lon);
}

struct Case {
    using Obstruct = std::function<Obstruction(const voronoi::LocalMesh&)>;

    Case(voronoi::LocalMesh mesh_, const SpectralGrid& grid_, const PropagationOptions& options,
         const Obstruct& obstruct = {})
        : mesh(std::move(mesh_)),
          grid(grid_),
          propagator(make_propagator(mesh, grid, options, obstruct)),
          old(static_cast<std::size_t>(mesh.total) * grid.stride(), Real(0)),
          next(old) {}

    /// N(cell, frequency, direction).
    void fill(const std::function<double(int, int, int)>& value) {
        for (int cell = 0; cell < mesh.total; ++cell)
            for (int f = 0; f < grid.frequencies; ++f)
                for (int d = 0; d < grid.directions; ++d)
                    at(cell, f, d) = static_cast<Real>(value(cell, f, d));
    }
    /// M = cg N/k the same everywhere: constant action in wave-number space.
    void fill_constant() {
        fill([&](int cell, int f, int) {
            return propagator.wave_number(cell)[f] / propagator.group_speed(cell)[f] * scale(f);
        });
    }
    /// Brings constant states of all frequencies to the order of 1.
    double scale(int f) const { return 1.0 / (grid.sigma[f] * grid.sigma[f] * grid.sigma[f]); }

    void step(double dt) {
        propagator.propagate_cells(0, mesh.owned, next.data(), old.data(), dt);
        std::swap(old, next);
    }
    Real& at(int cell, int f, int d) { return old[cell * grid.stride() + grid.index(f, d)]; }
    Real at(int cell, int f, int d) const { return old[cell * grid.stride() + grid.index(f, d)]; }

    /// Σ N A over cells and directions of one frequency.
    double action(int f) const {
        long double sum = 0.0L;  // so that the sum's own rounding is not taken for the scheme's
        for (int cell = 0; cell < mesh.owned; ++cell)
            for (int d = 0; d < grid.directions; ++d)
                sum += at(cell, f, d) * static_cast<long double>(mesh.area[cell]);
        return static_cast<double>(sum);
    }
    Real smallest() const { return *std::min_element(old.begin(), old.end()); }

    static Propagator make_propagator(const voronoi::LocalMesh& mesh, const SpectralGrid& grid,
                                      const PropagationOptions& options, const Obstruct& obstruct) {
        if (!obstruct) return {mesh, grid, options};
        const Obstruction obstruction = obstruct(mesh);
        return {mesh, grid, options, &obstruction};
    }

    voronoi::LocalMesh mesh;
    SpectralGrid grid;
    Propagator propagator;
    std::vector<Real> old, next;
};

/// α of every edge, as a number of the two cells' ids and of the file's direction, of `directions`.
inline Obstruction obstruct(const voronoi::LocalMesh& mesh, int directions,
                            const std::function<double(std::int64_t, std::int64_t, int)>& alpha) {
    Obstruction all;
    all.directions = directions;
    all.row.assign(mesh.neighbour.size(), -1);
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            if (mesh.neighbour[e] < 0) continue;
            all.row[e] = static_cast<std::int32_t>(all.transparency.size()) / directions;
            for (int j = 0; j < directions; ++j)
                all.transparency.push_back(
                    static_cast<float>(alpha(mesh.id[cell], mesh.id[mesh.neighbour[e]], j)));
        }
    }
    return all;
}

inline PropagationOptions with_scheme(PropagationScheme scheme) {
    PropagationOptions options;
    options.scheme = scheme;
    return options;
}

/// Deterministic numbers in [0, 1) without pattern.
inline double noise(int i) {
    const double x = std::sin(12.9898 * i + 4.1414) * 43758.5453;
    return x - std::floor(x);
}

}  // namespace groundswell::sea::test
