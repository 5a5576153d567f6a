#include <algorithm>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/distribute.hpp"
#include "groundswell/mesh/sphere.hpp"

namespace groundswell::mesh {

Extractor::Extractor(const GlobalMesh& mesh, std::span<const int> part, int parts, int layers)
    : mesh_(mesh),
      part_(part),
      layers_(layers),
      smallest_spacing_(smallest_spacing(mesh)),
      identity_(identity(mesh)) {
    GS_ASSERT(layers == 1 || layers == 2);
    GS_ASSERT(part.size() == mesh.lon.size());
    const std::int32_t cells = mesh.cells();
    part_begin_.assign(parts + 1, 0);
    for (const int p : part) {
        GS_ASSERT(p >= 0 && p < parts);
        ++part_begin_[p + 1];
    }
    std::partial_sum(part_begin_.begin(), part_begin_.end(), part_begin_.begin());
    cells_by_part_.resize(cells);
    std::vector<std::int64_t> next(part_begin_.begin(), part_begin_.end() - 1);
    for (std::int32_t c = 0; c < cells; ++c) cells_by_part_[next[part[c]]++] = c;

    std::vector<std::int32_t> file_order(cells);
    std::iota(file_order.begin(), file_order.end(), 0);
    std::ranges::sort(file_order, {}, [&](std::int32_t c) { return mesh.mesh_cell[c]; });
    face_.resize(cells);
    for (std::int32_t i = 0; i < cells; ++i) face_[file_order[i]] = i;

    node_ = compact_numbering(mesh.corner, mesh.vertices());
    nodes_ = std::ranges::count_if(node_, [](std::int32_t n) { return n >= 0; });
    lowest_cell_.assign(mesh.vertices(), -1);
    for (std::int32_t c = cells - 1; c >= 0; --c) {
        max_edges_ = std::max(max_edges_, static_cast<int>(mesh.offset[c + 1] - mesh.offset[c]));
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) lowest_cell_[mesh.corner[j]] = c;
    }
    local_number_.assign(cells, -1);
}

/// Halo cells in the order of the local mesh. Expects and leaves local_number_ = 0 exactly for owned cells.
std::vector<std::int32_t> Extractor::find_rings(std::span<const std::int32_t> owned) {
    std::vector<std::int32_t> halo, ring(owned.begin(), owned.end()), next;
    for (int layer = 0; layer < layers_; ++layer) {
        next.clear();
        for (const std::int32_t c : ring) {
            for (std::int64_t j = mesh_.offset[c]; j < mesh_.offset[c + 1]; ++j) {
                const std::int32_t other = mesh_.neighbour[j];
                if (other == coast || local_number_[other] >= 0) continue;
                local_number_[other] = 0;
                next.push_back(other);
            }
        }
        halo.insert(halo.end(), next.begin(), next.end());
        ring = next;
    }
    for (const std::int32_t c : halo) local_number_[c] = -1;
    std::ranges::sort(halo, [&](std::int32_t a, std::int32_t b) {
        return part_[a] != part_[b] ? part_[a] < part_[b] : a < b;
    });
    return halo;
}

/// Owned cells with a halo cell within `layers` rings, ascending.
std::vector<std::int32_t> Extractor::find_rim(std::span<const std::int32_t> owned) const {
    const auto any_neighbour = [&](std::int32_t c, auto&& condition) {
        for (std::int64_t j = mesh_.offset[c]; j < mesh_.offset[c + 1]; ++j) {
            if (mesh_.neighbour[j] != coast && condition(mesh_.neighbour[j])) return true;
        }
        return false;
    };
    std::vector<std::int32_t> rim;
    for (const std::int32_t c : owned) {
        if (any_neighbour(c, [&](std::int32_t n) { return part_[n] != part_[c]; })) rim.push_back(c);
    }
    if (layers_ == 1) return rim;
    std::vector<std::int32_t> deeper;
    for (const std::int32_t c : owned) {
        const auto in_rim = [&](std::int32_t n) { return std::ranges::binary_search(rim, n); };
        if (in_rim(c) || any_neighbour(c, in_rim)) deeper.push_back(c);
    }
    return deeper;
}

void Extractor::fill_cells(LocalMesh& local, std::span<const std::int32_t> cells) const {
    for (const std::int32_t c : cells) {
        local.id.push_back(c);
        local.mesh_cell.push_back(mesh_.mesh_cell[c]);
        local.face.push_back(face_[c]);
        local.owner.push_back(part_[c]);
        local.lon.push_back(mesh_.lon[c]);
        local.lat.push_back(mesh_.lat[c]);
        local.depth.push_back(mesh_.depth[c]);
        local.area.push_back(mesh_.area[c]);
    }
}

void Extractor::fill_edges(LocalMesh& local, std::span<const std::int32_t> cells) const {
    const auto vertex = [&](std::int32_t v) { return point_at(mesh_.vertex_lon[v], mesh_.vertex_lat[v]); };
    local.edge_offset.push_back(0);
    for (const std::int32_t c : cells) {
        const Vector3 centre = point_at(mesh_.lon[c], mesh_.lat[c]);
        for (std::int64_t j = mesh_.offset[c]; j < mesh_.offset[c + 1]; ++j) {
            const std::int32_t other = mesh_.neighbour[j], e = mesh_.edge[j];
            const bool here = other != coast && local_number_[other] >= 0;
            local.neighbour.push_back(other == coast ? coast : here ? local_number_[other] : absent);
            local.edge_length.push_back(mesh_.edge_length[e]);
            local.edge_distance.push_back(mesh_.edge_distance[e]);
            const Vector3 end1 = vertex(mesh_.edge_end1[e]), end2 = vertex(mesh_.edge_end2[e]);
            const Vector3 middle = edge_middle(end1, end2);
            const double lon = longitude_of(middle), lat = latitude_of(middle);
            local.edge_lon.push_back(lon);
            local.edge_lat.push_back(lat);
            local.edge_bearing.push_back(outward_bearing(end1, end2, centre, lon, lat));
        }
        local.edge_offset.push_back(static_cast<std::int32_t>(local.neighbour.size()));
    }
}

void Extractor::fill_corners(LocalMesh& local, std::span<const std::int32_t> cells) const {
    local.corner_offset.push_back(0);
    std::vector<std::int32_t> written;  // vertices whose node this rank writes
    for (std::int32_t i = 0; i < local.owned; ++i) {
        const std::int32_t c = cells[i];
        for (std::int64_t j = mesh_.offset[c]; j < mesh_.offset[c + 1]; ++j) {
            local.corner_node.push_back(node_[mesh_.corner[j]]);
            if (lowest_cell_[mesh_.corner[j]] == c) written.push_back(mesh_.corner[j]);
        }
        local.corner_offset.push_back(static_cast<std::int32_t>(local.corner_node.size()));
    }
    std::ranges::sort(written);
    for (const std::int32_t v : written) {
        local.node_id.push_back(node_[v]);
        local.node_lon.push_back(mesh_.vertex_lon[v]);
        local.node_lat.push_back(mesh_.vertex_lat[v]);
    }
}

LocalMesh Extractor::local_mesh(int rank) {
    const auto owned = std::span<const std::int32_t>(cells_by_part_)
                           .subspan(part_begin_[rank], part_begin_[rank + 1] - part_begin_[rank]);
    for (const std::int32_t c : owned) local_number_[c] = 0;
    const std::vector<std::int32_t> halo = find_rings(owned);
    const std::vector<std::int32_t> rim = find_rim(owned);

    std::vector<std::int32_t> cells;
    cells.reserve(owned.size() + halo.size());
    std::ranges::set_difference(owned, rim, std::back_inserter(cells));
    LocalMesh local;
    local.global_cells = mesh_.cells();
    local.global_nodes = nodes_;
    local.max_edges = max_edges_;
    local.radius = mesh_.radius;
    local.smallest_spacing = smallest_spacing_;
    local.identity = identity_;
    local.layers = layers_;
    local.interior = static_cast<std::int32_t>(cells.size());
    cells.insert(cells.end(), rim.begin(), rim.end());
    local.owned = static_cast<std::int32_t>(cells.size());
    cells.insert(cells.end(), halo.begin(), halo.end());
    local.total = static_cast<std::int32_t>(cells.size());
    for (std::int32_t i = 0; i < local.total; ++i) local_number_[cells[i]] = i;

    fill_cells(local, cells);
    fill_edges(local, cells);
    fill_corners(local, cells);
    for (const std::int32_t c : cells) local_number_[c] = -1;
    return local;
}

}  // namespace groundswell::mesh
