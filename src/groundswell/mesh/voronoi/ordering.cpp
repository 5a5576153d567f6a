#include "groundswell/mesh/voronoi/ordering.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {
namespace {

constexpr int levels = 29;

/// Distance along the Hilbert curve of the square [0, 2^levels)² that starts at (0, 0) and ends at (2^levels
/// - 1, 0).
std::uint64_t hilbert(std::uint32_t x, std::uint32_t y) {
    std::uint64_t distance = 0;
    for (std::uint32_t side = 1u << (levels - 1); side > 0; side >>= 1) {
        const std::uint32_t right = (x & side) ? 1 : 0, upper = (y & side) ? 1 : 0;
        distance += static_cast<std::uint64_t>(side) * side * ((3 * right) ^ upper);
        if (upper == 0) {  // the lower quarters are turned and mirrored
            if (right == 1) {
                x = ~x;
                y = ~y;
            }
            std::swap(x, y);
        }
    }
    return distance;
}

/// The curve enters each face of the cube at `entry` and leaves it at `exit`, the next face's entry; `up` is
/// the direction into the face from the cube's edge between the two. All six faces hang together in one
/// chain.
struct Face {
    Vector3 outward, entry, exit;
};
constexpr std::array<Face, 6> chain = {{
    {{-1, 0, 0}, {-1, -1, -1}, {-1, -1, 1}},
    {{0, -1, 0}, {-1, -1, 1}, {-1, -1, -1}},
    {{0, 0, -1}, {-1, -1, -1}, {-1, 1, -1}},
    {{0, 1, 0}, {-1, 1, -1}, {-1, 1, 1}},
    {{0, 0, 1}, {-1, 1, 1}, {1, 1, 1}},
    {{1, 0, 0}, {1, 1, 1}, {1, -1, 1}},
}};

std::uint32_t grid_number(double coordinate) {  // of [-1, 1]
    constexpr double cells = static_cast<double>(1u << levels);
    const double scaled = std::floor(0.5 * (coordinate + 1.0) * cells);
    return static_cast<std::uint32_t>(std::clamp(scaled, 0.0, cells - 1.0));
}

}  // namespace

std::uint64_t curve_position(double longitude, double latitude) {
    const Vector3 p = point_at(longitude, latitude);
    std::size_t best = 0;
    for (std::size_t f = 1; f < chain.size(); ++f) {
        if (dot(p, chain[f].outward) > dot(p, chain[best].outward)) best = f;
    }
    const Face& face = chain[best];
    const Vector3 along = 0.5 * (face.exit - face.entry);
    // The face's centre lies at half of both of its directions from the entry corner.
    const Vector3 up = face.outward - face.entry - along;
    const Vector3 q = (1.0 / dot(p, face.outward)) * p;
    return (static_cast<std::uint64_t>(best) << (2 * levels)) +
           hilbert(grid_number(dot(q, along)), grid_number(dot(q, up)));
}

GlobalMesh order_along_curve(GlobalMesh mesh) {
    std::vector<std::uint64_t> position(mesh.lon.size());
    for (std::size_t c = 0; c < position.size(); ++c) position[c] = curve_position(mesh.lon[c], mesh.lat[c]);
    std::vector<std::int32_t> order(position.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
        return position[a] != position[b] ? position[a] < position[b] : mesh.mesh_cell[a] < mesh.mesh_cell[b];
    });
    return take_cells(std::move(mesh), order);
}

}  // namespace groundswell::voronoi
