#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace groundswell::quake {

/// What a description of triangles in an HDF5 file is made of.
struct XdmfParts {
    std::string file;  ///< name, in the folder of the description
    std::int64_t triangles = 0;
    std::vector<std::string> fields;
};

/// The description of such a file after XDMF 3 (xdmf.org), for programs that know neither UGRID nor netCDF: places
/// mesh_node_x, _y, _z, corners mesh_face_nodes, and by time, s, the fields of (time, triangle).
std::string xdmf_of(const XdmfParts& parts, std::span<const double> times);

}  // namespace groundswell::quake
