#include "groundswell/graph/cut/metis_cut.hpp"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/subgraphs.hpp"

namespace groundswell::graph {
namespace {

/// With fewer cells to a part METIS leaves parts empty.
constexpr std::int64_t fewest_cells_per_part = 4;

/// With fewer, the whole cells that each halving is off by add up to a raggeder cut than METIS makes at once.
constexpr std::int64_t fewest_cells_to_halve = 32;

constexpr idx_t first_seed = 20240906;

/// Consecutive stretches whose lengths are proportional to `share` (of sum 1), to the nearest cell.
std::vector<int> stretches(std::int32_t cells, const std::vector<double>& share) {
    std::vector<int> part(cells);
    double reached = 0.0;
    std::int32_t begin = 0;
    for (std::size_t p = 0; p < share.size(); ++p) {
        reached += share[p];
        const bool last = p + 1 == share.size();
        const auto end = last ? cells : static_cast<std::int32_t>(std::lround(reached * cells));
        for (std::int32_t c = begin; c < end; ++c) part[c] = static_cast<int>(p);
        begin = std::max(begin, end);
    }
    return part;
}

/// The graph with each sea but the first tied by one edge to an earlier one, so that METIS can be asked for
/// connected parts (it ends the program if the graph is not connected). The seas then form a tree, so a part
/// that is connected in this graph is connected inside every sea of the old one.
Graph bridge_seas(const Graph& graph, const std::vector<std::int32_t>& sea) {
    std::vector<std::pair<std::int32_t, std::int32_t>> bridges;  // both ways
    std::int32_t seas = 0;
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        if (sea[c] < seas) continue;
        // The lowest cell of a sea: the cell before it belongs to an earlier sea, and is near on the curve.
        if (seas > 0) bridges.insert(bridges.end(), {{c, c - 1}, {c - 1, c}});
        ++seas;
    }
    if (bridges.empty()) return graph;
    std::ranges::sort(bridges);
    Graph joined;
    joined.neighbour.reserve(graph.neighbour.size() + bridges.size());
    auto bridge = bridges.begin();
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        joined.neighbour.insert(joined.neighbour.end(), graph.neighbour.begin() + graph.offset[c],
                                graph.neighbour.begin() + graph.offset[c + 1]);
        for (; bridge != bridges.end() && bridge->first == c; ++bridge)
            joined.neighbour.push_back(bridge->second);
        joined.offset.push_back(static_cast<std::int32_t>(joined.neighbour.size()));
    }
    return joined;
}

enum class Scheme {
    connected,  ///< k-way, and METIS brings each part's pieces together
    bisection,  ///< recursive; parts may be in pieces
};

/// One call of METIS. `joined` is connected.
std::vector<int> call_metis(const Graph& joined, const std::vector<double>& share, double slack,
                            Scheme scheme, idx_t seed) {
    static_assert(sizeof(idx_t) == sizeof(std::int32_t) && sizeof(int) == sizeof(std::int32_t),
                  "METIS built with 64-bit indices needs its own copy of the graph");
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = seed;
    if (scheme == Scheme::connected) options[METIS_OPTION_CONTIG] = 1;
    options[METIS_OPTION_UFACTOR] = std::max<idx_t>(1, static_cast<idx_t>(std::lround(1000.0 * slack)));
    idx_t cells = joined.cells(), constraints = 1, edge_cut = 0;
    auto parts = static_cast<idx_t>(share.size());
    std::vector<real_t> weight(share.begin(), share.end());
    std::vector<int> part(joined.cells());
    const auto method = scheme == Scheme::connected ? METIS_PartGraphKway : METIS_PartGraphRecursive;
    // METIS takes its input by plain pointers and does not write to it.
    const int status = method(&cells, &constraints, const_cast<idx_t*>(joined.offset.data()),
                              const_cast<idx_t*>(joined.neighbour.data()), nullptr, nullptr, nullptr, &parts,
                              weight.data(), nullptr, options, &edge_cut, part.data());
    if (status == METIS_ERROR_MEMORY) throw base::RunFailure("METIS: not enough memory to cut the mesh");
    GS_ASSERT(status == METIS_OK);
    return part;
}

/// Keeps the best of several cuts of one graph: parts in pieces or without cells count first, then cells
/// beyond what the slack allows, then pairs of neighbours cut apart; of equals the earliest.
class Choice {
public:
    /// `graph` and its seas must outlive the object.
    Choice(const Graph& graph, const std::vector<std::int32_t>& sea, const std::vector<double>& share,
           double slack)
        : graph_(graph), sea_(sea), one_host_(share.size(), 0) {
        for (const double s : share) {
            const double mean = s * graph.cells();
            // Whole cells, with a margin for the rounding of shares.
            most_.push_back(static_cast<std::int64_t>(
                std::max(std::ceil(mean), std::floor((1.0 + slack) * mean + 1e-6 * mean))));
        }
    }

    void offer(std::vector<int> part) {
        const int in_pieces =
            join_stray_pieces(graph_, sea_, one_host_, *std::ranges::min_element(most_), part, parts());
        const Faults faults = faults_of(part, in_pieces);
        if (!best_.empty() && faults >= least_) return;
        least_ = faults;
        best_ = std::move(part);
    }
    std::vector<int> take() { return std::move(best_); }

private:
    using Faults = std::tuple<int, std::int64_t, std::int64_t>;

    int parts() const { return static_cast<int>(most_.size()); }

    Faults faults_of(const std::vector<int>& part, int broken) const {
        std::vector<std::int64_t> room = most_;
        std::int64_t pairs = 0, too_many = 0;
        for (std::int32_t c = 0; c < graph_.cells(); ++c) {
            --room[part[c]];
            for (std::int32_t j = graph_.offset[c]; j < graph_.offset[c + 1]; ++j)
                pairs += part[graph_.neighbour[j]] > part[c];
        }
        for (int p = 0; p < parts(); ++p) {
            too_many += std::max<std::int64_t>(0, -room[p]);
            broken += room[p] == most_[p];
        }
        return {broken, too_many, pairs};
    }

    const Graph& graph_;
    const std::vector<std::int32_t>& sea_;
    std::vector<int> one_host_;
    std::vector<std::int64_t> most_;  // cells of each part
    std::vector<int> best_;
    Faults least_{};
};

/// Two parts: the best of `tries` cuts. Chance decides much here: where a coast leaves METIS one large piece
/// too many, bringing it to its part frays the cut to several times its length.
std::vector<int> bisect(const Graph& graph, const std::vector<double>& share, double slack, int tries) {
    const std::vector<std::int32_t> sea = seas_of(graph);
    const Graph joined = bridge_seas(graph, sea);
    Choice choice(graph, sea, share, slack);
    for (int i = 0; i < tries; ++i)
        choice.offer(
            call_metis(joined, share, slack, i == 0 ? Scheme::connected : Scheme::bisection, first_seed + i));
    return choice.take();
}

/// Halves, and halves of these, each connected before it is cut further. A large stray piece, which k-way
/// METIS cannot give to another part without upsetting all of them, hardly comes about between two.
std::vector<int> cut_by_halves(const Graph& graph, const std::vector<double>& share, double slack,
                               int tries) {
    if (share.size() == 1) return std::vector<int>(graph.cells(), 0);
    if (graph.cells() < fewest_cells_to_halve * static_cast<std::int64_t>(share.size()) / 2)
        return stretches(graph.cells(), equal_shares(share.size()));  // a side that came out far too small
    // The levels' imbalances multiply; what one leaves of the whole is room for those below it.
    const double levels = std::ceil(std::log2(static_cast<double>(share.size())));
    const auto middle = share.begin() + static_cast<std::ptrdiff_t>(share.size() / 2);
    const double first = std::accumulate(share.begin(), middle, 0.0);
    const double rest = std::accumulate(middle, share.end(), 0.0);
    const std::vector<int> side = bisect(graph, {first / (first + rest), rest / (first + rest)},
                                         std::pow(1.0 + slack, 1.0 / levels) - 1.0, tries);
    if (share.size() == 2) return side;

    const Subgraphs sides(graph, side, 2);
    std::vector<int> part(graph.cells());
    for (int s = 0; s < 2; ++s) {
        const auto cells = sides.cells_of(s);
        std::vector<double> inner_share(s == 0 ? share.begin() : middle, s == 0 ? middle : share.end());
        const double fair = (s == 0 ? first : rest) / (first + rest) * graph.cells();
        const double room = std::max(0.0, (1.0 + slack) * fair / static_cast<double>(cells.size()) - 1.0);
        const std::vector<int> inner = cut_by_halves(sides.graph_of(s), inner_share, room, tries);
        for (std::size_t i = 0; i < cells.size(); ++i)
            part[cells[i]] = inner[i] + (s == 0 ? 0 : static_cast<int>(middle - share.begin()));
    }
    return part;
}

}  // namespace

Effort effort_for(std::int32_t cells) {
    constexpr std::int32_t small_mesh = 1'000'000;
    return cells <= small_mesh ? Effort{4, 64} : Effort{2, 16};
}

std::vector<int> cut(const Graph& graph, const std::vector<double>& share, double slack,
                     const Effort& effort) {
    if (share.size() == 1) return std::vector<int>(graph.cells(), 0);
    const double smallest = *std::ranges::min_element(share) * graph.cells();
    if (smallest < static_cast<double>(fewest_cells_per_part)) return stretches(graph.cells(), share);
    const bool halve =
        share.size() <= effort.most_parts_to_halve && smallest >= static_cast<double>(fewest_cells_to_halve);
    // The first try to bisect is the cut at once.
    if (share.size() == 2 && halve) return bisect(graph, share, slack, effort.tries);

    const std::vector<std::int32_t> sea = seas_of(graph);
    std::vector<int> at_once =
        call_metis(bridge_seas(graph, sea), share, slack, Scheme::connected, first_seed);
    if (!halve) return at_once;
    Choice choice(graph, sea, share, slack);
    choice.offer(std::move(at_once));
    choice.offer(cut_by_halves(graph, share, slack, effort.tries));
    return choice.take();
}

std::int64_t most_cells(double mean, double imbalance) {
    const auto wanted = static_cast<std::int64_t>(std::ceil((1.0 + imbalance) * mean));
    return std::max(wanted, static_cast<std::int64_t>(std::floor(mean)) + 2);
}

std::vector<double> equal_shares(std::size_t parts) {
    return std::vector<double>(parts, 1.0 / static_cast<double>(parts));
}

}  // namespace groundswell::graph
