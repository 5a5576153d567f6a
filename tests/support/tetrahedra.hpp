// A box cut into tetrahedra, known by arithmetic alone: cells with four neighbours, no file and no nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "groundswell/graph/graph.hpp"

namespace groundswell::test {

/// nx × ny × nz cubes, each of six tetrahedra (H. Freudenthal 1942, doi:10.2307/1968813): one for each order
/// in which a way along the cube's edges from corner (0, 0, 0) to (1, 1, 1) takes the three directions.
///
/// A fault stands in the middle of the box, x = nx / 2. Cells there are small, as it were: they are updated
/// four times as often as those far from it, and those in between twice as often.
struct Tetrahedra {
    static constexpr std::int64_t nothing = -1;  // beyond a face
    static constexpr int clusters = 3;

    std::int64_t nx = 1, ny = 1, nz = 1;

    std::int64_t cells() const { return 6 * nx * ny * nz; }

    /// Across the faces opposite to the corners in their order.
    std::array<std::int64_t, 4> neighbours(std::int64_t cell) const {
        const auto [x, y, z] = cube_of(cell);
        const auto [a, b, c] = orders[cell % 6];
        return {key({x + (a == 0), y + (a == 1), z + (a == 2)}, {b, c, a}), key({x, y, z}, {b, a, c}),
                key({x, y, z}, {a, c, b}), key({x - (c == 0), y - (c == 1), z - (c == 2)}, {c, a, b})};
    }
    std::array<double, 3> centre(std::int64_t cell) const {
        const auto [x, y, z] = cube_of(cell);
        std::array<double, 3> place{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        for (int step = 0; step < 3; ++step) place[orders[cell % 6][step]] += 0.25 * (3 - step);
        return place;
    }

    /// Of the fault, for even nx.
    bool is_left(std::int64_t cell) const { return 2 * cube_of(cell)[0] < nx; }

    /// 0 is updated most often.
    int cluster(std::int64_t cell) const {
        const std::int64_t from_fault = std::abs(2 * cube_of(cell)[0] + 1 - nx) / 2;
        return static_cast<int>(
            std::min<std::int64_t>(clusters - 1, 3 * from_fault / std::max<std::int64_t>(1, nx / 2)));
    }
    std::int64_t rate(std::int64_t cell) const { return std::int64_t{1} << (clusters - 1 - cluster(cell)); }
    /// Work of one update: twice as much for cells on the fault.
    std::int64_t cost(std::int64_t cell) const {
        return std::abs(2 * cube_of(cell)[0] + 1 - nx) <= 1 ? 200 : 100;
    }
    /// What passes between two neighbours: bytes times how often.
    std::int64_t traffic(std::int64_t cell, std::int64_t other) const {
        return 1440 * std::max(rate(cell), rate(other));
    }

    /// Weights of a cell: update rate × cost, and memory. Of an edge: traffic.
    graph::Graph graph() const {
        graph::Graph graph;
        graph.constraints = 2;
        for (std::int64_t cell = 0; cell < cells(); ++cell) {
            for (const std::int64_t other : neighbours(cell)) {
                if (other == nothing) continue;
                graph.neighbour.push_back(static_cast<std::int32_t>(other));
                graph.edge_weight.push_back(traffic(cell, other));
            }
            graph.end_row();
            graph.cell_weight.insert(graph.cell_weight.end(), {rate(cell) * cost(cell), 1});
        }
        return graph;
    }

private:
    using Order = std::array<int, 3>;
    static constexpr std::array<Order, 6> orders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

    std::array<std::int64_t, 3> cube_of(std::int64_t cell) const {
        const std::int64_t cube = cell / 6;
        return {cube % nx, cube / nx % ny, cube / nx / ny};
    }
    std::int64_t key(std::array<std::int64_t, 3> cube, Order order) const {
        const auto [x, y, z] = cube;
        if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz) return nothing;
        return 6 * ((z * ny + y) * nx + x) + (std::ranges::find(orders, order) - orders.begin());
    }
};

}  // namespace groundswell::test
