#include "groundswell/graph/cut/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/graph/cut/pieces.hpp"

namespace groundswell::graph {

Choice::Choice(const Graph& graph, const std::vector<std::int32_t>& component,
               const std::vector<double>& share, const ByConstraint& slack)
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

void Choice::offer(std::vector<int> part) {
    const int in_pieces = join_stray_pieces(graph_, component_, one_host_, least_of_most_, part, parts());
    const Faults faults = faults_of(part, in_pieces);
    if (!best_.empty() && faults >= least_) return;
    least_ = faults;
    best_ = std::move(part);
}

Choice::Faults Choice::faults_of(const std::vector<int>& part, int broken) const {
    std::int64_t cut = 0;
    std::vector<char> filled(one_host_.size(), 0);
    for (std::int32_t c = 0; c < graph_.cells(); ++c) {
        filled[part[c]] = 1;
        for (std::int64_t j = graph_.offset[c]; j < graph_.offset[c + 1]; ++j) {
            if (part[graph_.neighbour[j]] > part[c]) cut += graph_.weight_across(j);
        }
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

}  // namespace groundswell::graph
