// The cells nearest to places, for output at points.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::voronoi {

struct Place {
    double lon = 0.0, lat = 0.0;  ///< rad
};

struct NearestCell {
    std::int64_t id = -1;         ///< model id; -1 where there is no cell
    std::int64_t mesh_cell = 0;   ///< in the mesh file, from 1
    std::int32_t local = -1;      ///< local index on the rank that owns the cell, -1 on all others
    double distance = 0.0;        ///< m along the great circle to the cell's centre; infinite without cell
    double lon = 0.0, lat = 0.0;  ///< of the cell's centre, rad
    double width = 0.0;           ///< m, of a circle with the cell's area
};

/// The cell nearest to each place; of cells equally near the one with the lowest id. The same for any number of
/// ranks, and on every rank. All ranks pass the same places; however many, it takes the same few messages.
/// Collective.
std::vector<NearestCell> nearest_cells(MPI_Comm comm, const LocalMesh& mesh, std::span<const Place> places);

}  // namespace groundswell::voronoi
