#include "groundswell/mesh/voronoi/load.hpp"

#include <chrono>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/map/reorder.hpp"
#include "groundswell/graph/measure.hpp"
#include "groundswell/mesh/voronoi/curve_places.hpp"
#include "groundswell/mesh/voronoi/deal.hpp"
#include "groundswell/mesh/voronoi/distribute.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/outline.hpp"
#include "groundswell/mesh/voronoi/slab.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::voronoi {
namespace {

/// Seconds since the last call.
class Stopwatch {
public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// What rank 0 knows of the whole mesh once it is cut; empty on the others.
struct Cut {
    graph::Graph graph;
    std::vector<int> part;
};

/// Cuts cut.graph. On rank 0.
void cut_graph(Cut& cut, const LoadOptions& options, int parts, std::vector<int> host_of_rank,
               LoadReport& report) {
    graph::Partition found = partition(cut.graph, parts,
                                       {options.method,
                                        options.imbalance,
                                        std::move(host_of_rank),
                                        options.map_to_hosts,
                                        options.layers,
                                        {}});
    cut.part = std::move(found.part);
    report.partition = found.report;
}

/// The ranks that the library wants. The hosts of the new ranks are gathered only to tell what they are
/// worth.
parallel::Communicator ask_for_ranks(MPI_Comm comm, const Cut& cut, int layers, LoadReport& report) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const graph::PartGraph parts = parallel::agree(comm, [&] {
        return rank == 0 ? graph::graph_of_parts(cut.graph, cut.part, size, layers) : graph::PartGraph{};
    });
    parallel::Communicator reordered = graph::reorder_ranks(comm, parts);
    const parallel::Placement placement = parallel::find_placement(reordered.get());
    report.moved_ranks =
        static_cast<int>(parallel::sum(comm, std::int64_t{reordered.rank() != rank ? 1 : 0}));
    // A process of the old rank r now has another; rank 0 of the old communicator holds the mesh.
    std::vector<int> host(rank == 0 ? static_cast<std::size_t>(size) : 0), number(host);
    const int mine = reordered.rank();
    parallel::check(MPI_Gather(&mine, 1, MPI_INT, number.data(), 1, MPI_INT, 0, comm), "gather new ranks");
    parallel::check(MPI_Gather(&placement.host, 1, MPI_INT, host.data(), 1, MPI_INT, 0, comm),
                    "gather the hosts of new ranks");
    if (rank == 0) {
        std::vector<int> host_of_part(host.size());
        for (std::size_t r = 0; r < host.size(); ++r) host_of_part[number[r]] = host[r];
        report.host_cut_after_reorder = graph::weight_between_hosts(cut.graph, host_of_part, cut.part);
    }
    return reordered;
}

/// What is left to do once a mesh is cut, from a file or not: `deal_out` brings the parts to their ranks.
template <class DealOut>
LoadedMesh finish(MPI_Comm comm, const Cut& cut, const LoadOptions& options, LoadReport report,
                  DealOut deal_out) {
    LoadedMesh loaded;
    Stopwatch watch;
    report.host_cut_after_reorder = report.partition.host_cut;
    loaded.comm = options.reorder ? ask_for_ranks(comm, cut, options.layers, report)
                                  : parallel::Communicator::duplicate(comm);
    loaded.mesh = deal_out(loaded.comm);
    report.distribute_seconds = watch.lap();
    static_assert(std::is_trivially_copyable_v<LoadReport>);
    parallel::check(MPI_Bcast(&report, sizeof(report), MPI_BYTE, 0, comm), "tell all ranks about the mesh");
    loaded.report = report;
    return loaded;
}

}  // namespace

LoadedMesh load_mesh(MPI_Comm comm, const std::function<GlobalMesh()>& make, const LoadOptions& options) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::vector<int> host_of_rank = parallel::hosts_of_all_ranks(comm, parallel::find_placement(comm));

    LoadReport report;
    GlobalMesh whole;
    Cut cut;
    parallel::agree(comm, [&] {
        if (rank != 0) return;
        Stopwatch watch;
        whole = make();
        report.read_seconds = watch.lap();
        whole = order_along_curve(cull(std::move(whole), options.cull, report.cull));
        cut.graph = graph_of(whole);
        report.order_seconds = watch.lap();
        cut_graph(cut, options, size, std::move(host_of_rank), report);
    });
    return finish(comm, cut, options, report, [&](const parallel::Communicator& ranks) {
        int root = ranks.rank();
        parallel::check(MPI_Bcast(&root, 1, MPI_INT, 0, comm), "tell who holds the mesh");
        return distribute(ranks.get(), whole, cut.part, options.layers, root);
    });
}

namespace {

/// The mesh of a file cut along the curve.
LoadedMesh load_along_curve(MPI_Comm comm, const std::string& path, const LoadOptions& options) {
    parallel::agree(comm, [&] {
        base::require(!options.reorder, "mesh", "reorder", "true",
                      "false with the partition \"curve\": no rank knows what all parts exchange");
    });
    const parallel::Placement placement = parallel::find_placement(comm);
    LoadedMesh loaded;
    LoadReport& report = loaded.report;
    parallel::SparseExchange exchange(comm);
    Stopwatch watch;
    Slab slab = read_slab(comm, exchange, path, options.read);
    report.read_seconds = watch.lap();
    const CurvePlaces places = places_along_curve(comm, exchange, slab, options.cull, report.cull);
    report.order_seconds = watch.lap();
    loaded.comm = parallel::Communicator::duplicate(comm);
    loaded.cost.bytes_read = slab.bytes_read;
    const parallel::RowBlocks slabs = slab.cells;
    loaded.mesh = deal(comm, exchange, std::move(slab), places.place, loaded.comm.get(), options.layers);
    report.partition = measure_parts(comm, exchange, slabs, places, placement.host, loaded.mesh);
    report.partition.seconds = report.order_seconds;
    report.host_cut_after_reorder = report.partition.host_cut;
    report.distribute_seconds = watch.lap();
    parallel::check(MPI_Bcast(&report, sizeof(report), MPI_BYTE, 0, comm), "tell all ranks about the mesh");
    loaded.cost.messages = exchange.messages_sent();
    loaded.cost.bytes_sent = exchange.bytes_sent();
    return loaded;
}

}  // namespace

LoadedMesh load_mesh(MPI_Comm comm, const std::string& path, const LoadOptions& options) {
    if (options.method == graph::PartitionMethod::curve) return load_along_curve(comm, path, options);
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::vector<int> host_of_rank = parallel::hosts_of_all_ranks(comm, parallel::find_placement(comm));

    LoadReport report;
    LoadCost cost;
    parallel::SparseExchange exchange(comm);
    Stopwatch watch;
    Slab slab = read_slab(comm, exchange, path, options.read);
    report.read_seconds = watch.lap();
    Outline outline;
    Cut cut;
    parallel::agree(comm, [&] {
        if (rank != 0) return;
        outline = read_outline(path, options.read, options.cull, static_cast<std::int32_t>(slab.cells.rows),
                               slab.outline_sum, report.cull);
        cut.graph = std::move(outline.graph);
        report.order_seconds = watch.lap();
        cut_graph(cut, options, size, std::move(host_of_rank), report);
    });
    cost.bytes_read = slab.bytes_read + outline.bytes_read;
    cost.outline_bytes = outline.bytes_read;
    LoadedMesh loaded = finish(comm, cut, options, report, [&](const parallel::Communicator& ranks) {
        cut.graph = {};
        const std::vector<CellPlace> places = scatter_places(comm, slab.cells, outline, cut.part);
        outline = {};
        return deal(comm, exchange, std::move(slab), places, ranks.get(), options.layers);
    });
    cost.messages = exchange.messages_sent();
    cost.bytes_sent = exchange.bytes_sent();
    loaded.cost = cost;
    return loaded;
}

}  // namespace groundswell::voronoi
