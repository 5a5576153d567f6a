#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace groundswell::quake {

/// XDMF's name for a kind of cell, and the variable that has its corners.
struct XdmfCells {
    const char* topology;
    const char* corners;
    int count;  ///< corners of a cell
};
inline constexpr XdmfCells xdmf_triangles{"Triangle", "mesh_face_nodes", 3};
inline constexpr XdmfCells xdmf_tetrahedra{"Tetrahedron", "mesh_volume_nodes", 4};

/// Parts of a description of cells in an HDF5 file.
struct XdmfParts {
    std::string name;  ///< of the whole, for people
    std::string file;  ///< name, in the folder of the description
    XdmfCells cells;
    std::int64_t count = 0;  ///< of cells
    std::int64_t nodes = 0;  ///< of places
    std::vector<std::string> fields;
};

/// The description of such a file after XDMF 3 (xdmf.org), for programs that know neither UGRID nor netCDF: places
/// mesh_node_x, _y, _z, corners, and by time, s, the fields of (time, cell).
std::string xdmf_of(const XdmfParts& parts, std::span<const double> times);

}  // namespace groundswell::quake
