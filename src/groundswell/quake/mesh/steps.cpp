#include "groundswell/quake/mesh/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::quake {

namespace {

struct Speed {
    std::int64_t cell;  // across a face of that whose speed it is
    double vp;
};

// By cell: the greatest factor between its vp and one across its faces.
std::vector<double> contrasts(parallel::SparseExchange& exchange, const tetra::Slab& slab,
                              std::span<const std::array<tetra::Across, 4>> neighbours,
                              std::span<const Material> material) {
    std::vector<Speed> told;
    for (std::size_t c = 0; c < material.size(); ++c) {
        for (const tetra::Across& across : neighbours[c]) {
            if (across.cell >= 0) told.push_back({across.cell, material[c].vp()});
        }
    }
    const auto owner = [&](const Speed& one) { return slab.blocks.owner(one.cell); };
    std::vector<double> contrast(material.size(), 1.0);
    for (const Speed& one : parallel::send_to_owners(exchange, std::move(told), owner)) {
        const auto cell = static_cast<std::size_t>(one.cell - slab.blocks.begin());
        const double own = material[cell].vp();
        contrast[cell] = std::max({contrast[cell], own / one.vp, one.vp / own});
    }
    return contrast;
}

// In which `sign` times the value is smallest.
Extreme find(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value, double sign) {
    parallel::Located mine;
    for (std::size_t c = 0; c < value.size(); ++c)
        mine = parallel::lesser(mine, {sign * value[c], slab.blocks.begin() + static_cast<std::int64_t>(c)});
    const parallel::Located found = parallel::min_located(comm, mine);
    Extreme extreme{sign * found.value, found.id, {}};
    if (found.id >= slab.blocks.begin() && found.id < slab.blocks.end())
        extreme.centre = centre_of(slab.cell[found.id - slab.blocks.begin()]);
    MPI_Allreduce(MPI_IN_PLACE, extreme.centre.data(), 3, MPI_DOUBLE, MPI_SUM, comm);
    return extreme;
}

constexpr std::int64_t few = 20, one_in = 100;  // elements that are worth a word
constexpr double much = 0.2;                    // of the run's updates
constexpr int most_doublings = 40, most_named = 5;

// Elements with steps below `limit`, and which share of the updates there would not be if their steps were as long as that.
struct Share {
    double limit = 0.0, saved = 0.0;
    std::int64_t elements = 0;
};

std::vector<Share> shares(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                          std::span<const std::array<tetra::Across, 4>> neighbours,
                          std::span<const double> step, const ClusterOptions& options,
                          const Clusters& clusters) {
    const graph::ClusterGraph graph = cluster_graph(slab, neighbours);
    std::vector<Share> all;
    double limit =
        parallel::min(comm, step.empty() ? std::numeric_limits<double>::infinity() : std::ranges::min(step));
    const std::int64_t most = std::max(few, slab.blocks.rows / one_in);
    for (int i = 0; i < most_doublings; ++i) {
        limit *= 2.0;
        const auto below = std::ranges::count_if(step, [&](double one) { return one < limit; });
        const std::int64_t elements = parallel::sum(comm, static_cast<std::int64_t>(below));
        if (elements > most || elements == slab.blocks.rows) break;
        std::vector<double> longer;
        for (const double one : step) longer.push_back(std::max(one, limit));
        const Clusters without = graph::find_clusters(comm, exchange, graph, longer, options);
        all.push_back({limit, 1.0 - without.cost() / clusters.cost(), elements});
    }
    return all;
}

// The elements with the shortest steps. Collective.
std::string worst_of(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> step,
                     std::int64_t elements) {
    std::vector<double> left(step.begin(), step.end());
    std::string text;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(elements, most_named); ++i) {
        const Extreme one = find_smallest(comm, slab, left);
        const std::int64_t mine = one.cell - slab.blocks.begin();
        double quality = 0.0;
        if (mine >= 0 && mine < slab.blocks.mine()) {
            quality = tetra::radius_ratio(slab.cell[mine].place);
            left[mine] = std::numeric_limits<double>::infinity();
        }
        quality = parallel::max(comm, quality);
        text += fmt::format("{}cell {} at {:.6g}, {:.6g}, {:.6g} m (step {:.3g} s, quality {:.2g})",
                            i == 0 ? "" : ", ", one.cell, one.centre[0], one.centre[1], one.centre[2],
                            one.value, quality);
    }
    return text + (elements > most_named ? ", …" : "");
}

}  // namespace

graph::ClusterGraph cluster_graph(const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours) {
    std::vector<std::int64_t> row, offset{0};
    std::vector<graph::ClusterGraph::Side> sides;
    for (std::size_t c = 0; c < neighbours.size(); ++c) {
        row.push_back(slab.blocks.begin() + static_cast<std::int64_t>(c));
        for (int f = 0; f < 4; ++f) {
            const std::int64_t across = neighbours[c][f].cell;
            if (across >= 0) sides.push_back({across, tetra::is_fault(slab.cell[c].boundary[f])});
        }
        offset.push_back(static_cast<std::int64_t>(sides.size()));
    }
    return {slab.blocks, row, std::move(offset), sides};
}

std::vector<double> longest_steps(parallel::SparseExchange& exchange, const tetra::Slab& slab,
                                  std::span<const std::array<tetra::Across, 4>> neighbours,
                                  std::span<const Material> material, int order, const StepLimit& limit,
                                  double most) {
    const std::vector<double> contrast = contrasts(exchange, slab, neighbours, material);
    std::vector<double> step;
    for (std::size_t c = 0; c < slab.cell.size(); ++c)
        step.push_back(std::min(most, limit.longest_step(tetra::geometry_of(slab.cell[c].place), material[c],
                                                         order, contrast[c])));
    return step;
}

Clusters choose_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
                         std::span<const std::array<tetra::Across, 4>> neighbours,
                         std::span<const double> step, ClusterOptions options) {
    const graph::ClusterGraph graph = cluster_graph(slab, neighbours);
    if (options.scale == 0.0) options.scale = graph::find_scale(comm, exchange, graph, step, options);
    Clusters clusters = graph::find_clusters(comm, exchange, graph, step, options);
    if (clusters.cells.size() == 1) clusters.rate = 1;
    return clusters;
}

double meeting_seconds(const Clusters& clusters) {
    double seconds = clusters.step;
    for (std::size_t c = 1; c < clusters.cells.size(); ++c) seconds *= clusters.rate;
    return seconds;
}

std::vector<std::int64_t> costs_of(std::span<const tetra::Tetrahedron> cells,
                                   std::span<const Material> material, double face_cost) {
    constexpr std::int64_t whole = 16;
    const std::int64_t of_side = std::llround(0.5 * face_cost * static_cast<double>(whole));
    std::vector<std::int64_t> costs;
    for (std::size_t c = 0; c < cells.size(); ++c)
        costs.push_back((material[c].is_liquid() ? whole / 2 : whole) +
                        of_side * std::ranges::count_if(cells[c].boundary, tetra::is_fault));
    return costs;
}

Extreme find_smallest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value) {
    return find(comm, slab, value, 1.0);
}

Extreme find_largest(MPI_Comm comm, const tetra::Slab& slab, std::span<const double> value) {
    return find(comm, slab, value, -1.0);
}

void warn_of_costly_elements(MPI_Comm comm, parallel::SparseExchange& exchange, const std::string& mesh,
                             const tetra::Slab& slab,
                             std::span<const std::array<tetra::Across, 4>> neighbours,
                             std::span<const double> step, ClusterOptions options, const Clusters& clusters) {
    options.scale = 1.0;
    const auto all = shares(comm, exchange, slab, neighbours, step, options, clusters);
    const auto most = std::ranges::max_element(all, {}, &Share::saved);
    if (most == all.end() || most->saved < much) return;
    // As few elements as make most of it.
    const auto found =
        std::ranges::find_if(all, [&](const Share& share) { return share.saved >= 0.9 * most->saved; });
    const std::string worst = worst_of(comm, slab, step, found->elements);
    if (parallel::rank_of(comm) != 0) return;
    base::log_warning(
        "{}: {} {} {:.0f} % of the run, which is {:.3g} times as expensive as without steps below {:.3g} s: "
        "{}; flat elements (quality far below 1) are mended by `groundswell mesh improve`",
        mesh, found->elements, found->elements == 1 ? "element costs" : "elements cost", 100.0 * found->saved,
        1.0 / (1.0 - found->saved), found->limit, worst);
}

}  // namespace groundswell::quake
