#include "groundswell/quake/mesh/costly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/mesh/extreme.hpp"

namespace groundswell::quake {

namespace {

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
