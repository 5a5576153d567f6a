#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "support/one_cell.hpp"

namespace groundswell::test {

/// A sea of even depth, so wide that nothing changes across the wind: waves grow with the distance from the shore where the wind
/// comes from, in cells of one size one behind the other. Upwind in one dimension: a direction's speed is cg cos θ.
struct ShortChannel {
    int cells;
    double size, depth;  ///< m, of a cell and of the water
    double step;         ///< s

    /// The cell at each distance after so many seconds, in the state of `cell`: its wind blows along the channel, 0 rad.
    std::vector<std::vector<sea::Real>> run(OneCell& cell, double duration) const {
        const auto count = static_cast<std::size_t>(cells);
        std::vector<std::vector<sea::Real>> now(count, cell.action), next(now);
        std::vector<sea::SourceState> states(count);
        const std::vector<sea::Real> none(cell.action.size());
        for (double t = 0; t < duration - 0.5 * step; t += step) {
            for (std::size_t n = 0; n < count; ++n) {
                const std::vector<sea::Real>& behind = n == 0 ? none : now[n - 1];
                const std::vector<sea::Real>& ahead = n + 1 == count ? none : now[n + 1];
                for (int i = 0; i < cell.grid.frequencies; ++i) {
                    for (int j = 0; j < cell.grid.directions; ++j) {
                        const std::size_t bin = cell.grid.index(i, j);
                        const double courant = cell.group_speed[static_cast<std::size_t>(i)] *
                                               cell.grid.cosine[static_cast<std::size_t>(j)] * step / size;
                        const sea::Real up = courant > 0 ? behind[bin] : ahead[bin];
                        next[n][bin] =
                            now[n][bin] + static_cast<sea::Real>(std::abs(courant)) * (up - now[n][bin]);
                    }
                }
            }
            std::swap(now, next);
            for (std::size_t n = 0; n < count; ++n) {
                std::swap(cell.action, now[n]);
                std::swap(cell.state, states[n]);
                if (!cell.step(step)) return {};
                std::swap(cell.action, now[n]);
                std::swap(cell.state, states[n]);
            }
        }
        return now;
    }
};

}  // namespace groundswell::test
