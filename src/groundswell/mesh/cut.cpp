#include "groundswell/mesh/cut.hpp"

#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/map/reorder.hpp"
#include "groundswell/graph/measure.hpp"
#include "groundswell/mesh/dealer.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::mesh {
namespace {

/// The ranks that the library wants. The hosts of the new ranks are gathered only to tell what they are
/// worth.
parallel::Communicator ask_for_ranks(MPI_Comm comm, const Cut& cut, int layers, DealReport& report) {
    const int rank = parallel::rank_of(comm), size = parallel::size_of(comm);
    const graph::PartGraph parts = parallel::agree(comm, [&] {
        return rank == 0 ? graph::graph_of_parts(cut.graph, cut.part, size, layers) : graph::PartGraph{};
    });
    parallel::Communicator reordered = graph::reorder_ranks(comm, parts);
    const parallel::Placement placement = parallel::find_placement(reordered.get());
    report.moved_ranks =
        static_cast<int>(parallel::sum(comm, std::int64_t{reordered.rank() != rank ? 1 : 0}));
    // A process of the old rank r now has another; rank 0 of the old communicator holds the mesh.
    const std::vector<int> number = parallel::gather(comm, reordered.rank());
    const std::vector<int> host = parallel::gather(comm, placement.host);
    if (rank == 0) {
        std::vector<int> host_of_part(host.size());
        for (std::size_t r = 0; r < host.size(); ++r) host_of_part[number[r]] = host[r];
        report.host_cut_after_reorder = graph::weight_between_hosts(cut.graph, host_of_part, cut.part);
    }
    return reordered;
}

}  // namespace

Cut cut_graph(graph::Graph graph, const DealOptions& options, std::vector<int> host_of_rank,
              DealReport& report) {
    const int parts = static_cast<int>(host_of_rank.size());
    graph::Partition found =
        graph::partition(graph, parts,
                         {options.method, options.imbalance, std::move(host_of_rank), options.map_to_hosts,
                          options.layers, options.other_imbalances});
    report.partition = found.report;
    return {std::move(graph), std::move(found.part)};
}

parallel::Communicator ranks_of_parts(MPI_Comm comm, const Cut& cut, const DealOptions& options,
                                      DealReport& report) {
    report.host_cut_after_reorder = report.partition.host_cut_weight;
    return options.reorder ? ask_for_ranks(comm, cut, options.layers, report)
                           : parallel::Communicator::duplicate(comm);
}

std::vector<CellPlace> scatter_places(MPI_Comm comm, const parallel::RowBlocks& blocks,
                                      std::span<const std::int32_t> row, std::span<const int> part) {
    const int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
    std::vector<CellPlace> all, mine(static_cast<std::size_t>(blocks.length));
    if (rank == 0) {
        all.resize(static_cast<std::size_t>(ranks) * mine.size());
        for (std::size_t c = 0; c < row.size(); ++c) all[row[c]] = {static_cast<std::int32_t>(c), part[c]};
    }
    const int numbers = static_cast<int>(3 * blocks.length);
    static_assert(sizeof(CellPlace) == 3 * sizeof(std::int32_t));
    parallel::check(MPI_Scatter(all.data(), numbers, MPI_INT32_T, mine.data(), numbers, MPI_INT32_T, 0, comm),
                    "tell the ranks where their cells go");
    mine.resize(blocks.mine());
    return mine;
}

void weigh_groups(std::span<const std::int32_t> group, int groups, graph::Graph& graph) {
    GS_ASSERT(groups <= graph::most_constraints);
    graph.constraints = groups;
    graph.cell_weight.assign(group.size() * static_cast<std::size_t>(groups), 0);
    for (std::size_t c = 0; c < group.size(); ++c)
        graph.cell_weight[c * static_cast<std::size_t>(groups) + static_cast<std::size_t>(group[c])] = 1;
}

void weigh_groups(MPI_Comm comm, const parallel::RowBlocks& blocks, std::span<const CellPlace> places,
                  std::span<const std::int32_t> row, int groups, graph::Graph& graph) {
    std::vector<std::int32_t> mine(static_cast<std::size_t>(blocks.length));
    for (std::size_t c = 0; c < places.size(); ++c) mine[c] = places[c].group;
    const std::vector<std::int32_t> all = parallel::gather_rows<std::int32_t>(comm, mine).values;
    if (parallel::rank_of(comm) != 0) return;
    std::vector<std::int32_t> group;
    group.reserve(row.size());
    for (const std::int32_t r : row) group.push_back(all[r]);
    weigh_groups(group, groups, graph);
}

std::vector<int> translate(MPI_Comm ranks, const std::vector<int>& parts, MPI_Comm comm) {
    constexpr auto what = "tell the ranks of parts";
    MPI_Group from = MPI_GROUP_NULL, to = MPI_GROUP_NULL;
    parallel::check(MPI_Comm_group(ranks, &from), what);
    parallel::check(MPI_Comm_group(comm, &to), what);
    std::vector<int> translated(parts.size());
    parallel::check(
        MPI_Group_translate_ranks(from, static_cast<int>(parts.size()), parts.data(), to, translated.data()),
        what);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    return translated;
}

}  // namespace groundswell::mesh
