#include "groundswell/graph/curve/hilbert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::graph {
namespace {

using Octant = unsigned;  // three bits: of x, y and z

Octant turn_left(Octant bits, int by) {
    by %= 3;
    return ((bits << by) | (bits >> (3 - by))) & 7u;
}
Octant turn_right(Octant bits, int by) {
    return turn_left(bits, 3 - by % 3);
}

Octant gray_code(Octant number) {
    return number ^ (number >> 1);
}
Octant gray_code_inverse(Octant code) {
    return code ^ (code >> 1) ^ (code >> 2);
}

/// Where the curve enters the octant that it visits as number `visit`, and the direction in which it crosses
/// it.
Octant entry(Octant visit) {
    return visit == 0 ? 0 : gray_code(2 * ((visit - 1) / 2));
}
int direction(Octant visit) {
    if (visit == 0) return 0;
    return std::countr_one(visit % 2 == 0 ? visit - 1 : visit) % 3;
}

}  // namespace

std::uint64_t hilbert_position(std::array<std::uint32_t, 3> place, int levels) {
    std::uint64_t position = 0;
    Octant entered = 0;  // corner and direction of the octant that the curve is in
    int along = 0;
    for (int level = levels - 1; level >= 0; --level) {
        Octant octant = 0;
        for (int axis = 0; axis < 3; ++axis) octant |= ((place[axis] >> level) & 1u) << axis;
        const Octant visit = gray_code_inverse(turn_right(octant ^ entered, along + 1));
        entered ^= turn_left(entry(visit), along + 1);
        along = (along + direction(visit) + 1) % 3;
        position = (position << 3) | visit;
    }
    return position;
}

std::vector<std::uint64_t> hilbert_positions(MPI_Comm comm, std::span<const std::array<double, 3>> points) {
    // The least of the coordinates and of their negatives: both corners at once.
    std::array<double, 6> mine, corner;
    mine.fill(std::numeric_limits<double>::infinity());
    for (const auto& point : points) {
        for (int axis = 0; axis < 3; ++axis) {
            mine[axis] = std::min(mine[axis], point[axis]);
            mine[axis + 3] = std::min(mine[axis + 3], -point[axis]);
        }
    }
    parallel::check(MPI_Allreduce(mine.data(), corner.data(), 6, MPI_DOUBLE, MPI_MIN, comm),
                    "enclose the points of the curve");
    double side = 0.0;
    for (int axis = 0; axis < 3; ++axis) side = std::max(side, -corner[axis + 3] - corner[axis]);

    constexpr double places = static_cast<double>(1u << hilbert_levels);
    std::vector<std::uint64_t> position;
    position.reserve(points.size());
    for (const auto& point : points) {
        std::array<std::uint32_t, 3> place{};
        for (int axis = 0; axis < 3 && side > 0.0; ++axis)
            place[axis] = static_cast<std::uint32_t>(
                std::clamp(std::floor((point[axis] - corner[axis]) / side * places), 0.0, places - 1.0));
        position.push_back(hilbert_position(place));
    }
    return position;
}

}  // namespace groundswell::graph
