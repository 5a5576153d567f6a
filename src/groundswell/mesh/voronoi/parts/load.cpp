#include "groundswell/mesh/voronoi/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/curve_places.hpp"
#include "groundswell/mesh/voronoi/parts/deal.hpp"
#include "groundswell/mesh/voronoi/parts/distribute.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/parts/outline.hpp"
#include "groundswell/mesh/voronoi/parts/part_file.hpp"
#include "groundswell/mesh/voronoi/parts/slab.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::voronoi {
namespace {

/// Seconds since the last call.
class Stopwatch {
public:
    double lap() {
        const double before = std::exchange(last_, parallel::now());
        return last_ - before;
    }

private:
    double last_ = parallel::now();
};

Slab read_part(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& path,
               const ReadOptions& options) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    return read_slab(comm, exchange, path, options);
}

/// Puts the groups of the cells of this rank's block into their places, and returns how many groups there are. Collective.
int group_cells(MPI_Comm comm, parallel::SparseExchange& exchange, const Slab& slab,
                const LoadOptions& options, std::vector<CellPlace>& places) {
    if (!options.group) return 1;
    std::vector<CellPlace> as_read = places;
    for (CellPlace& place : as_read) place.part = slab.cells.rank;
    const LocalMesh mesh = deal(comm, exchange, slab, as_read, comm, 1);
    const CellGroups groups = options.group(comm, slab.cells, mesh);
    for (std::int32_t c = 0; c < mesh.owned; ++c)
        places[mesh.mesh_cell[c] - 1 - slab.cells.begin()].group = groups.of[c];
    return groups.groups;
}

/// Remaining work once a mesh is cut, from a file or not: `deal_out` brings the parts to their ranks.
template <class DealOut>
LoadedMesh finish(MPI_Comm comm, const mesh::Cut& cut, const LoadOptions& options, LoadReport report,
                  DealOut deal_out) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::partition);
    LoadedMesh loaded;
    Stopwatch watch;
    loaded.comm = mesh::ranks_of_parts(comm, cut, options, report);
    loaded.mesh = deal_out(loaded.comm);
    report.distribute_seconds = watch.lap();
    static_assert(std::is_trivially_copyable_v<LoadReport>);
    parallel::check(MPI_Bcast(&report, sizeof(report), MPI_BYTE, 0, comm), "tell all ranks about the mesh");
    loaded.report = report;
    return loaded;
}

}  // namespace

namespace {

/// The groups of a whole mesh on rank 0, in its order, and as weights of its graph. Collective.
CellGroups group_made_cells(MPI_Comm comm, const GlobalMesh& whole, const GroupCells& group,
                            graph::Graph& graph) {
    const int rank = parallel::rank_of(comm);
    // One block of all rows, that of rank 0.
    std::int64_t rows = 0;
    for (const std::int64_t cell : whole.mesh_cell) rows = std::max(rows, cell);
    rows = parallel::max(comm, rows);
    parallel::RowBlocks blocks(rows, 1, rank);
    LocalMesh mesh;
    std::vector<std::int32_t> row;
    if (rank == 0) {
        mesh = Extractor(whole, std::vector<int>(whole.lon.size(), 0), 1, 1).local_mesh(0);
        for (const std::int64_t cell : whole.mesh_cell) row.push_back(static_cast<std::int32_t>(cell - 1));
    } else {
        mesh.groups.resize(1);
        mesh.edge_offset.push_back(0);
    }
    CellGroups groups = group(comm, blocks, mesh);
    if (rank != 0) return {{}, groups.groups};
    std::vector<std::int32_t> by_id(groups.of.size());
    for (std::size_t c = 0; c < by_id.size(); ++c) by_id[mesh.id[c]] = groups.of[c];
    groups.of = std::move(by_id);
    mesh::weigh_groups(groups.of, groups.groups, graph);
    return groups;
}

}  // namespace

LoadedMesh load_mesh(MPI_Comm comm, const std::function<GlobalMesh()>& make, const LoadOptions& options) {
    const int rank = parallel::rank_of(comm);
    std::vector<int> host_of_rank = parallel::hosts_of_all_ranks(comm, parallel::find_placement(comm));

    LoadReport report;
    GlobalMesh whole;
    graph::Graph graph;
    Stopwatch watch;
    parallel::agree(comm, [&] {
        if (rank != 0) return;
        whole = make();
        report.read_seconds = watch.lap();
        whole = order_along_curve(cull(std::move(whole), options.cull, report.cull));
        graph = graph_of(whole);
        report.order_seconds = watch.lap();
    });
    CellGroups groups;
    if (options.group) groups = group_made_cells(comm, whole, options.group, graph);
    const mesh::Cut cut = parallel::agree(comm, [&] {
        return rank == 0 ? mesh::cut_graph(std::move(graph), options, std::move(host_of_rank), report)
                         : mesh::Cut{};
    });
    return finish(comm, cut, options, report, [&](const parallel::Communicator& ranks) {
        int root = ranks.rank();
        parallel::check(MPI_Bcast(&root, 1, MPI_INT, 0, comm), "tell who holds the mesh");
        return distribute(ranks.get(), whole, cut.part, options.layers, root, groups.of, groups.groups);
    });
}

namespace {

/// Puts the parts that a file gives into the places of the sea cells.
void take_parts(MPI_Comm comm, const std::string& file, const parallel::RowBlocks& blocks,
                const std::vector<std::int32_t>& part, std::vector<CellPlace>& place) {
    parallel::agree(comm, [&] {
        for (std::size_t c = 0; c < place.size(); ++c) {
            if (place[c].id < 0) continue;
            base::require(
                part[c] >= 0, file,
                fmt::format("part of cell {}", blocks.begin() + static_cast<std::int64_t>(c) + 1),
                fmt::to_string(part[c]),
                "a part, as it is sea in this run; groundswell partition MESH --parts N --keep cuts the mesh "
                "again");
            place[c].part = part[c];
        }
    });
}

/// The mesh of a file whose parts all ranks find together: along the curve, or as a file has them.
LoadedMesh load_together(MPI_Comm comm, const std::string& path, const LoadOptions& options) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::partition);
    const bool from_file = !options.part_file.empty();
    parallel::agree(comm, [&] {
        base::require(
            !options.reorder, "mesh", "reorder", "true",
            "false with parts along the curve or from a file: no rank knows what all parts exchange");
    });
    const parallel::Placement placement = parallel::find_placement(comm);
    LoadedMesh loaded;
    LoadReport& report = loaded.report;
    parallel::SparseExchange exchange(comm);
    Stopwatch watch;
    Slab slab = read_part(comm, exchange, path, options.read);
    report.read_seconds = watch.lap();
    std::vector<std::int32_t> part;
    if (from_file) part = read_parts(comm, exchange, options.part_file, slab, parallel::size_of(comm));
    CurvePlaces places = places_along_curve(comm, exchange, slab, options.cull, report.cull);
    if (from_file) take_parts(comm, options.part_file, slab.cells, part, places.place);
    report.order_seconds = watch.lap();
    const int groups = group_cells(comm, exchange, slab, options, places.place);
    if (groups > 1 && !from_file) cut_again_by_group(comm, exchange, slab, places);
    loaded.comm = parallel::Communicator::duplicate(comm);
    loaded.cost.bytes_read = slab.bytes_read;
    const parallel::RowBlocks slabs = slab.cells;
    loaded.mesh =
        deal(comm, exchange, std::move(slab), places.place, loaded.comm.get(), options.layers, groups);
    report.partition = measure_parts(comm, exchange, slabs, places, placement.host, loaded.mesh);
    report.partition.seconds = report.order_seconds;
    if (from_file) report.partition.method = graph::PartitionMethod::file;
    report.host_cut_after_reorder = report.partition.host_cut;
    report.distribute_seconds = watch.lap();
    parallel::check(MPI_Bcast(&report, sizeof(report), MPI_BYTE, 0, comm), "tell all ranks about the mesh");
    loaded.cost.messages = exchange.messages_sent();
    loaded.cost.bytes_sent = exchange.bytes_sent();
    return loaded;
}

}  // namespace

LoadedMesh load_mesh(MPI_Comm comm, const std::string& path, const LoadOptions& options) {
    const std::int64_t other = parallel::rank_of(comm) == 0 && has_other_format(path) ? 1 : 0;
    if (parallel::max(comm, other) == 1) {
        parallel::agree(comm, [&] {
            base::require(options.part_file.empty(), path, "", "",
                          "the MPAS format, where a file has the parts");
        });
        return load_mesh(
            comm, [&] { return read_mesh(path, options.read); }, options);
    }
    if (options.method == graph::PartitionMethod::curve || !options.part_file.empty())
        return load_together(comm, path, options);
    const parallel::StartUpTimer timer(parallel::StartUpPart::partition);
    const int rank = parallel::rank_of(comm);
    std::vector<int> host_of_rank = parallel::hosts_of_all_ranks(comm, parallel::find_placement(comm));

    LoadReport report;
    LoadCost cost;
    parallel::SparseExchange exchange(comm);
    Stopwatch watch;
    Slab slab = read_part(comm, exchange, path, options.read);
    report.read_seconds = watch.lap();
    Outline outline;
    parallel::agree(comm, [&] {
        if (rank != 0) return;
        const parallel::StartUpTimer reading(parallel::StartUpPart::reading);
        outline = read_outline(path, options.read, options.cull, static_cast<std::int32_t>(slab.cells.rows),
                               slab.outline_sum, report.cull);
        report.order_seconds = watch.lap();
    });
    int groups = 1;
    std::vector<CellPlace> grouped;
    if (options.group) {
        const std::vector<int> unknown(outline.row.size(), 0);
        grouped = mesh::scatter_places(comm, slab.cells, outline.row, unknown);
        groups = group_cells(comm, exchange, slab, options, grouped);
        mesh::weigh_groups(comm, slab.cells, grouped, outline.row, groups, outline.graph);
    }
    mesh::Cut cut = parallel::agree(comm, [&] {
        const parallel::StartUpTimer cutting(parallel::StartUpPart::partition);
        return rank == 0 ? mesh::cut_graph(std::move(outline.graph), options, std::move(host_of_rank), report)
                         : mesh::Cut{};
    });
    cost.bytes_read = slab.bytes_read + outline.bytes_read;
    cost.outline_bytes = outline.bytes_read;
    LoadedMesh loaded = finish(comm, cut, options, report, [&](const parallel::Communicator& ranks) {
        cut.graph = {};
        std::vector<CellPlace> places = mesh::scatter_places(comm, slab.cells, outline.row, cut.part);
        for (std::size_t c = 0; c < grouped.size(); ++c) places[c].group = grouped[c].group;
        outline = {};
        return deal(comm, exchange, std::move(slab), places, ranks.get(), options.layers, groups);
    });
    cost.messages = exchange.messages_sent();
    cost.bytes_sent = exchange.bytes_sent();
    loaded.cost = cost;
    return loaded;
}

}  // namespace groundswell::voronoi
