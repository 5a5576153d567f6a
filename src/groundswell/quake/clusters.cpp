#include "groundswell/quake/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

struct Question {
    std::int64_t row;
};

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

// Of power -2: 1/m² is the mean of 1/h².
double mean_height(const tetra::Geometry& geometry) {
    double squares = 0.0;
    for (const double area : geometry.area) squares += area * area;
    return 6.0 * geometry.volume / std::sqrt(squares);
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

double stable_fraction(int order) {
    constexpr double found[] = {0.69, 0.68, 0.65, 0.59, 0.53, 0.48};
    GS_ASSERT(order >= 2 && order <= 7);
    return found[order - 2];
}

double StepLimit::longest_step(const tetra::Geometry& geometry, const Material& material, int order) const {
    const double width = rule == StepRule::own ? 2.0 * geometry.inscribed_radius()
                                               : stable_fraction(order) * 0.5 * mean_height(geometry);
    return courant * width / (material.vp() * (2 * order - 1));
}

Clusters find_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                       std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                       const ClusterOptions& options) {
    GS_ASSERT(options.rate >= 1 && options.scale * options.rate > 1.0 - (options.rate == 1 ? 1.0 : 0.0));
    Clusters clusters;
    clusters.rate = options.rate;
    clusters.step = options.scale * shortest_of(comm, step);
    for (const double one : step) clusters.of.push_back(highest_cluster(one, clusters.step, options));
    clusters.before = count(comm, clusters.of);

    // Cells of other blocks that cells of this one touch.
    std::vector<std::int64_t> others;
    const auto is_mine = [&](std::int64_t cell) {
        return cell >= slab.blocks.begin() && cell < slab.blocks.end();
    };
    for (const auto& cell : neighbours) {
        for (const auto& across : cell) {
            if (across.cell >= 0 && !is_mine(across.cell)) others.push_back(across.cell);
        }
    }
    base::make_unique(others);
    std::vector<Question> questions;
    for (const std::int64_t row : others) questions.push_back({row});
    for (bool lowered = true; lowered;) {
        const auto beyond = parallel::ask_owners<std::int32_t, Question>(
            exchange, slab.blocks, questions,
            [&](const Question& question) { return clusters.of[question.row - slab.blocks.begin()]; });
        const auto cluster_of = [&](std::int64_t cell) {
            if (is_mine(cell)) return clusters.of[cell - slab.blocks.begin()];
            return beyond[std::ranges::lower_bound(others, cell) - others.begin()];
        };
        bool any = false;
        for (bool again = true; again;) {
            again = false;
            for (std::size_t c = 0; c < neighbours.size(); ++c) {
                for (int f = 0; f < 4; ++f) {
                    if (neighbours[c][f].cell < 0) continue;
                    const bool at_fault = tetra::is_fault(slab.cell[c].boundary[f]);
                    const std::int32_t most = cluster_of(neighbours[c][f].cell) + (at_fault ? 0 : 1);
                    if (clusters.of[c] <= most) continue;
                    clusters.of[c] = most;
                    again = any = true;
                }
            }
        }
        lowered = parallel::max(comm, std::int64_t{any}) != 0;
        if (lowered) continue;
        for (std::size_t c = 0; c < neighbours.size(); ++c) {
            clusters.uneven_faces += std::ranges::count_if(neighbours[c], [&](const tetra::Across& across) {
                return across.cell >= 0 && cluster_of(across.cell) < clusters.of[c];
            });
        }
    }
    clusters.uneven_faces = parallel::sum(comm, clusters.uneven_faces);
    clusters.cells = count(comm, clusters.of);
    return clusters;
}

double find_scale(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                  std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
                  ClusterOptions options) {
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
        const double cost = find_clusters(comm, exchange, slab, neighbours, step, options).cost();
        if (cost >= least) continue;
        least = cost;
        best = candidate.scale;
    }
    return best;
}

}  // namespace groundswell::quake
