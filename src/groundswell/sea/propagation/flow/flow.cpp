#include "groundswell/sea/propagation/flow.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"

namespace groundswell::sea {

namespace {

using voronoi::Vector3;

Vector3 vector_at(const CellForcing& cell, double longitude, double latitude) {
    return static_cast<double>(cell.eastward_current) * voronoi::east_at(longitude) +
           static_cast<double>(cell.northward_current) * voronoi::north_at(longitude, latitude);
}

}  // namespace

Flow::Flow(const PropagationTables& t)
    : drift(t.mesh.neighbour.size(), Real(0)),
      x(static_cast<std::size_t>(t.mesh.total), Real(0)),
      y(x),
      strain(x.size()),
      outflow(x),
      depth(t.mesh.depth),
      dry(x.size(), 0),
      stride_(lanes::padded(t.grid.frequencies + 1)),
      density_(x.size() * static_cast<std::size_t>(stride_)),
      potential_(density_.size()) {}

std::vector<flow_formulas::StrainedDirection> Flow::strained_directions(const SpectralGrid& grid) {
    // So that a difference of two sides is Δθ times the derivative in the middle, as for turning by depth.
    const double width = grid.direction_width, factor = 1.0 / std::sin(width);
    std::vector<flow_formulas::StrainedDirection> all;
    for (const double direction : grid.direction) {
        const double angle = 2.0 * direction, side = angle + width;
        all.push_back({static_cast<Real>(std::cos(angle)), static_cast<Real>(std::sin(angle)),
                       static_cast<Real>(factor * std::cos(side)),
                       static_cast<Real>(factor * std::sin(side))});
    }
    return all;
}

void Flow::set_dispersion(const PropagationTables& t, std::int32_t cell, double water_depth) {
    Real* const j = density_.data() + row(cell);
    Real* const w = potential_.data() + row(cell);
    const double k = wave_number(t.grid.sigma.front(), water_depth);
    double sum = 0.5 * k * k;
    for (int f = 0; f < stride_; ++f) {
        w[f] = static_cast<Real>(sum);
        j[f] = Real(1);
        if (f >= t.grid.frequencies) continue;
        const double density =
            static_cast<double>(t.wave_numbers(cell)[f]) / static_cast<double>(t.group_speeds(cell)[f]);
        j[f] = static_cast<Real>(density);
        sum += density * base::two_pi * t.grid.frequency_width[f];
    }
}

bool Flow::set_current(const PropagationTables& t, std::span<const CellForcing> cells,
                       std::vector<std::uint8_t>& changed) {
    const voronoi::LocalMesh& mesh = t.mesh;
    std::vector<std::uint8_t> itself(x.size(), 0);
    std::atomic<bool> any{false};
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        itself[cell] = cells[cell].eastward_current != x[cell] || cells[cell].northward_current != y[cell];
        if (itself[cell] != 0) any = true;
    });
    if (!any) return false;
    std::vector<Vector3> currents(x.size());
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        currents[cell] = vector_at(cells[cell], mesh.lon[cell], mesh.lat[cell]);
        x[cell] = cells[cell].eastward_current;
        y[cell] = cells[cell].northward_current;
    });
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        bool anew = itself[cell] != 0;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e)
            anew = anew || (mesh.neighbour[e] >= 0 && itself[mesh.neighbour[e]] != 0);
        if (!anew) return;
        changed[cell] = 1;
        set_current_of(t, currents, cell);
    });
    return true;
}

void Flow::set_current_of(const PropagationTables& t, std::span<const Vector3> currents, std::int32_t cell) {
    const voronoi::LocalMesh& mesh = t.mesh;
    const auto c = static_cast<std::size_t>(cell);
    const Vector3& own = currents[c];
    // Sums over edges of (ℓ/A) U_i n_j, and of n alone: the curvature of the frame.
    double xx = 0.0, xy = 0.0, yx = 0.0, yy = 0.0, curve_x = 0.0, curve_y = 0.0, out = 0.0;
    for (std::int32_t edge = mesh.edge_offset[c]; edge < mesh.edge_offset[c + 1]; ++edge) {
        const auto e = static_cast<std::size_t>(edge);
        const std::int32_t beyond = mesh.neighbour[e];
        Vector3 there = own;
        if (beyond >= 0) there = 0.5 * (own + currents[beyond]);
        double u = dot(there, voronoi::east_at(mesh.edge_lon[e])),
               v = dot(there, voronoi::north_at(mesh.edge_lon[e], mesh.edge_lat[e]));
        if (t.rotated[c]) {
            const double angle = carried_east(mesh.lon[c], mesh.lat[c], mesh.edge_lon[e], mesh.edge_lat[e]);
            const double east = u;
            u = std::cos(angle) * east + std::sin(angle) * v;
            v = std::cos(angle) * v - std::sin(angle) * east;
        }
        const double n_x = t.normal_x[e], n_y = t.normal_y[e], rate = t.rate[e];
        double across = u * n_x + v * n_y;
        if (beyond < 0 && !t.open(beyond)) {  // along a wall
            u -= across * n_x;
            v -= across * n_y;
            across = 0.0;
        }
        drift[e] = static_cast<Real>(rate * across);
        out += std::max(0.0, rate * across);
        xx += rate * u * n_x;
        xy += rate * u * n_y;
        yx += rate * v * n_x;
        yy += rate * v * n_y;
        curve_x += rate * n_x;
        curve_y += rate * n_y;
    }
    // In the frame at the centre: less what the frame's own turning makes of a constant vector (ω along x and y).
    const double u = x[c], v = y[c];
    const double omega_x = -curve_y, omega_y = curve_x;
    xx += -u * curve_x - v * omega_x;
    xy += -u * curve_y - v * omega_y;
    yx += -v * curve_x + u * omega_x;
    yy += -v * curve_y + u * omega_y;
    outflow[c] = static_cast<Real>(out);
    strain[c] = {static_cast<Real>(0.5 * (xx + yy)), static_cast<Real>(0.5 * (xx - yy)),
                 static_cast<Real>(0.5 * (xy + yx)),
                 static_cast<Real>(0.5 * (xy - yx) + u * omega_x + v * omega_y)};
}

}  // namespace groundswell::sea
