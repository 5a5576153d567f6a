// Connections between the faces of faults.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/slab.hpp"

namespace groundswell::tetra {

/// A face of a fault as the cell on one side of it has it.
struct FaceSide {
    std::int64_t row = 0;  ///< among all of the mesh, in the order of the file
    std::int64_t cell = 0;
    std::int32_t face = 0;
    int tag = 0;                           ///< of the fault
    std::array<std::int64_t, 3> vertex{};  ///< ascending
    std::array<Point, 3> place{};          ///< of these, m
    Point outward{};                       ///< of length 1
    double area = 0.0;                     ///< m²
    double seen = 0.0;                     ///< for the use of who asks; its sign is in Meeting
};

/// Sides on faults of the cells of the block, in the order of `row`. Collective.
std::vector<FaceSide> sides_of_faults(MPI_Comm comm, const Slab& slab);

/// Two faces of a fault that go on in each other over an edge.
struct Meeting {
    std::array<std::int64_t, 2> edge{};  ///< vertices, ascending
    std::array<Point, 2> place{};        ///< of these, m
    /// Rows of sides: the first of one face goes on in the first of the other, and so does the second.
    std::array<std::array<std::int64_t, 2>, 2> side{};
    std::array<double, 2> seen{};  ///< of side[0]
};

/// An edge at which more than two faces of faults meet.
struct Branching {
    std::array<std::int64_t, 2> edge{};  ///< vertices, ascending
    std::array<Point, 2> place{};        ///< of these, m
    std::int64_t faces = 0;
};

struct Edges {
    std::vector<Meeting> meetings;
    std::vector<Branching> branchings;  ///< ascending
};

/// Each edge is known to one rank: that in whose block of vertices it begins. Collective.
Edges edges_of(MPI_Comm comm, parallel::SparseExchange& exchange, const Slab& slab,
               std::span<const FaceSide> faces);

/// The connected sides: of each row of this rank's block of `rows` the lowest row that it is connected with. Collective.
std::vector<std::int64_t> connected_sides(MPI_Comm comm, parallel::SparseExchange& exchange,
                                          const parallel::RowBlocks& rows, std::span<const Meeting> meetings);

}  // namespace groundswell::tetra
