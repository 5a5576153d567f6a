// Cells of the sphere with all that a rank keeps of them, and a local mesh made of them.
#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/mesh/assembly.hpp"
#include "groundswell/mesh/voronoi/global_mesh.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {

/// `key` is what neighbours call the cell: its row in the mesh file, say. Other members as in LocalMesh.
struct CellHead {
    std::int64_t key = 0, id = 0, mesh_cell = 0, face = 0;
    std::int32_t owner = 0, sides = 0, group = 0;
    double lon = 0.0, lat = 0.0, depth = 0.0, area = 0.0;
};

/// One side of a cell, and the corner that follows it anticlockwise.
struct CellSide {
    std::int64_t neighbour = coast;  ///< key, or `coast`
    double length = 0.0, distance = 0.0, bearing = 0.0, lon = 0.0, lat = 0.0;
    std::int64_t node = 0;    ///< number of the corner among those of all sea cells
    std::int64_t writer = 0;  ///< lowest id of the cells with this corner
    double node_lon = 0.0, node_lat = 0.0;
};

using CellRows = mesh::Rows<CellHead, CellSide>;
using CellAssembly = mesh::Assembly<CellHead, CellSide>;

/// Data of the vertices of a mesh: [vertices]; numbers only of those that are corners of sea cells.
struct Nodes {
    std::vector<std::int64_t> number;
    std::vector<std::int64_t> lowest_cell;  ///< lowest id of the cells with this corner
    std::vector<Vector3> point;             ///< on the unit sphere
};

/// Adds cell `cell` of `mesh`, with key, id, face and owner as in `names`; the rest is taken from the mesh.
void append_cell(CellRows& rows, const GlobalMesh& mesh, std::int32_t cell, const CellHead& names,
                 const Nodes& nodes);

/// Facts about the whole mesh in every rank's local mesh.
struct MeshTotals {
    std::int64_t cells = 0, nodes = 0;
    int max_edges = 0;
    double radius = 0.0, smallest_spacing = 0.0;
    std::uint64_t identity = 0;
};

/// The local mesh of assembled cells.
LocalMesh local_mesh_of(const CellAssembly& cells, const MeshTotals& totals);

}  // namespace groundswell::voronoi
