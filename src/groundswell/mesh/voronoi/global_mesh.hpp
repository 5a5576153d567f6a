// Cells, edges and vertices of a mesh as a file has them: of a whole mesh on one rank, or of the slab of a
// file that a rank has read. Only while the run is being set up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::voronoi {

/// Every source of meshes (file, icosahedron, hexagonal patch) fills this; culling and ordering map it to
/// another one. Angles are radians, lengths metres. Cells, edges and vertices are counted from 0.
struct GlobalMesh {
    std::string source;   ///< file name or description, for messages
    double radius = 0.0;  ///< m, of the sphere

    // Cells.
    std::vector<double> lon, lat;         ///< centre; lon in [-pi, pi)
    std::vector<double> depth;            ///< positive down; land has depth <= 0
    std::vector<double> area;             ///< m²
    std::vector<std::int64_t> mesh_cell;  ///< index from 1 in the mesh file

    // Around cell c, [offset[c], offset[c+1]), in mesh-file order. Entry j of the three arrays belongs to one
    // side: corner[j] follows edge[j] anticlockwise, so that edge[j] lies between corner[j-1] and corner[j].
    std::vector<std::int64_t> offset;     ///< [cells + 1]
    std::vector<std::int32_t> neighbour;  ///< cell beyond the edge, or `coast` (local_mesh.hpp)
    std::vector<std::int32_t> edge;
    std::vector<std::int32_t> corner;  ///< vertices, anticlockwise

    // Edges.
    std::vector<std::int32_t> edge_end1, edge_end2;  ///< vertices
    std::vector<double> edge_length;                 ///< m, between the two ends
    std::vector<double> edge_distance;               ///< m, between the centres of the two cells

    // Vertices.
    std::vector<double> vertex_lon, vertex_lat;

    std::int32_t cells() const { return static_cast<std::int32_t>(lon.size()); }
    std::int32_t edges() const { return static_cast<std::int32_t>(edge_length.size()); }
    std::int32_t vertices() const { return static_cast<std::int32_t>(vertex_lon.size()); }
};

/// The mesh of cells chosen[0], chosen[1], … of `mesh`, renumbered 0, 1, …; what lies beyond them becomes
/// coast. Edges and vertices keep their numbers, so some may be left without a cell.
GlobalMesh take_cells(GlobalMesh mesh, std::span<const std::int32_t> chosen);

/// The cells and those across their edges.
graph::Graph graph_of(const GlobalMesh& mesh);

/// Least distance (m) between the centres of two neighbouring cells; of a single cell its diameter, √(4
/// area/π).
double smallest_spacing(const GlobalMesh& mesh);

/// 64-bit hash of one cell: index in the file, place and depth.
std::uint64_t cell_identity(std::int64_t mesh_cell, double lon, double lat, double depth);

/// Sum of the hashes of all cells, so that it depends neither on their order nor on who holds them. A restart
/// carries it.
std::uint64_t identity(const GlobalMesh& mesh);

/// New number of each of `count` things: 0, 1, … in ascending order over those that `used` names, -1 for the
/// others.
std::vector<std::int32_t> compact_numbering(std::span<const std::int32_t> used, std::int32_t count);

}  // namespace groundswell::voronoi
