#include "groundswell/mesh/voronoi/parts/slab.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/hash.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/voronoi/parts/outline.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::voronoi {
namespace {

using parallel::RowBlocks;
using parallel::SparseExchange;

RowRange block_of(const RowBlocks& blocks) {
    return {blocks.begin(), blocks.end()};
}

struct EdgeQuestion {
    std::int32_t row;
    std::int32_t listings;  // by cells of the one who asks
};
struct EdgeAnswer {
    std::int32_t cells[2], vertices[2];
    double dv, dc, angle, lon, lat;
};

/// The edges of own cells that other ranks have read. On the way every rank learns how often its edges are
/// listed.
void fetch_edges(SparseExchange& exchange, const RowBlocks& blocks, MpasArrays& a) {
    HeldRows& held = a.held_edges;
    std::vector<std::int32_t> listed;
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        for (std::int64_t k = 0; k < a.edges_on_cell_count[c]; ++k) {
            const std::int32_t row = a.edges_on_cell[c * a.max_edges + k] - 1;
            if (!held.is_own(row)) listed.push_back(row);
        }
    }
    std::ranges::sort(listed);
    std::vector<EdgeQuestion> questions;
    for (const std::int32_t row : listed) {
        if (questions.empty() || questions.back().row != row) questions.push_back({row, 0});
        ++questions.back().listings;
    }
    listed = {};

    std::vector<std::int32_t> listings(held.own, 0);
    const auto optional = [](const std::optional<std::vector<double>>& values, std::int64_t e) {
        return values ? (*values)[e] : 0.0;
    };
    const std::vector<EdgeAnswer> answers = parallel::ask_owners<EdgeAnswer, EdgeQuestion>(
        exchange, blocks, questions,
        [&](const EdgeQuestion& question) { listings[held.here(question.row)] += question.listings; }, [] {},
        [&](const EdgeQuestion& question) -> EdgeAnswer {
            const std::int64_t e = held.here(question.row);
            return {{a.cells_on_edge[2 * e], a.cells_on_edge[2 * e + 1]},
                    {a.vertices_on_edge[2 * e], a.vertices_on_edge[2 * e + 1]},
                    a.dv_edge[e],
                    a.dc_edge[e],
                    optional(a.angle_edge, e),
                    optional(a.lon_edge, e),
                    optional(a.lat_edge, e)};
        });
    std::vector<std::int32_t> others;
    others.reserve(questions.size());
    for (const EdgeQuestion& question : questions) others.push_back(question.row);
    held.add_others(std::move(others));
    for (const EdgeAnswer& answer : answers) {
        a.cells_on_edge.insert(a.cells_on_edge.end(), answer.cells, answer.cells + 2);
        a.vertices_on_edge.insert(a.vertices_on_edge.end(), answer.vertices, answer.vertices + 2);
        a.dv_edge.push_back(answer.dv);
        a.dc_edge.push_back(answer.dc);
        if (a.angle_edge) a.angle_edge->push_back(answer.angle);
        if (a.lon_edge) a.lon_edge->push_back(answer.lon);
        if (a.lat_edge) a.lat_edge->push_back(answer.lat);
    }
    const std::vector<std::int32_t> by_own_cells = count_listings(a);
    for (std::size_t e = 0; e < listings.size(); ++e) listings[e] += by_own_cells[e];
    a.listings = std::move(listings);
}

struct PlaceAnswer {
    double lon, lat;
};

/// The places of those rows of `wanted` that are not held yet.
void fetch_places(SparseExchange& exchange, const RowBlocks& blocks, std::vector<std::int32_t> wanted,
                  HeldRows& held, std::vector<double>& lon, std::vector<double>& lat) {
    std::erase_if(wanted, [&](std::int32_t row) { return held.is_own(row); });
    base::make_unique(wanted);
    const std::vector<PlaceAnswer> answers = parallel::ask_owners<PlaceAnswer, std::int32_t>(
        exchange, blocks, wanted, [&](std::int32_t row) -> PlaceAnswer {
            const std::int64_t here = held.here(row);
            return {lon[here], lat[here]};
        });
    held.add_others(std::move(wanted));
    for (const PlaceAnswer& answer : answers) {
        lon.push_back(answer.lon);
        lat.push_back(answer.lat);
    }
}

/// Rows that own cells name in `per_cell`; 0 means none.
std::vector<std::int32_t> named_rows(const MpasArrays& a, const std::vector<std::int32_t>& per_cell) {
    std::vector<std::int32_t> rows;
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        for (std::int64_t k = 0; k < a.edges_on_cell_count[c]; ++k) {
            const std::int32_t number = per_cell[c * a.max_edges + k];
            if (number > 0) rows.push_back(number - 1);
        }
    }
    return rows;
}

/// Cells and vertices around own cells, and those that their edges name: right files name no others, and
/// wrong ones must not lead to places that nobody has.
void fetch_surroundings(SparseExchange& exchange, const RowBlocks& cells, const RowBlocks& vertices,
                        MpasArrays& a) {
    std::vector<std::int32_t> near_cells = named_rows(a, a.cells_on_cell);
    std::vector<std::int32_t> near_vertices = named_rows(a, a.vertices_on_cell);
    for (const std::int32_t edge : named_rows(a, a.edges_on_cell)) {
        const std::int64_t e = a.held_edges.here(edge);
        for (int side = 0; side < 2; ++side) {
            if (a.cells_on_edge[2 * e + side] > 0) near_cells.push_back(a.cells_on_edge[2 * e + side] - 1);
            near_vertices.push_back(a.vertices_on_edge[2 * e + side] - 1);
        }
    }
    fetch_places(exchange, cells, std::move(near_cells), a.held_cells, a.lon_cell, a.lat_cell);
    fetch_places(exchange, vertices, std::move(near_vertices), a.held_vertices, a.lon_vertex, a.lat_vertex);
}

/// Ranks that opened the path at different times may have found different files.
void require_one_file(MPI_Comm comm, const MpasArrays& a) {
    const std::uint64_t shape =
        (base::Hash() << std::int64_t{a.cells} << std::int64_t{a.edges} << std::int64_t{a.vertices}
                      << std::int64_t{a.max_edges} << a.sphere_radius
                      << std::int64_t{a.bottom_depth.has_value()} << std::int64_t{a.angle_edge.has_value()}
                      << std::int64_t{a.lon_edge.has_value()} << std::int64_t{a.lat_edge.has_value()})
            .value();
    const auto mine = static_cast<std::int64_t>(shape);
    const bool same = parallel::min(comm, mine) == parallel::max(comm, mine);
    parallel::agree(comm, [&] {
        base::require(same, a.file, "", "",
                      "one file for all ranks; they have found files of several shapes");
    });
}

/// Over the own cells of all ranks.
std::uint64_t sum_of_outline(MPI_Comm comm, const MpasArrays& a, const ReadOptions& options) {
    OutlineSum sum;
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const std::int64_t row = a.held_cells.in_file(c);
        sum.add_depth(row, options.uniform_depth ? *options.uniform_depth : (*a.bottom_depth)[c]);
        sum.add_neighbours(row,
                           std::span(a.cells_on_cell).subspan(c * a.max_edges, a.edges_on_cell_count[c]));
        sum.add_place(row, a.lon_cell[c], a.lat_cell[c]);
    }
    const std::uint64_t mine = sum.value();
    std::uint64_t all = 0;
    parallel::check(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, comm), "sum up the outline");
    return all;
}

}  // namespace

Slab read_slab(MPI_Comm comm, SparseExchange& exchange, const std::string& path, const ReadOptions& options) {
    const int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
    Slab slab;
    RowBlocks edges;
    MpasArrays arrays = parallel::agree(comm, [&] {
        const MpasFile file(path);
        slab.cells = RowBlocks(file.cells(), ranks, rank);
        slab.vertices = RowBlocks(file.vertices(), ranks, rank);
        edges = RowBlocks(file.edges(), ranks, rank);
        MpasArrays read = file.read(block_of(slab.cells), block_of(edges), block_of(slab.vertices));
        require_depth(read, options);
        check_values(read);
        slab.bytes_read = file.bytes_read();
        return read;
    });
    require_one_file(comm, arrays);
    slab.outline_sum = sum_of_outline(comm, arrays, options);
    fetch_edges(exchange, edges, arrays);
    fetch_surroundings(exchange, slab.cells, slab.vertices, arrays);
    parallel::agree(comm, [&] { check_structure(arrays); });
    parallel::agree(comm, [&] { check_listings(arrays); });
    slab.held_vertices = arrays.held_vertices;
    slab.mesh = mesh_of(std::move(arrays), options);
    return slab;
}

}  // namespace groundswell::voronoi
