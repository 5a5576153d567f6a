// Orientation of the sides of a fault.
#pragma once

#include <mpi.h>

#include <array>
#include <string>

#include "groundswell/mesh/tetra/slab.hpp"

namespace groundswell::tetra {

/// Rule that tells the + side of faults from the − side.
struct PlusSide {
    Point given{};  ///< a place on the + side, m, or a direction that leads from the + to the − side
    bool is_direction = false;  ///< which of these
    std::string stated_at;      ///< where the case says so, for people
};

/// Sets Tetrahedron::plus_faces. Faces of faults that share an edge belong together: where two meet, and where more do those two of
/// the same tag, or else those that go on most nearly straight. Sides are carried over such edges from face to face, so that each
/// connected fault has one + side, whatever its shape. Which one that is, the whole fault decides: by the solid angle at which its
/// one side and its other are seen from the place, or by its areas seen along the direction. base::Refusal on all ranks where less
/// than three quarters of what is seen is of one side, which names an edge at which the side turns over; where a fault closes to a
/// band with one side only; and where the place lies in the plane of the fault, or the direction leads along it. Collective.
void mark_plus_sides(MPI_Comm comm, parallel::SparseExchange& exchange, Slab& slab, const PlusSide& side);

/// The solid angle at which a triangle is seen from a place, in steradian: positive if its corners are seen anticlockwise, and 0 in
/// its plane. A. van Oosterom and J. Strackee 1983, doi:10.1109/TBME.1983.325207, equation 8.
double solid_angle(const std::array<Point, 3>& corner, const Point& from);

}  // namespace groundswell::tetra
