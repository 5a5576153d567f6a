// The best of several cuts of one graph. Used by the partitioner.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "groundswell/graph/cut/balance.hpp"
#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// Keeps the best: parts in pieces or without cells count first, then weight beyond what the slack allows,
/// then the weight of the edges cut; of equals the earliest.
class Choice {
public:
    /// `graph` and its components must outlive the object.
    Choice(const Graph& graph, const std::vector<std::int32_t>& component, const std::vector<double>& share,
           const ByConstraint& slack);

    /// Joins stray pieces first.
    void offer(std::vector<int> part);
    std::vector<int> take() { return std::move(best_); }

private:
    using Faults = std::tuple<int, double, std::int64_t>;

    int parts() const { return static_cast<int>(one_host_.size()); }
    Faults faults_of(const std::vector<int>& part, int broken) const;

    const Graph& graph_;
    const std::vector<std::int32_t>& component_;
    std::vector<int> one_host_;
    std::vector<std::int64_t> total_;          // [constraints]
    std::vector<std::int64_t> most_;           // [parts][constraints]
    std::vector<std::int64_t> least_of_most_;  // [constraints] over parts
    std::vector<int> best_;
    Faults least_{};
};

}  // namespace groundswell::graph
