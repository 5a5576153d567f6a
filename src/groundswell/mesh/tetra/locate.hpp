#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"

namespace groundswell::tetra {

/// Place of a point in the mesh.
struct Located {
    std::int64_t id = -1;    ///< of the cell, the same on every rank; -1: outside the mesh
    std::int32_t cell = -1;  ///< local cell, on the rank that owns it; -1 on the others
    Point reference{};       ///< in the coordinates of that cell
    double outside = 0.0;    ///< where there is no such cell: how far the nearest corner of the mesh is, m
};

/// The cells that hold the points; of several, for a point on a face, the one with the lowest id. Points no farther outside
/// than rounding belong to the mesh. The answer is the same on any ranks. Every rank passes the same points. Collective: two
/// reductions, for any number of points.
std::vector<Located> locate(MPI_Comm comm, const LocalMesh& mesh, std::span<const Point> points);

/// The free surface above or below a point.
struct Surface {
    bool there = false;
    double height = 0.0;  ///< z, m
    /// Where it is not: how far its nearest corner lies from the point, in x and y, m. Infinite: the mesh has no free surface.
    double beside = 0.0;
};

/// Where the vertical lines through points meet the faces of the free surface; of several the one nearest in z. The answer
/// is the same on any ranks. Every rank passes the same points. Collective: three reductions, for any number of points.
std::vector<Surface> find_surface(MPI_Comm comm, const LocalMesh& mesh, std::span<const Point> points);

}  // namespace groundswell::tetra
