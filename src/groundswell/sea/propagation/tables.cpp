#include "groundswell/sea/propagation/tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"

namespace groundswell::sea {
namespace {

// A cell's frame is carried instead of following the local east where east turns over one spacing by more than either of these: an angle (rad),
// or so many bins of direction. Measured on beams over a pole: turning that fast spreads a beam in direction far more than first-order edges
// spread it in space (with 0.25 the spread over a pole grew from 13° to 27°, with 0.1 to 15°). With 144 directions, whose bins are 0.044 wide, the
// angle alone left cells in between that turn by two bins in a spacing, implicitly and in first order, and an error that no finer mesh took away.
// With half as many bins as here, four times as many cells carry their frames, and the error is from a seventh less to a third more.
constexpr double largest_frame_turn = 0.1, largest_frame_turn_in_bins = 1.15;

// A share of 1/4, the value for neighbours all around: below it the neighbours lie nearly on a line and give no
// gradient.
constexpr double least_plane_span = 0.02;

}  // namespace

PropagationTables::PropagationTables(const voronoi::LocalMesh& mesh_, const SpectralGrid& grid_,
                                     const PropagationOptions& options_, const Obstruction* obstruction)
    : mesh(mesh_),
      grid(grid_),
      options(options_),
      frequency_stride(lanes::padded(grid_.frequencies)),
      direction_stride(lanes::padded(grid_.directions)),
      largest_explicit_outflow(
          static_cast<Real>(options_.scheme == PropagationScheme::upwind ? 0.999 : 0.75)),
      spreading(grid_, options_.scheme == PropagationScheme::upwind ? 0.0 : options_.swell_age) {
    GS_ASSERT(options.minimum_depth > 0.0);
    GS_ASSERT(mesh.owned == mesh.total || mesh.layers >= Propagator::layers(options.scheme));
    // The step leaves room for usual levels, and for usual currents in find_limit().
    fill_dispersion(options.levels ? presumed_level : 0.0);
    fill_directions();
    fill_edges();
    fill_rotated_edges();
    fill_limits();
    if (options.currents || options.levels) start_flow();
    if (obstruction != nullptr) fill_transparencies(*obstruction);
}

void PropagationTables::fill_dispersion(double added_depth) {
    const auto stride = static_cast<std::size_t>(frequency_stride);
    wave_number = exec::Array<Real>(static_cast<std::size_t>(mesh.total) * stride);
    group_speed = exec::Array<Real>(wave_number.size());
    ratio = exec::Array<Real>(wave_number.size());
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        set_dispersion(cell, std::max(mesh.depth[cell] + added_depth, options.minimum_depth));
    });
}

void PropagationTables::set_dispersion(std::int32_t cell, double depth) {
    const std::size_t first = static_cast<std::size_t>(cell) * static_cast<std::size_t>(frequency_stride);
    for (int f = 0; f < frequency_stride; ++f) {
        double k = 1.0, speed = 0.0;
        if (f < grid.frequencies) {
            const double sigma = grid.sigma[f];
            k = sea::wave_number(sigma, depth);
            speed = sea::group_speed(sigma, k, depth);
        }
        const std::size_t i = first + static_cast<std::size_t>(f);
        wave_number[i] = static_cast<Real>(k);
        group_speed[i] = static_cast<Real>(speed);
        ratio[i] = static_cast<Real>(speed / k);
    }
}

void PropagationTables::fill_directions() {
    for (auto* table : {&cosine, &sine, &turn_upper_x, &turn_upper_y, &turn_lower_x, &turn_lower_y})
        *table = DirectionTable(direction_stride);
    const double width = grid.direction_width;
    // The factor makes the difference of two sides equal −Δθ (S·d) exactly: flux over the edges then balances
    // turning.
    const double factor = options.turning ? 1.0 / (2.0 * std::sin(0.5 * width)) : 0.0;
    for (int j = -lanes::table_width; j < direction_stride + lanes::table_width; ++j) {
        const int bin = (j % grid.directions + grid.directions) % grid.directions;
        const auto side_x = [&](int side) {
            return static_cast<Real>(-factor * std::sin((side - 0.5) * width));
        };
        const auto side_y = [&](int side) {
            return static_cast<Real>(factor * std::cos((side - 0.5) * width));
        };
        const int above = (bin + 1) % grid.directions;
        cosine.data()[j] = static_cast<Real>(grid.cosine[bin]);
        sine.data()[j] = static_cast<Real>(grid.sine[bin]);
        turn_lower_x.data()[j] = side_x(bin);
        turn_lower_y.data()[j] = side_y(bin);
        turn_upper_x.data()[j] = side_x(above);
        turn_upper_y.data()[j] = side_y(above);
    }
}

void PropagationTables::fill_edges() {
    rotated.assign(mesh.total, 0);
    const double largest = std::min(largest_frame_turn, largest_frame_turn_in_bins * grid.direction_width);
    rate.resize(mesh.neighbour.size());
    normal_x.resize(rate.size());
    normal_y.resize(rate.size());
    for (std::int32_t cell = 0; cell < mesh.total; ++cell) {
        const auto c = static_cast<std::size_t>(cell);
        const double turn = std::sqrt(mesh.area[c]) * std::abs(std::tan(mesh.lat[c])) / base::earth_radius;
        rotated[c] = turn > largest ? 1 : 0;
        for (std::int32_t edge = mesh.edge_offset[c]; edge < mesh.edge_offset[c + 1]; ++edge) {
            const auto e = static_cast<std::size_t>(edge);
            double bearing = mesh.edge_bearing[e];
            if (rotated[c])
                bearing -= carried_east(mesh.lon[c], mesh.lat[c], mesh.edge_lon[e], mesh.edge_lat[e]);
            rate[e] = static_cast<Real>(mesh.edge_length[e] / mesh.area[c]);
            normal_x[e] = static_cast<Real>(std::cos(bearing));
            normal_y[e] = static_cast<Real>(std::sin(bearing));
        }
    }
}

double PropagationTables::frame_turn(std::int32_t cell, std::size_t e) const {
    const auto c = static_cast<std::size_t>(cell);
    return rotated[c] ? carried_east(mesh.lon[c], mesh.lat[c], mesh.edge_lon[e], mesh.edge_lat[e]) : 0.0;
}

void PropagationTables::fill_rotated_edges() {
    rotated_edge_begin.push_back(0);
    for (std::int32_t cell = 0; cell < mesh.total; ++cell) {
        const auto c = static_cast<std::size_t>(cell);
        const std::size_t before = rotated_edges.size();
        for (std::int32_t edge = mesh.edge_offset[c]; edge < mesh.edge_offset[c + 1]; ++edge) {
            const auto e = static_cast<std::size_t>(edge);
            const std::int32_t neighbour = mesh.neighbour[e];
            if (!crosses_frames(cell, neighbour)) continue;
            const double own = frame_turn(cell, e), other = frame_turn(neighbour, e);
            const double outward = mesh.edge_bearing[e] + base::pi - other;
            const auto x = static_cast<Real>(std::cos(outward)), y = static_cast<Real>(std::sin(outward));
            const Real half = Real(0.5) * static_cast<Real>(mesh.edge_distance[e]);
            rotated_edges.push_back({edge, x, y, half * x, half * y,
                                     SpectrumRotation(other - own, grid.directions), directions_along(x, y)});
        }
        if (rotated_edges.size() == before) continue;
        if (cell < mesh.owned) ++owned_with_rotated_edges;
        rotated_edge_cell.push_back(cell);
        rotated_edge_begin.push_back(static_cast<std::int32_t>(rotated_edges.size()));
    }
}

void PropagationTables::fill_transparencies(const Obstruction& obstruction) {
    GS_ASSERT(obstruction.row.size() == mesh.neighbour.size());
    transparency_row.assign(mesh.neighbour.size(), -1);
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t row = obstruction.row[e], neighbour = mesh.neighbour[e];
            if (row < 0 || neighbour < 0) continue;
            const double turn = frame_turn(neighbour, static_cast<std::size_t>(e));
            DirectionTable table(direction_stride);
            for (int j = -lanes::table_width; j < direction_stride + lanes::table_width; ++j)
                table.data()[j] = static_cast<Real>(obstruction.at(row, j * grid.direction_width - turn));
            transparency_row[e] = static_cast<std::int32_t>(transparencies.size());
            transparencies.push_back(std::move(table));
        }
    }
}

std::span<const RotatedEdge> PropagationTables::rotated_edges_of(std::int32_t cell) const {
    if (rotated_edge_cell.empty()) return {};
    const auto found = std::lower_bound(rotated_edge_cell.begin(), rotated_edge_cell.end(), cell);
    if (found == rotated_edge_cell.end() || *found != cell) return {};
    const auto i = static_cast<std::size_t>(found - rotated_edge_cell.begin());
    return {rotated_edges.data() + rotated_edge_begin[i], rotated_edges.data() + rotated_edge_begin[i + 1]};
}

double PropagationTables::distance_to_rim(std::int32_t cell, std::int32_t edge) const {
    return mesh.radius * voronoi::arc(voronoi::point_at(mesh.lon[cell], mesh.lat[cell]),
                                      voronoi::point_at(mesh.edge_lon[edge], mesh.edge_lat[edge]));
}

std::array<Real, 3> PropagationTables::gradient_matrix(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (std::int32_t edge = mesh.edge_offset[c]; edge < mesh.edge_offset[c + 1]; ++edge) {
        const auto e = static_cast<std::size_t>(edge);
        const std::int32_t beyond = mesh.neighbour[e];
        if (beyond < 0 && beyond_rim(cell, edge) == nullptr) continue;
        const double x = normal_x[e], y = normal_y[e];
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double determinant = xx * yy - xy * xy, trace = xx + yy;
    if (determinant <= least_plane_span * trace * trace) return {};
    return {static_cast<Real>(yy / determinant), static_cast<Real>(-xy / determinant),
            static_cast<Real>(xx / determinant)};
}

StepLimit PropagationTables::find_limit(std::int32_t cell, std::vector<double>& out) {
    const auto c = static_cast<std::size_t>(cell);
    const std::size_t directions = out.size();
    StepLimit fastest{0.0, cell, 0, 0};  // `seconds` holds a rate until the end
    Real* const rates = outflow_rate.data() + c * static_cast<std::size_t>(frequency_stride);
    std::fill_n(rates, frequency_stride, Real(0));
    for (int f = 0; f < grid.frequencies; ++f) {
        const double k = wave_numbers(cell)[f], cell_ratio = ratios(cell)[f];
        double s_x = 0.0, s_y = 0.0;
        std::fill(out.begin(), out.end(), 0.0);
        for (std::int32_t edge = mesh.edge_offset[c]; edge < mesh.edge_offset[c + 1]; ++edge) {
            const auto e = static_cast<std::size_t>(edge);
            const std::int32_t neighbour = mesh.neighbour[e];
            const double k_beyond = neighbour >= 0 ? wave_numbers(neighbour)[f] : k;
            const double along = rate[e] * edge_wave_number(k, k_beyond);
            const double x = along * normal_x[e], y = along * normal_y[e];
            s_x += x;
            s_y += y;
            if (!open(neighbour)) continue;
            for (std::size_t d = 0; d < directions; ++d)
                out[d] += std::max(0.0, x * grid.cosine[d] + y * grid.sine[d]);
        }
        for (std::size_t d = 0; d < directions; ++d) {
            const double upper = turn_upper_x[d] * s_x + turn_upper_y[d] * s_y;
            const double lower = turn_lower_x[d] * s_x + turn_lower_y[d] * s_y;
            const double outflow = cell_ratio * out[d];
            const double turning = cell_ratio * (std::max(0.0, upper) + std::max(0.0, -lower));
            rates[f] = std::max(rates[f], static_cast<Real>(outflow + turning));
            if (outflow > fastest.seconds) fastest = {outflow, cell, f, static_cast<int>(d)};
        }
        rates[f] += static_cast<Real>(spread_outflow(cell, f));
    }
    return fastest;
}

// The largest share of a bin of this frequency that spreads over edges, s⁻¹: of directions θ it is a + b cos 2θ + c sin 2θ.
double PropagationTables::spread_outflow(std::int32_t cell, int f) const {
    const double own = wave_numbers(cell)[f], speed = group_speeds(cell)[f];
    double mean = 0.0, cos_part = 0.0, sin_part = 0.0;
    for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
        const std::int32_t neighbour = mesh.neighbour[e];
        if (!spreads(cell, neighbour)) continue;
        const double x = normal_x[e], y = normal_y[e],
                     k = edge_wave_number(own, static_cast<double>(wave_numbers(neighbour)[f])),
                     beyond = group_speeds(neighbour)[f];
        const double over_edge = rate[e] * k * spreading.share(speed, beyond, mesh.edge_distance[e]);
        mean += over_edge;
        cos_part += over_edge * (x * x - y * y);
        sin_part += over_edge * 2.0 * x * y;
    }
    const double across = spreading.across, along = spreading.along;
    return 0.5 * ratios(cell)[f] *
           ((across + along) * mean + std::abs(across - along) * std::hypot(cos_part, sin_part));
}

void PropagationTables::fill_limits() {
    const double limit = outflow_limit(options.scheme);
    const double infinite = std::numeric_limits<double>::infinity();
    outflow_rate = exec::Array<Real>(wave_number.size());
    std::vector<StepLimit> limits(mesh.owned);
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        const auto c = static_cast<std::size_t>(cell);
        std::vector<double> out(static_cast<std::size_t>(grid.directions));
        StepLimit fastest = find_limit(cell, out);
        if (options.currents) fastest.seconds += presumed_current * widest_outflow(cell);
        fastest.seconds = fastest.seconds > 0.0 ? limit / fastest.seconds : infinite;
        if (cell < mesh.owned) limits[c] = fastest;
    });
    longest_step.seconds = infinite;
    longest_steps.reserve(limits.size());
    for (const StepLimit& candidate : limits) {
        longest_steps.push_back(candidate.seconds);
        // Among equals the first of the whole mesh is named, so that it does not depend on the ranks.
        const bool before = candidate.seconds == longest_step.seconds && longest_step.cell >= 0 &&
                            mesh.id[candidate.cell] < mesh.id[longest_step.cell];
        if (candidate.seconds < longest_step.seconds || before) longest_step = candidate;
    }
}

}  // namespace groundswell::sea
