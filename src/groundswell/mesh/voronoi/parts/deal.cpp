#include "groundswell/mesh/voronoi/parts/deal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/dealer.hpp"
#include "groundswell/mesh/voronoi/parts/cell_rows.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::voronoi {
namespace {

using parallel::RowBlocks;
using parallel::SparseExchange;

struct NodeQuestion {
    std::int32_t row;     // of the vertex in the file
    std::int32_t lowest;  // id of the cells with this corner, among those of the one who asks
};
struct NodeAnswer {
    std::int64_t number, lowest;
};

/// Numbers the corners of sea cells in the order of the file and finds the lowest cell at each. `total`
/// receives how many there are.
Nodes number_nodes(MPI_Comm comm, SparseExchange& exchange, const Slab& slab,
                   const std::vector<CellPlace>& places, std::int64_t& total) {
    constexpr std::int32_t unused = std::numeric_limits<std::int32_t>::max();
    const GlobalMesh& mesh = slab.mesh;
    std::vector<std::int32_t> lowest(mesh.vertex_lon.size(), unused);
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if (places[c].id < 0) continue;
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j)
            lowest[mesh.corner[j]] = std::min(lowest[mesh.corner[j]], places[c].id);
    }
    std::vector<NodeQuestion> questions;
    for (std::size_t v = 0; v < lowest.size(); ++v) {
        const auto row = slab.held_vertices.in_file(static_cast<std::int64_t>(v));
        if (lowest[v] != unused) questions.push_back({static_cast<std::int32_t>(row), lowest[v]});
    }
    std::ranges::sort(questions, {}, &NodeQuestion::row);

    const RowBlocks& blocks = slab.vertices;
    std::vector<std::int32_t> lowest_of_all(blocks.mine(), unused);
    std::vector<std::int64_t> number(lowest_of_all.size(), -1);
    const std::vector<NodeAnswer> answers = parallel::ask_owners<NodeAnswer, NodeQuestion>(
        exchange, blocks, questions,
        [&](const NodeQuestion& question) {
            std::int32_t& known = lowest_of_all[question.row - blocks.begin()];
            known = std::min(known, question.lowest);
        },
        [&] {
            const std::int64_t used =
                std::ranges::count_if(lowest_of_all, [](auto l) { return l != unused; });
            std::int64_t next = parallel::sum_before(comm, used);
            for (std::size_t v = 0; v < number.size(); ++v) {
                if (lowest_of_all[v] != unused) number[v] = next++;
            }
            total = parallel::sum(comm, used);
        },
        [&](const NodeQuestion& question) -> NodeAnswer {
            const std::int64_t v = question.row - blocks.begin();
            return {number[v], lowest_of_all[v]};
        });
    Nodes nodes{std::vector<std::int64_t>(lowest.size(), -1), std::vector<std::int64_t>(lowest.size(), -1),
                points_at(mesh.vertex_lon, mesh.vertex_lat)};
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const std::int64_t v = slab.held_vertices.here(questions[i].row);
        nodes.number[v] = answers[i].number;
        nodes.lowest_cell[v] = answers[i].lowest;
    }
    return nodes;
}

/// Calls `use(c)` for the sea cells of the slab.
template <class Use>
void for_each_sea_cell(const std::vector<CellPlace>& places, Use use) {
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(places.size()); ++c) {
        if (places[c].id >= 0) use(c);
    }
}

/// Least distance of neighbouring sea cells, as smallest_spacing() finds it.
double smallest_spacing_of_all(MPI_Comm comm, const GlobalMesh& mesh, const std::vector<CellPlace>& places) {
    double spacing = std::numeric_limits<double>::infinity(), diameter = spacing;
    for_each_sea_cell(places, [&](std::int32_t c) {
        diameter = std::min(diameter, std::sqrt(4.0 * mesh.area[c] / base::pi));
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            if (mesh.neighbour[j] != coast) spacing = std::min(spacing, mesh.edge_distance[mesh.edge[j]]);
        }
    });
    spacing = parallel::min(comm, spacing);
    diameter = parallel::min(comm, diameter);
    return std::isfinite(spacing) ? spacing : diameter;
}

MeshTotals totals_of(MPI_Comm comm, const GlobalMesh& mesh, const std::vector<CellPlace>& places) {
    MeshTotals totals;
    std::int64_t cells = 0, most_edges = 0;
    std::uint64_t hashes = 0;
    for_each_sea_cell(places, [&](std::int32_t c) {
        ++cells;
        most_edges = std::max(most_edges, mesh.offset[c + 1] - mesh.offset[c]);
        hashes += cell_identity(mesh.mesh_cell[c], mesh.lon[c], mesh.lat[c], mesh.depth[c]);
    });
    totals.cells = parallel::sum(comm, cells);
    totals.max_edges = static_cast<int>(parallel::max(comm, most_edges));
    totals.radius = mesh.radius;
    totals.smallest_spacing = smallest_spacing_of_all(comm, mesh, places);
    parallel::check(MPI_Allreduce(&hashes, &totals.identity, 1, MPI_UINT64_T, MPI_SUM, comm),
                    "sum up the mesh's identity");
    return totals;
}

}  // namespace

void cull_neighbours(SparseExchange& exchange, Slab& slab, const std::vector<char>& kept) {
    const RowBlocks& blocks = slab.cells;
    GlobalMesh& mesh = slab.mesh;
    const auto is_own = [&](std::int32_t row) { return row >= blocks.begin() && row < blocks.end(); };
    std::vector<std::int32_t> beyond;  // rows of other blocks
    for (const std::int32_t row : mesh.neighbour) {
        if (row != coast && !is_own(row)) beyond.push_back(row);
    }
    base::make_unique(beyond);
    const std::vector<char> kept_beyond = parallel::ask_owners<char, std::int32_t>(
        exchange, blocks, beyond, [&](std::int32_t row) { return kept[row - blocks.begin()]; });
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            const std::int32_t row = mesh.neighbour[j];
            if (row == coast) continue;
            const bool is_kept = is_own(row)
                                     ? kept[row - blocks.begin()]
                                     : kept_beyond[std::ranges::lower_bound(beyond, row) - beyond.begin()];
            if (!kept[c] || !is_kept) mesh.neighbour[j] = coast;
        }
    }
}

LocalMesh deal(MPI_Comm comm, SparseExchange& exchange, Slab slab, const std::vector<CellPlace>& places,
               MPI_Comm ranks, int layers, int groups) {
    std::vector<char> is_sea;
    is_sea.reserve(places.size());
    for (const CellPlace& place : places) is_sea.push_back(place.id >= 0);
    cull_neighbours(exchange, slab, is_sea);
    MeshTotals totals = totals_of(comm, slab.mesh, places);
    const Nodes nodes = number_nodes(comm, exchange, slab, places, totals.nodes);
    std::int64_t cells = 0;
    for_each_sea_cell(places, [&](std::int32_t) { ++cells; });
    std::int64_t face = parallel::sum_before(comm, cells);

    CellRows rows;
    rows.heads.reserve(cells);
    rows.sides.reserve(slab.mesh.edge.size());
    for_each_sea_cell(places, [&](std::int32_t c) {
        CellHead names;
        names.key = slab.cells.begin() + c;
        names.id = places[c].id;
        names.owner = places[c].part;
        names.group = places[c].group;
        names.face = face++;
        append_cell(rows, slab.mesh, c, names, nodes);
    });
    slab.mesh = {};
    return local_mesh_of(mesh::deal_out(comm, exchange, slab.cells, std::move(rows), ranks, layers, groups),
                         totals);
}

}  // namespace groundswell::voronoi
