#include "groundswell/graph/cut/metis_cut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "groundswell/graph/cut/metis_call.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/cut/stretches.hpp"
#include "groundswell/graph/subgraphs.hpp"

namespace groundswell::graph {
namespace {

/// The best of several cuts of one graph: parts in pieces or without cells count first, then weight beyond what the slack allows,
/// then the weight of the edges cut; of equals the earliest.
class Choice {
public:
    /// `graph` and its components must outlive the object.
    Choice(const Graph& graph, const std::vector<std::int32_t>& component, const std::vector<double>& share,
           const ByConstraint& slack)
        : graph_(graph),
          component_(component),
          one_host_(share.size(), 0),
          total_(total_weights(graph)),
          least_of_most_(total_.size(), std::numeric_limits<std::int64_t>::max()) {
        for (const double s : share) {
            for (std::size_t k = 0; k < total_.size(); ++k) {
                const double mean = s * static_cast<double>(total_[k]);
                // Whole numbers, with a margin for the rounding of shares.
                most_.push_back(static_cast<std::int64_t>(
                    std::max(std::ceil(mean), std::floor((1.0 + slack[k]) * mean + 1e-6 * mean))));
                least_of_most_[k] = std::min(least_of_most_[k], most_.back());
            }
        }
    }

    /// Joins stray pieces first.
    void offer(std::vector<int> part) {
        const int in_pieces = join_stray_pieces(graph_, component_, one_host_, least_of_most_, part, parts());
        const Faults faults = faults_of(part, in_pieces);
        if (!best_.empty() && faults >= least_) return;
        least_ = faults;
        best_ = std::move(part);
    }

    std::vector<int> take() { return std::move(best_); }

private:
    using Faults = std::tuple<int, double, std::int64_t>;

    int parts() const { return static_cast<int>(one_host_.size()); }

    Faults faults_of(const std::vector<int>& part, int broken) const {
        std::int64_t cut = 0;
        std::vector<char> filled(one_host_.size(), 0);
        for (std::int32_t c = 0; c < graph_.cells(); ++c) {
            filled[part[c]] = 1;
            for (std::int64_t j = graph_.offset[c]; j < graph_.offset[c + 1]; ++j)
                if (part[graph_.neighbour[j]] > part[c]) cut += graph_.weight_across(j);
        }
        broken += static_cast<int>(std::ranges::count(filled, 0));
        const std::vector<std::int64_t> weight = weights_of_parts(graph_, part, parts());
        double too_much = 0.0;
        for (std::size_t k = 0; k < total_.size(); ++k) {
            std::int64_t beyond = 0;
            for (std::size_t i = k; i < weight.size(); i += total_.size())
                beyond += std::max<std::int64_t>(0, weight[i] - most_[i]);
            if (beyond > 0) too_much += static_cast<double>(beyond) / static_cast<double>(total_[k]);
        }
        return {broken, too_much, cut};
    }

    const Graph& graph_;
    const std::vector<std::int32_t>& component_;
    std::vector<int> one_host_;
    std::vector<std::int64_t> total_;          // [constraints]
    std::vector<std::int64_t> most_;           // [parts][constraints]
    std::vector<std::int64_t> least_of_most_;  // [constraints] over parts
    std::vector<int> best_;
    Faults least_{};
};

/// With fewer cells to a part METIS leaves parts empty.
constexpr std::int64_t fewest_cells_per_part = 4;

/// With fewer, the whole cells that each halving is off by add up to a raggeder cut than METIS makes at once.
constexpr std::int64_t fewest_cells_to_halve = 32;

/// Two parts: the best of `tries` cuts. Chance decides much here: where a coast leaves METIS one large piece
/// too many, bringing it to its part frays the cut to several times its length.
std::vector<int> bisect(const Graph& graph, const std::vector<double>& share, const ByConstraint& slack,
                        int tries) {
    const std::vector<std::int32_t> component = components_of(graph);
    const Graph joined = bridge_components(graph, component);
    Choice choice(graph, component, share, slack);
    for (int i = 0; i < tries; ++i)
        choice.offer(
            call_metis(joined, share, slack, i == 0 ? Scheme::connected : Scheme::bisection, first_seed + i));
    return choice.take();
}

/// Remaining tolerance of a half that came out with the weights of `half`.
ByConstraint room_in(const Graph& half, const Graph& whole, double share, const ByConstraint& slack) {
    const std::vector<std::int64_t> all = total_weights(whole), found = total_weights(half);
    ByConstraint room;
    for (std::size_t k = 0; k < slack.size(); ++k) {
        const double fair = share * static_cast<double>(all[k]);
        room.push_back(found[k] == 0
                           ? 0.0
                           : std::max(0.0, (1.0 + slack[k]) * fair / static_cast<double>(found[k]) - 1.0));
    }
    return room;
}

/// Halves, and halves of these, each connected before it is cut further. A large stray piece, which k-way
/// METIS cannot give to another part without upsetting all of them, hardly comes about between two.
std::vector<int> cut_by_halves(const Graph& graph, const std::vector<double>& share,
                               const ByConstraint& slack, int tries) {
    if (share.size() == 1) return std::vector<int>(graph.cells(), 0);
    if (graph.cells() < fewest_cells_to_halve * static_cast<std::int64_t>(share.size()) / 2)
        return stretches(graph, equal_shares(share.size()));  // a side that came out far too small
    // The levels' imbalances multiply; what one leaves of the whole is room for those below it.
    const double levels = std::ceil(std::log2(static_cast<double>(share.size())));
    const auto middle = share.begin() + static_cast<std::ptrdiff_t>(share.size() / 2);
    const double first = std::accumulate(share.begin(), middle, 0.0);
    const double rest = std::accumulate(middle, share.end(), 0.0);
    ByConstraint slack_here;
    for (const double s : slack) slack_here.push_back(std::pow(1.0 + s, 1.0 / levels) - 1.0);
    const std::vector<int> side =
        bisect(graph, {first / (first + rest), rest / (first + rest)}, slack_here, tries);
    if (share.size() == 2) return side;

    const Subgraphs sides(graph, side, 2);
    std::vector<int> part(graph.cells());
    for (int s = 0; s < 2; ++s) {
        const auto cells = sides.cells_of(s);
        const Graph half = sides.graph_of(s);
        const std::vector<double> inner_share(s == 0 ? share.begin() : middle, s == 0 ? middle : share.end());
        const ByConstraint room = room_in(half, graph, (s == 0 ? first : rest) / (first + rest), slack);
        const std::vector<int> inner = cut_by_halves(half, inner_share, room, tries);
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

std::vector<int> cut(const Graph& graph, const std::vector<double>& share, const ByConstraint& slack,
                     const Effort& effort) {
    if (share.size() == 1) return std::vector<int>(graph.cells(), 0);
    const double smallest = *std::ranges::min_element(share) * graph.cells();
    if (smallest < static_cast<double>(fewest_cells_per_part)) return stretches(graph, share);
    const bool halve =
        share.size() <= effort.most_parts_to_halve && smallest >= static_cast<double>(fewest_cells_to_halve);
    // The first try to bisect is the cut at once.
    if (share.size() == 2 && halve) return bisect(graph, share, slack, effort.tries);

    const std::vector<std::int32_t> component = components_of(graph);
    std::vector<int> at_once =
        call_metis(bridge_components(graph, component), share, slack, Scheme::connected, first_seed);
    if (!halve) return at_once;
    Choice choice(graph, component, share, slack);
    choice.offer(std::move(at_once));
    choice.offer(cut_by_halves(graph, share, slack, effort.tries));
    return choice.take();
}

std::vector<double> equal_shares(std::size_t parts) {
    return std::vector<double>(parts, 1.0 / static_cast<double>(parts));
}

}  // namespace groundswell::graph
