#include "groundswell/mesh/tetra/box.hpp"

#include <fmt/format.h>

#include "groundswell/base/errors.hpp"

namespace groundswell::tetra {

namespace {

// Corners of a cube are numbered x + 2 y + 4 z. Every second cube is the mirror image of the others.
constexpr int cut[2][5][4] = {{{0, 3, 5, 6}, {0, 1, 3, 5}, {0, 2, 3, 6}, {0, 4, 5, 6}, {3, 5, 6, 7}},
                              {{1, 2, 4, 7}, {0, 1, 2, 4}, {1, 2, 3, 7}, {1, 4, 5, 7}, {2, 4, 6, 7}}};

// A number in [-1, 1) that looks drawn at random (S. Vigna's splitmix64: doi:10.1145/2714064.2660195).
double random_of(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15u;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    key ^= key >> 31;
    return static_cast<double>(key >> 11) * 0x1p-52 - 1.0;
}

// Beyond it coordinates have no place for parts of a metre, and volumes no place at all.
constexpr double widest = 1e12;  // m

}  // namespace

Box::Box(const BoxOptions& options) : options_(options) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t n = options.cubes[axis];
        if (options.periodic[axis] ? n < 4 || n % 2 != 0 : n < 1) {
            throw base::Refusal(fmt::format(
                "box: cubes[{}] = {}: expected {}", axis, n,
                options.periodic[axis] ? "an even number of at least 4, for a periodic axis" : "1 or more"));
        }
        if (!(options.length[axis] > 0.0 && options.length[axis] <= widest))
            throw base::Refusal(fmt::format("box: length[{}] = {}: expected more than 0 m, at most {:g} m",
                                            axis, options.length[axis], widest));
        if (!(std::abs(options.origin[axis]) <= widest))
            throw base::Refusal(fmt::format("box: origin[{}] = {}: expected {:g} to {:g} m", axis,
                                            options.origin[axis], -widest, widest));
        cubes_ *= n;
    }
    if (!(options.jitter >= 0.0 && options.jitter <= 0.2))
        throw base::Refusal(fmt::format("box: jitter = {}: expected 0 to 0.2", options.jitter));
}

std::int64_t Box::vertices() const {
    std::int64_t all = 1;
    for (const std::int64_t n : options_.cubes) all *= n + 1;
    return all;
}

std::int64_t Box::number(Lattice lattice, bool folded) const {
    std::int64_t id = 0;
    for (int axis = 2; axis >= 0; --axis) {
        const std::int64_t n = options_.cubes[axis];
        if (folded && options_.periodic[axis]) lattice[axis] %= n;
        id = id * (n + 1) + lattice[axis];
    }
    return id;
}

Point Box::place(const Lattice& lattice) const {
    const auto key = static_cast<std::uint64_t>(number(lattice, true));
    Point place{};
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t n = options_.cubes[axis];
        const bool outer = !options_.periodic[axis] && (lattice[axis] == 0 || lattice[axis] == n);
        const double moved = outer
                                 ? 0.0
                                 : options_.jitter * random_of((key * 3 + static_cast<std::uint64_t>(axis)) ^
                                                               (options_.seed << 40));
        place[axis] = options_.origin[axis] + options_.length[axis] *
                                                  (static_cast<double>(lattice[axis]) + moved) /
                                                  static_cast<double>(n);
    }
    return place;
}

Box::Vertex Box::vertex(std::int64_t unfolded) const {
    Lattice lattice{};
    for (int axis = 0; axis < 3; ++axis) {
        lattice[axis] = unfolded % (options_.cubes[axis] + 1);
        unfolded /= options_.cubes[axis] + 1;
    }
    return {place(lattice), number(lattice, true)};
}

Tetrahedron Box::make_cell(std::int64_t index, bool folded) const {
    Lattice cube{};
    std::int64_t rest = index / 5;
    for (int axis = 0; axis < 3; ++axis) {
        cube[axis] = rest % options_.cubes[axis];
        rest /= options_.cubes[axis];
    }
    const auto& corners = cut[(cube[0] + cube[1] + cube[2]) % 2][index % 5];
    Tetrahedron cell;
    std::array<Lattice, 4> lattice{};
    for (int i = 0; i < 4; ++i) {
        lattice[i] = {cube[0] + (corners[i] & 1), cube[1] + (corners[i] >> 1 & 1),
                      cube[2] + (corners[i] >> 2)};
        cell.vertex[i] = number(lattice[i], folded);
        cell.place[i] = place(lattice[i]);
    }
    for (int f = 0; f < 4; ++f) {
        for (int axis = 0; axis < 3; ++axis) {
            if (options_.periodic[axis]) continue;
            for (const int end : {0, 1}) {
                const std::int64_t at = end * options_.cubes[axis];
                bool all = true;
                for (const int corner : face_corners[f]) all = all && lattice[corner][axis] == at;
                if (all) cell.boundary[f] = options_.boundary[axis][end];
            }
        }
    }
    sort_corners(cell);
    return cell;
}

}  // namespace groundswell::tetra
