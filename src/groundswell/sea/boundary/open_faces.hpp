#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::sea {

/// A face at which the mesh ends and the sea does not.
struct OpenFace {
    std::int32_t cell, edge;  ///< local cell, owned or of the halo; index into the mesh's edge arrays
    double lon,
        lat;  ///< rad: the cell's centre seen in the face as in a mirror, where that of a cell beyond would be
};

/// The open faces of all local cells, by edge. A mesh file lists its faces in openFaceCell and openFaceSide (the cell's index in the
/// file, and which of its edges, both from 1), as `groundswell mesh make` does; or `beyond` = [west, east, south, north] in degrees
/// tells them: those whose point lies outside. Throws base::Refusal where neither is there. Collective.
std::vector<OpenFace> find_open_faces(MPI_Comm comm, const std::string& case_file,
                                      const std::string& mesh_file, const std::vector<double>& beyond,
                                      const voronoi::LocalMesh& mesh);

/// Is a place (rad) in a region [west, east, south, north] in degrees? Longitudes are compared modulo 360.
bool is_inside(const std::vector<double>& region, double lon, double lat);

}  // namespace groundswell::sea
