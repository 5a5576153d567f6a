// The order of cells in memory and of model ids.
#pragma once

#include <cstdint>

#include "groundswell/mesh/voronoi/global_mesh.hpp"

namespace groundswell::voronoi {

/// Place of a point along a Hilbert curve that runs over the six faces of a cube around the sphere, from face
/// to face without a jump. Near on the curve is near on the sphere. D. Hilbert 1891 (doi:10.1007/BF01199431);
/// 29 levels, about 2 cm on the Earth.
std::uint64_t curve_position(double longitude, double latitude);

/// The mesh with its cells renumbered along the curve; cells at the same place stay in the order of the file.
/// Depends on nothing but the cells' coordinates and indices in the file.
GlobalMesh order_along_curve(GlobalMesh mesh);

}  // namespace groundswell::voronoi
