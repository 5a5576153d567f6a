#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/parts/cell_rows.hpp"

namespace groundswell::voronoi {
namespace {

void fill_cells(const CellAssembly& cells, LocalMesh& local) {
    const auto fill = [&](auto& values, auto member) {
        values.reserve(cells.order().size());
        for (const std::int32_t c : cells.order()) values.push_back(cells.rows().heads[c].*member);
    };
    fill(local.mesh_cell, &CellHead::mesh_cell);
    fill(local.face, &CellHead::face);
    fill(local.lon, &CellHead::lon);
    fill(local.lat, &CellHead::lat);
    fill(local.depth, &CellHead::depth);
    fill(local.area, &CellHead::area);
}

void fill_edges(const CellAssembly& cells, LocalMesh& local) {
    for (auto* values :
         {&local.edge_length, &local.edge_distance, &local.edge_bearing, &local.edge_lon, &local.edge_lat})
        values->reserve(cells.rows().sides.size());
    local.neighbour.reserve(cells.rows().sides.size());
    local.edge_offset.reserve(cells.order().size() + 1);
    local.edge_offset.push_back(0);
    for (const std::int32_t c : cells.order()) {
        for (const CellSide& side : cells.sides_of(c)) {
            local.neighbour.push_back(cells.beyond(side));
            local.edge_length.push_back(side.length);
            local.edge_distance.push_back(side.distance);
            local.edge_bearing.push_back(side.bearing);
            local.edge_lon.push_back(side.lon);
            local.edge_lat.push_back(side.lat);
        }
        local.edge_offset.push_back(static_cast<std::int32_t>(local.neighbour.size()));
    }
}

void fill_corners(const CellAssembly& cells, LocalMesh& local) {
    const auto corners = static_cast<std::size_t>(cells.owned_sides());
    local.corner_node.reserve(corners);
    local.corner_lon.reserve(corners);
    local.corner_lat.reserve(corners);
    local.corner_offset.reserve(static_cast<std::size_t>(local.owned) + 1);
    local.corner_offset.push_back(0);
    struct Node {
        std::int64_t id;
        double lon, lat;
    };
    std::vector<Node> written;  // by this rank
    for (std::int32_t i = 0; i < local.owned; ++i) {
        const std::int32_t c = cells.order()[i];
        for (const CellSide& side : cells.sides_of(c)) {
            local.corner_node.push_back(side.node);
            local.corner_lon.push_back(side.node_lon);
            local.corner_lat.push_back(side.node_lat);
            if (side.writer == cells.rows().heads[c].id)
                written.push_back({side.node, side.node_lon, side.node_lat});
        }
        local.corner_offset.push_back(static_cast<std::int32_t>(local.corner_node.size()));
    }
    std::ranges::sort(written, {}, &Node::id);
    local.node_id.reserve(written.size());
    local.node_lon.reserve(written.size());
    local.node_lat.reserve(written.size());
    for (const Node& node : written) {
        local.node_id.push_back(node.id);
        local.node_lon.push_back(node.lon);
        local.node_lat.push_back(node.lat);
    }
}

}  // namespace

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

LocalMesh local_mesh_of(const CellAssembly& cells, const MeshTotals& totals) {
    LocalMesh local;
    static_cast<mesh::Part&>(local) = cells.part();
    GS_ASSERT(local.layers <= 2);
    fill_cells(cells, local);
    fill_edges(cells, local);
    fill_corners(cells, local);
    local.global_cells = totals.cells;
    local.global_nodes = totals.nodes;
    local.max_edges = totals.max_edges;
    local.radius = totals.radius;
    local.smallest_spacing = totals.smallest_spacing;
    local.identity = totals.identity;
    return local;
}

}  // namespace groundswell::voronoi
