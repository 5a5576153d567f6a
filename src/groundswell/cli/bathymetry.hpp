#pragma once

#include <string>

#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace groundswell::cli {

/// Depth (m, positive down) at any place, from a NetCDF file with one field (latitude, longitude) of
/// elevation in metres, positive up, or of depth, positive down (a standard name with "depth", or
/// `positive = "down"`). Interpolated between grid points; where the file has no value, or the place lies
/// outside the grid, there is land. Reads the whole field. Throws base::Refusal naming file and variable.
voronoi::DepthFunction read_bathymetry(const std::string& path);

}  // namespace groundswell::cli
