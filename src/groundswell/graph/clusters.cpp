#include "groundswell/graph/clusters.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::graph {

namespace {

std::vector<std::int64_t> count(MPI_Comm comm, std::span<const std::int32_t> cluster) {
    std::int64_t highest = 0;
    for (const std::int32_t c : cluster) highest = std::max<std::int64_t>(highest, c);
    std::vector<std::int64_t> cells(static_cast<std::size_t>(parallel::max(comm, highest)) + 1, 0);
    for (const std::int32_t c : cluster) ++cells[c];
    MPI_Allreduce(MPI_IN_PLACE, cells.data(), static_cast<int>(cells.size()), MPI_INT64_T, MPI_SUM, comm);
    return cells;
}

double shortest_of(MPI_Comm comm, std::span<const double> step) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const double one : step) shortest = std::min(shortest, one);
    return parallel::min(comm, shortest);
}

// The highest cluster that a cell's longest step allows where cluster 0 takes steps of `first` seconds.
std::int32_t highest_cluster(double step, double first, const ClusterOptions& options) {
    std::int32_t cluster = 0;
    double next = first * options.rate;
    while (options.rate > 1 && step >= next && cluster + 1 < options.most) {
        ++cluster;
        next *= options.rate;
    }
    return cluster;
}

double cost_of(std::span<const std::int64_t> cells, double step, int rate) {
    double cost = 0.0;
    for (const std::int64_t some : cells) {
        cost += static_cast<double>(some) / step;
        step *= rate;
    }
    return cost;
}

}  // namespace

double Clusters::updates_of_cell(std::int64_t ticks) const {
    double updates = 0.0, all = 0.0, times = static_cast<double>(ticks);
    for (const std::int64_t count : cells) {
        updates += static_cast<double>(count) * times;
        all += static_cast<double>(count);
        times /= rate;
    }
    return updates / all;
}

double Clusters::cost() const {
    return cost_of(cells, step, rate);
}

ClusterGraph::ClusterGraph(const parallel::RowBlocks& blocks, std::span<const std::int64_t> row,
                           std::vector<std::int64_t> offset, std::span<const Side> sides)
    : blocks_(blocks), cell_of_row_(blocks.mine(), -1), offset_(std::move(offset)) {
    const auto is_mine = [&](std::int64_t r) { return r >= blocks_.begin() && r < blocks_.end(); };
    for (std::size_t c = 0; c < row.size(); ++c)
        cell_of_row_[row[c] - blocks_.begin()] = static_cast<std::int32_t>(c);
    std::vector<std::int64_t> others;
    for (const Side& side : sides)
        if (!is_mine(side.row)) others.push_back(side.row);
    base::make_unique(others);
    for (const std::int64_t other : others) questions_.push_back({other});
    for (const Side& side : sides) {
        const bool mine = is_mine(side.row);
        const std::int64_t place = mine ? cell_of_row_[side.row - blocks_.begin()]
                                        : std::ranges::lower_bound(others, side.row) - others.begin();
        GS_ASSERT(place >= 0);
        near_.push_back({static_cast<std::int32_t>(place), side.together ? 0 : 1, !mine});
    }
}

std::int64_t ClusterGraph::lower(MPI_Comm comm, parallel::SparseExchange& exchange,
                                 std::vector<std::int32_t>& cluster) const {
    std::vector<std::int32_t> changed(cluster.size());
    std::iota(changed.begin(), changed.end(), 0);
    std::vector<std::int32_t> beyond;
    const auto across = [&](const Near& near) {
        return near.elsewhere ? beyond[near.cell] : cluster[near.cell];
    };
    for (bool lowered = true; lowered;) {
        lower_within(cluster, changed);
        beyond = parallel::ask_owners<std::int32_t, Question>(
            exchange, blocks_, questions_,
            [&](const Question& question) { return cluster[cell_of_row_[question.row - blocks_.begin()]]; });
        changed.clear();
        for (std::size_t c = 0; c < cluster.size(); ++c) {
            const std::int32_t before = cluster[c];
            for (const Near& near : around(c))
                if (near.elsewhere) cluster[c] = std::min(cluster[c], beyond[near.cell] + near.more);
            if (cluster[c] < before) changed.push_back(static_cast<std::int32_t>(c));
        }
        lowered = parallel::max(comm, std::int64_t{!changed.empty()}) != 0;
    }
    std::int64_t uneven = 0;
    for (std::size_t c = 0; c < cluster.size(); ++c)
        uneven +=
            std::ranges::count_if(around(c), [&](const Near& near) { return across(near) < cluster[c]; });
    return parallel::sum(comm, uneven);
}

// What cells that have changed do to the others of the block, the lowest first, so that hardly any is lowered twice.
void ClusterGraph::lower_within(std::vector<std::int32_t>& cluster,
                                std::span<const std::int32_t> changed) const {
    std::vector<std::vector<std::int32_t>> due;  // by cluster
    const auto add = [&](std::int32_t cell) {
        const auto at = static_cast<std::size_t>(cluster[cell]);
        if (due.size() <= at) due.resize(at + 1);
        due[at].push_back(cell);
    };
    for (const std::int32_t cell : changed) add(cell);
    for (std::size_t at = 0; at < due.size(); ++at) {
        for (std::size_t i = 0; i < due[at].size(); ++i) {
            const std::int32_t cell = due[at][i];
            if (cluster[cell] != static_cast<std::int32_t>(at)) continue;
            for (const Near& near : around(cell)) {
                if (near.elsewhere || cluster[near.cell] <= cluster[cell] + near.more) continue;
                cluster[near.cell] = cluster[cell] + near.more;
                add(near.cell);
            }
        }
    }
}

Clusters find_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const ClusterGraph& graph,
                       std::span<const double> step, const ClusterOptions& options) {
    GS_ASSERT(options.rate >= 1 && options.scale * options.rate > 1.0 - (options.rate == 1 ? 1.0 : 0.0));
    Clusters clusters;
    clusters.rate = options.rate;
    clusters.step = options.scale * shortest_of(comm, step);
    clusters.of.reserve(step.size());
    for (const double one : step) clusters.of.push_back(highest_cluster(one, clusters.step, options));
    clusters.before = count(comm, clusters.of);
    clusters.uneven_sides = graph.lower(comm, exchange, clusters.of);
    clusters.cells = count(comm, clusters.of);
    return clusters;
}

double find_scale(MPI_Comm comm, parallel::SparseExchange& exchange, const ClusterGraph& graph,
                  std::span<const double> step, ClusterOptions options) {
    if (options.rate == 1) return 1.0;
    // What each candidate costs at least: minding neighbours only lowers clusters.
    struct Candidate {
        double scale, least;
    };
    std::vector<Candidate> candidates;
    for (int hundredth = 100; hundredth * options.rate > 100; --hundredth)
        candidates.push_back({hundredth / 100.0, 0.0});
    const auto most = static_cast<std::size_t>(options.most);
    std::vector<std::int64_t> cells(candidates.size() * most, 0);
    const double shortest = shortest_of(comm, step);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        for (const double one : step)
            ++cells[i * most + highest_cluster(one, candidates[i].scale * shortest, options)];
    }
    MPI_Allreduce(MPI_IN_PLACE, cells.data(), static_cast<int>(cells.size()), MPI_INT64_T, MPI_SUM, comm);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        candidates[i].least =
            cost_of(std::span(cells).subspan(i * most, most), candidates[i].scale * shortest, options.rate);
    std::ranges::stable_sort(candidates, {}, &Candidate::least);

    double best = 1.0, least = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates) {
        if (candidate.least >= least) break;
        options.scale = candidate.scale;
        const double cost = find_clusters(comm, exchange, graph, step, options).cost();
        if (cost >= least) continue;
        least = cost;
        best = candidate.scale;
    }
    return best;
}

}  // namespace groundswell::graph
