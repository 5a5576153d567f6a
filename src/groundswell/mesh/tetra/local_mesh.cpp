#include "groundswell/mesh/tetra/local_mesh.hpp"

#include <algorithm>
#include <numeric>

#include "groundswell/graph/curve/curve.hpp"
#include "groundswell/graph/curve/hilbert.hpp"
#include "groundswell/mesh/dealer.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::tetra {

namespace {

struct Head {
    std::int64_t key = 0, id = 0;
    std::int32_t owner = 0, sides = 4, group = 0;
    std::int64_t material_group = 0;
    Tetrahedron cell;
};
struct Side {
    std::int64_t neighbour = mesh::nothing;
    std::int32_t face = 0;
};

}  // namespace

std::vector<std::int32_t> LocalMesh::owned_by_id() const {
    std::vector<std::int32_t> ordered(owned);
    std::iota(ordered.begin(), ordered.end(), 0);
    std::ranges::sort(ordered, {}, [&](std::int32_t local) { return id[local]; });
    return ordered;
}

std::int32_t LocalMesh::group_of(std::int32_t local) const {
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto& group = groups[g];
        const auto within = [&](mesh::CellRange range) { return local >= range.begin && local < range.end; };
        if (within(group.owned()) || within(group.halo)) return static_cast<std::int32_t>(g);
    }
    return -1;
}

std::vector<std::uint64_t> places_on_curve(MPI_Comm comm, const Slab& slab) {
    std::vector<Point> centre;
    for (const Tetrahedron& cell : slab.cell) centre.push_back(centre_of(cell));
    return graph::hilbert_positions(comm, centre);
}

LocalMesh deal_cells(MPI_Comm comm, parallel::SparseExchange& exchange, const Slab& slab,
                     std::span<const std::array<Across, 4>> neighbours, std::span<const std::int32_t> group,
                     int groups, std::span<const std::int64_t> weight) {
    const auto position = places_on_curve(comm, slab);
    std::vector<graph::CurveCell> cells;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        cells.push_back(
            {position[c], slab.blocks.begin() + static_cast<std::int64_t>(c), weight[c], group[c]});
    const auto places = graph::cut_along_curve(comm, exchange, cells, parallel::size_of(comm));

    mesh::Rows<Head, Side> rows;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        rows.heads.push_back({slab.blocks.begin() + static_cast<std::int64_t>(c), places[c].place,
                              places[c].part, 4, group[c], slab.group[c], slab.cell[c]});
        for (const Across& across : neighbours[c])
            rows.sides.push_back({across.cell < 0 ? mesh::nothing : across.cell, across.face});
    }
    const auto assembly = mesh::deal_out(comm, exchange, slab.blocks, std::move(rows), comm, 1, groups);

    LocalMesh local;
    static_cast<mesh::Part&>(local) = assembly.part();
    local.global_cells = slab.blocks.rows;
    for (const std::int32_t c : assembly.order()) {
        const Head& head = assembly.rows().heads[c];
        local.cell.push_back(head.cell);
        local.material_group.push_back(head.material_group);
        local.row.push_back(head.key);
        auto& across = local.across.emplace_back();
        const auto sides = assembly.sides_of(c);
        for (int f = 0; f < 4; ++f) across[f] = {assembly.beyond(sides[f]), sides[f].face};
    }
    return local;
}

}  // namespace groundswell::tetra
