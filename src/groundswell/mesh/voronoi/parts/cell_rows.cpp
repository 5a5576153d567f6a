#include "groundswell/mesh/voronoi/parts/cell_rows.hpp"

namespace groundswell::voronoi {

void append_cell(CellRows& rows, const GlobalMesh& mesh, std::int32_t cell, const CellHead& names,
                 const Nodes& nodes) {
    CellHead head = names;
    head.mesh_cell = mesh.mesh_cell[cell];
    head.sides = static_cast<std::int32_t>(mesh.offset[cell + 1] - mesh.offset[cell]);
    head.lon = mesh.lon[cell];
    head.lat = mesh.lat[cell];
    head.depth = mesh.depth[cell];
    head.area = mesh.area[cell];
    rows.heads.push_back(head);

    const Vector3 centre = point_at(head.lon, head.lat);
    for (std::int64_t j = mesh.offset[cell]; j < mesh.offset[cell + 1]; ++j) {
        const std::int32_t e = mesh.edge[j], corner = mesh.corner[j];
        const Vector3 end1 = nodes.point[mesh.edge_end1[e]], end2 = nodes.point[mesh.edge_end2[e]];
        const Vector3 middle = edge_middle(end1, end2);
        CellSide side;
        side.neighbour = mesh.neighbour[j];
        side.length = mesh.edge_length[e];
        side.distance = mesh.edge_distance[e];
        side.lon = longitude_of(middle);
        side.lat = latitude_of(middle);
        side.bearing = outward_bearing(end1, end2, centre, side.lon, side.lat);
        side.node = nodes.number[corner];
        side.writer = nodes.lowest_cell[corner];
        side.node_lon = mesh.vertex_lon[corner];
        side.node_lat = mesh.vertex_lat[corner];
        rows.sides.push_back(side);
    }
}

}  // namespace groundswell::voronoi
