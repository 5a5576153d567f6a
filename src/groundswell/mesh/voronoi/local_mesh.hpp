// One rank's part of the sea: the cells that it owns and the halo of cells around them.
//
// Local order of cells:
//     [0, interior)        owned, and no halo cell lies within `layers` rings: can be updated before the
//                          halo arrives
//     [interior, owned)    owned, at the rim of the part
//     [owned, total)       halo, owned by other ranks: grouped by owner rank ascending, id ascending in a
//                          group, so that the whole cells which one neighbour sends lie next to each other
//                          in the order they are sent
// Owned cells ascend by id inside `interior` and inside the rim. Angles are radians, lengths metres, areas
// square metres.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::voronoi {

/// No cell on the other side of an edge: land, a culled cell, or the rim of the mesh (open boundary).
inline constexpr std::int32_t coast = -1;
/// A sea cell is on the other side of an edge, but this rank does not hold it. Only in edges of halo cells.
inline constexpr std::int32_t absent = -2;

struct LocalMesh {
    // The whole mesh, the same on every rank.
    std::int64_t global_cells = 0;  ///< sea cells, after culling
    std::int64_t global_nodes = 0;  ///< corners of sea cells
    int max_edges = 0;              ///< most edges that any sea cell has
    double radius = 0.0;            ///< m, of the sphere
    /// m, least distance between the centres of two sea cells that share an edge.
    double smallest_spacing = 0.0;
    /// Hash of file index, place and depth of all sea cells; does not depend on ranks.
    std::uint64_t identity = 0;
    int layers = 1;  ///< rings of halo, 1 or 2

    std::int32_t interior = 0;  ///< 0 <= interior <= owned <= total, see above
    std::int32_t owned = 0;
    std::int32_t total = 0;

    // Cells, each [total].
    std::vector<std::int64_t> id;         ///< 0..global_cells-1 along the space-filling curve
    std::vector<std::int64_t> mesh_cell;  ///< index from 1 in the mesh file
    /// 0..global_cells-1, place among sea cells in mesh-file order: row in output files.
    std::vector<std::int64_t> face;
    std::vector<int> owner;        ///< rank
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

    /// Ids of the owned cells, in local order.
    std::span<const std::int64_t> owned_ids() const { return {id.data(), static_cast<std::size_t>(owned)}; }
    /// Ids of the halo cells, in local order.
    std::span<const std::int64_t> halo_ids() const {
        return {id.data() + owned, static_cast<std::size_t>(total - owned)};
    }
};

}  // namespace groundswell::voronoi
