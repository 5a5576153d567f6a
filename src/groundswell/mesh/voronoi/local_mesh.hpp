// One rank's part of the sea: the cells that it owns and the halo of cells around them.
// Angles are radians, lengths metres, areas square metres.
#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/mesh/part.hpp"

namespace groundswell::voronoi {

/// No cell on the other side of an edge: land, a culled cell, or the rim of the mesh (open boundary).
inline constexpr std::int32_t coast = mesh::nothing;
/// A sea cell is on the other side of an edge, but this rank does not hold it. Only in edges of halo cells.
inline constexpr std::int32_t absent = mesh::absent;

/// A mesh::Part, mostly of one group. Ids run along the space-filling curve; the identity is that of file index, place
/// and depth of all sea cells. Halos have 1 or 2 layers.
struct LocalMesh : mesh::Part {
    // The whole mesh, the same on every rank; global_cells are its sea cells, after culling.
    std::int64_t global_nodes = 0;  ///< corners of sea cells
    int max_edges = 0;              ///< most edges that any sea cell has
    double radius = 0.0;            ///< m, of the sphere
    /// m, least distance between the centres of two sea cells that share an edge.
    double smallest_spacing = 0.0;

    /// Owned cells [0, interior()) have no halo cell within `layers` rings. Of a mesh of one group.
    std::int32_t interior() const { return groups.empty() ? 0 : groups.front().interior.end; }

    // Cells, each [total].
    std::vector<std::int64_t> mesh_cell;  ///< index from 1 in the mesh file
    /// 0..global_cells-1, place among sea cells in mesh-file order: row in output files.
    std::vector<std::int64_t> face;
    std::vector<double> lon, lat;  ///< centre; lon in [-pi, pi)
    std::vector<double> depth;     ///< positive down, > 0
    std::vector<double> area;

    // Edges of cell c are [edge_offset[c], edge_offset[c+1]), in the order of the mesh file, for owned and
    // halo cells alike.
    std::vector<std::int32_t> edge_offset;  ///< [total + 1]
    std::vector<std::int32_t> neighbour;    ///< local cell beyond the edge, or `coast`, or `absent`
    std::vector<double> edge_length;        ///< length of the face between the cells (dvEdge)
    std::vector<double> edge_distance;      ///< distance of the two centres along a great circle (dcEdge)
    /// Direction of the normal that points out of this cell, anticlockwise from the local east at the middle
    /// of the edge. The normal is perpendicular to the chord between the edge's two ends, see
    /// outward_bearing().
    std::vector<double> edge_bearing;
    std::vector<double> edge_lon, edge_lat;  ///< middle of the edge: half way between its two ends

    // Corners of owned cells, anticlockwise: cell c has [corner_offset[c], corner_offset[c+1]).
    std::vector<std::int32_t> corner_offset;  ///< [owned + 1]
    std::vector<std::int64_t> corner_node;    ///< 0..global_nodes-1: corners of sea cells in mesh-file order
    std::vector<double> corner_lon, corner_lat;

    // Nodes that this rank writes (each node belongs to the rank that owns the lowest id among its cells),
    // ascending.
    std::vector<std::int64_t> node_id;  ///< 0..global_nodes-1; over all ranks each exactly once
    std::vector<double> node_lon, node_lat;
};

}  // namespace groundswell::voronoi
