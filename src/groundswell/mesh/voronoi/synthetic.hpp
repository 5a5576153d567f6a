// Meshes made by arithmetic, for tests, measurements and idealised cases. Same structure as a mesh from a
// file.
#pragma once

#include <functional>

#include "groundswell/mesh/voronoi/global_mesh.hpp"

namespace groundswell::voronoi {

/// Depth (m, positive down, <= 0 on land) at longitude and latitude (rad).
using DepthFunction = std::function<double(double longitude, double latitude)>;

/// Quasi-uniform mesh of the whole Earth: the Voronoi cells of the icosahedron's corners with every edge
/// divided into `k`, 10 k² + 2 cells of which 12 are pentagons; two of them are centred on the poles. k >= 1.
GlobalMesh icosahedral(int k, const DepthFunction& depth);
GlobalMesh icosahedral(int k, double depth);

/// Regular hexagons on the Earth around (lon0, lat0) (rad): ny rows from south to north of nx cells from west
/// to east, `spacing` metres between centres; odd rows are shifted east by half a cell. Cell (i, j) has index
/// j nx + i in the file. Distances from the centre are true. Nothing lies beyond the rim. nx, ny >= 1.
GlobalMesh hexagonal_patch(int nx, int ny, double spacing, double lon0, double lat0,
                           const DepthFunction& depth);

}  // namespace groundswell::voronoi
