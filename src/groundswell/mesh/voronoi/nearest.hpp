// The sea cell nearest to a place, for output at points.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::voronoi {

struct NearestCell {
    std::int64_t id = -1;     ///< model id; -1 where there is no cell
    std::int32_t local = -1;  ///< local index on the rank that owns the cell, -1 on all others
    /// m along the great circle from the place to the cell's centre; infinite without cell.
    double distance = 0.0;
    double lon = 0.0, lat = 0.0;  ///< of the cell's centre, rad
};

/// Nearest of the cells that this rank owns; of cells equally near the one with the lowest id.
NearestCell nearest_owned_cell(const LocalMesh& mesh, double lon, double lat);

/// Nearest of all cells: the same for any number of ranks. Every rank gives the same place. Collective.
NearestCell nearest_cell(MPI_Comm comm, const LocalMesh& mesh, double lon, double lat);

}  // namespace groundswell::voronoi
