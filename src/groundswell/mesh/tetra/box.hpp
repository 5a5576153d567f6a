#pragma once

#include <array>
#include <cstdint>

#include "groundswell/mesh/tetra/tetrahedron.hpp"

namespace groundswell::tetra {

struct BoxOptions {
    std::array<std::int64_t, 3> cubes{1, 1, 1};  ///< along each axis; even, and at least 4, where periodic
    Point origin{};                              ///< the lowest corner, m
    Point length{1.0, 1.0, 1.0};                 ///< m
    std::array<bool, 3> periodic{};
    /// Random displacement of vertices, as a part of a cube's edge: 0 to 0.2. Those on an outer face stay in
    /// it.
    double jitter = 0.0;
    std::uint64_t seed = 1;  ///< of the jitter
    /// Boundaries of the outer faces, at the lower and the upper end of each axis. Unused where periodic.
    std::array<std::array<Boundary, 2>, 3> boundary{{{Boundary::absorbing, Boundary::absorbing},
                                                     {Boundary::absorbing, Boundary::absorbing},
                                                     {Boundary::absorbing, Boundary::free}}};
};

/// A box of cubes, each cut into five tetrahedra, known by arithmetic: any cell at any place, without a file and without
/// memory. Cubes are cut in two ways in turn, so that diagonals meet.
class Box {
public:
    /// base::Refusal where the options are out of their ranges.
    explicit Box(const BoxOptions& options);

    std::int64_t cells() const { return 5 * cubes_; }
    /// Vertices have numbers below this one.
    std::int64_t vertices() const;
    /// One cell, 0 to cells() - 1.
    Tetrahedron cell(std::int64_t index) const { return make_cell(index, true); }

    /// The same with vertices that are counted by their places: both ends of a period have their own.
    Tetrahedron unfolded_cell(std::int64_t index) const { return make_cell(index, false); }
    struct Vertex {
        Point place{};
        std::int64_t number = 0;  ///< in cell()
    };
    /// A vertex of unfolded_cell().
    Vertex vertex(std::int64_t unfolded) const;
    bool is_periodic() const { return options_.periodic != std::array<bool, 3>{}; }

private:
    using Lattice = std::array<std::int64_t, 3>;
    Point place(const Lattice& lattice) const;
    std::int64_t number(Lattice lattice, bool folded) const;
    Tetrahedron make_cell(std::int64_t index, bool folded) const;

    BoxOptions options_;
    std::int64_t cubes_ = 1;
};

}  // namespace groundswell::tetra
