#include "groundswell/mesh/voronoi/cell_rows.hpp"

#include <cstring>

#include "groundswell/base/errors.hpp"

namespace groundswell::voronoi {

void CellRows::append(const CellRows& more) {
    heads.insert(heads.end(), more.heads.begin(), more.heads.end());
    sides.insert(sides.end(), more.sides.begin(), more.sides.end());
}

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

std::vector<std::int64_t> first_sides(const CellRows& rows) {
    std::vector<std::int64_t> first{0};
    first.reserve(rows.heads.size() + 1);
    for (const CellHead& head : rows.heads) first.push_back(first.back() + head.sides);
    return first;
}

std::vector<std::byte> pack(const CellRows& rows, std::span<const std::int32_t> cells,
                            std::span<const std::int64_t> first_side) {
    std::size_t size = 0;
    for (const std::int32_t c : cells)
        size += sizeof(CellHead) + static_cast<std::size_t>(rows.heads[c].sides) * sizeof(CellSide);
    std::vector<std::byte> bytes(size);
    std::byte* to = bytes.data();
    for (const std::int32_t c : cells) {
        const auto sides = static_cast<std::size_t>(rows.heads[c].sides) * sizeof(CellSide);
        std::memcpy(to, &rows.heads[c], sizeof(CellHead));
        std::memcpy(to + sizeof(CellHead), rows.sides.data() + first_side[c], sides);
        to += sizeof(CellHead) + sides;
    }
    return bytes;
}

void unpack(std::span<const std::byte> bytes, CellRows& rows) {
    while (!bytes.empty()) {
        GS_ASSERT(bytes.size() >= sizeof(CellHead));
        CellHead& head = rows.heads.emplace_back();
        std::memcpy(&head, bytes.data(), sizeof(CellHead));
        bytes = bytes.subspan(sizeof(CellHead));
        const auto sides = static_cast<std::size_t>(head.sides);
        GS_ASSERT(bytes.size() >= sides * sizeof(CellSide));
        const std::size_t before = rows.sides.size();
        rows.sides.resize(before + sides);
        std::memcpy(rows.sides.data() + before, bytes.data(), sides * sizeof(CellSide));
        bytes = bytes.subspan(sides * sizeof(CellSide));
    }
}

}  // namespace groundswell::voronoi
