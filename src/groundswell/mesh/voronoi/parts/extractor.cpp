#include "groundswell/mesh/voronoi/parts/extractor.hpp"

#include <algorithm>
#include <numeric>

#include "groundswell/base/errors.hpp"

namespace groundswell::voronoi {

Extractor::Extractor(const GlobalMesh& mesh, std::span<const int> part, int parts, int layers,
                     std::span<const std::int32_t> group, int groups)
    : mesh_(mesh), part_(part), group_(group), layers_(layers), groups_(groups) {
    GS_ASSERT(part.size() == mesh.lon.size() && (group.empty() || group.size() == part.size()));
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

    const std::vector<std::int32_t> number = compact_numbering(mesh.corner, mesh.vertices());
    nodes_.number.assign(number.begin(), number.end());
    nodes_.point = points_at(mesh.vertex_lon, mesh.vertex_lat);
    nodes_.lowest_cell.assign(mesh.vertices(), -1);
    for (std::int32_t c = cells - 1; c >= 0; --c) {
        totals_.max_edges =
            std::max(totals_.max_edges, static_cast<int>(mesh.offset[c + 1] - mesh.offset[c]));
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j)
            nodes_.lowest_cell[mesh.corner[j]] = c;
    }
    totals_.cells = cells;
    totals_.nodes = std::ranges::count_if(number, [](std::int32_t n) { return n >= 0; });
    totals_.radius = mesh.radius;
    totals_.smallest_spacing = smallest_spacing(mesh);
    totals_.identity = identity(mesh);
}

void Extractor::append(std::int32_t cell, CellRows& rows) const {
    CellHead names;
    names.key = names.id = cell;
    names.face = face_[cell];
    names.owner = part_[cell];
    if (!group_.empty()) names.group = group_[cell];
    append_cell(rows, mesh_, cell, names, nodes_);
}

LocalMesh Extractor::local_mesh(int rank) const {
    CellRows owned;
    for (std::int64_t i = part_begin_[rank]; i < part_begin_[rank + 1]; ++i) append(cells_by_part_[i], owned);
    const auto source = [&](std::span<const std::int64_t> cells) {
        CellRows rows;
        for (const std::int64_t cell : cells) append(static_cast<std::int32_t>(cell), rows);
        return rows;
    };
    return local_mesh_of({std::move(owned), source, layers_, groups_}, totals_);
}

}  // namespace groundswell::voronoi
