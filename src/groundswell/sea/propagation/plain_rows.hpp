#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/sea/propagation/tables.hpp"

/// Rows of the plain form of the schemes, in double precision.
namespace groundswell::sea::plain_form {

using Row = std::vector<double>;

/// M along one row of directions as a linear function inside the cell and inside each bin, at half time.
struct Profile {
    explicit Profile(std::size_t directions)
        : invariant(directions), half(directions), x(directions), y(directions), direction(directions) {}
    Row invariant;  // M of the old state
    Row half;       // M at the cell's centre and half time
    Row x, y;       // gradient, m⁻¹
    Row direction;  // slope per bin of direction
};

/// Working memory of one thread.
struct Workspace {
    explicit Workspace(const PropagationTables& t)
        : own(static_cast<std::size_t>(t.grid.directions)),
          beyond(own),
          change(own.half.size()),
          face(change),
          row(change),
          neighbours(static_cast<std::size_t>(t.mesh.max_edges), change),
          rotated_inflow(static_cast<std::size_t>(t.grid.bins() + lanes::table_width)),
          rotated_work(t) {}
    Profile own, beyond;
    Row change, face, row;
    std::vector<Row> neighbours;       // [edge] M beyond
    std::vector<Real> rotated_inflow;  // [bins], and a register
    RotatedWork rotated_work;
};

inline double limited(double down, double up) {
    if (down * up <= 0.0) return 0.0;
    const double central = 0.5 * (down + up);
    const double bound = 2.0 * std::min(std::abs(down), std::abs(up));
    return std::copysign(std::min(std::abs(central), bound), central);
}

/// Sets `result` to a row in another frame: each bin moves as a whole, with its slope.
inline void turn(const Row& row, const SpectrumRotation& by, Row& result) {
    const std::size_t n = row.size();
    std::fill(result.begin(), result.end(), 0.0);
    for (std::size_t d = 0; d < n; ++d) {
        const double slope = limited(row[d] - row[(d + n - 1) % n], row[(d + 1) % n] - row[d]);
        const double moves = by.part * row[d] + 0.5 * by.part * (1.0 - by.part) * slope;
        const std::size_t to = d + static_cast<std::size_t>(by.shift);
        result[to % n] += row[d] - moves;
        result[(to + 1) % n] += moves;
    }
}

}  // namespace groundswell::sea::plain_form
