#include "groundswell/quake/source/rupture/plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace groundswell::quake {

namespace {

// A cell of the grid: where it slips on average, m along strike and down dip from the middle, and ∫ slip over it, m² times
// the slip in the middle.
struct Cell {
    double along = 0.0, down = 0.0, weight = 0.0;
};

Cell cell_of(const PlaneOptions& plane, double along, double down, double length, double width) {
    if (plane.kind == PlaneOptions::Kind::haskell) return {along, down, length * width};
    constexpr int pieces = 16;
    const double radius = 0.5 * plane.length, area = length * width / (pieces * pieces);
    Cell cell;
    for (int i = 0; i < pieces; ++i) {
        for (int j = 0; j < pieces; ++j) {
            const double x = along + length * ((i + 0.5) / pieces - 0.5);
            const double y = down + width * ((j + 0.5) / pieces - 0.5);
            const double left = 1.0 - (x * x + y * y) / (radius * radius);
            if (left <= 0.0) continue;
            const double weight = area * std::sqrt(left);
            cell.weight += weight;
            cell.along += weight * x;
            cell.down += weight * y;
        }
    }
    if (cell.weight > 0.0) {
        cell.along /= cell.weight;
        cell.down /= cell.weight;
    }
    return cell;
}

void set_rate(const PlaneOptions& plane, Pulse& pulse) {
    const double rise = plane.rise_time;
    switch (plane.rise) {
        case PlaneOptions::Rise::boxcar:
            pulse.interval = rise;
            pulse.rate = {1.0 / rise, 1.0 / rise};
            return;
        case PlaneOptions::Rise::triangle:
            pulse.interval = 0.5 * rise;
            pulse.rate = {0.0, 2.0 / rise, 0.0};
            return;
        case PlaneOptions::Rise::brune:
            pulse.interval = rise;
            return;
    }
}

}  // namespace

std::array<double, 2> cells_of(const PlaneOptions& plane) {
    constexpr double rounding = 1e-9;
    return {std::max(1.0, std::ceil(plane.length / plane.spacing - rounding)),
            std::max(1.0, std::ceil(plane.width / plane.spacing - rounding))};
}

Rupture rupture_of(const PlaneOptions& plane) {
    const double cs = std::cos(plane.strike), ss = std::sin(plane.strike), cd = std::cos(plane.dip),
                 sd = std::sin(plane.dip);
    const double strike[3] = {ss, cs, 0.0}, dip[3] = {cs * cd, -ss * cd, -sd};
    const auto cells_each_way = cells_of(plane);
    const auto columns = static_cast<int>(cells_each_way[0]), rows = static_cast<int>(cells_each_way[1]);
    const double length = plane.length / columns, width = plane.width / rows;
    std::vector<Cell> cells;
    double whole = 0.0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const Cell cell = cell_of(plane, (column + 0.5) * length - 0.5 * plane.length,
                                      (row + 0.5) * width - 0.5 * plane.width, length, width);
            if (cell.weight == 0.0) continue;
            cells.push_back(cell);
            whole += cell.weight;
        }
    }
    Rupture rupture;
    for (const Cell& cell : cells) {
        SubSource& part = rupture.parts.emplace_back();
        const double down = cell.down + (plane.is_top ? 0.5 * plane.width : 0.0);
        for (int i = 0; i < 3; ++i) part.place[i] = plane.place[i] + cell.along * strike[i] + down * dip[i];
        Pulse& pulse = part.pulses.emplace_back();
        if (plane.slip)
            pulse.per_mu = double_couple(*plane.slip * cell.weight, plane.strike, plane.dip, plane.rake);
        else
            pulse.moment =
                double_couple(plane.scalar_moment * cell.weight / whole, plane.strike, plane.dip, plane.rake);
        pulse.onset =
            plane.onset + std::hypot(cell.along - plane.hypocentre[0], cell.down - plane.hypocentre[1]) /
                              plane.rupture_speed;
        set_rate(plane, pulse);
    }
    // From one sub-source to the next the front takes so long.
    const double delay = std::max(columns > 1 ? length : 0.0, rows > 1 ? width : 0.0) / plane.rupture_speed;
    if (delay > 0.5 * plane.rise_time)
        rupture.warning = fmt::format(
            "the front takes {:.3g} s from one sub-source to the next, more than half of rise_time = {:.3g} "
            "s: waves show the sub-sources one by one; a spacing of {:.3g} m or less is finer",
            delay, plane.rise_time, 0.2 * plane.rise_time * plane.rupture_speed);
    return rupture;
}

}  // namespace groundswell::quake
