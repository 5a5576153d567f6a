#include "groundswell/graph/measure.hpp"

#include <algorithm>

#include "groundswell/graph/cut/balance.hpp"
#include "groundswell/graph/cut/pieces.hpp"

namespace groundswell::graph {
namespace {

/// Calls visit(p, q, weight) for each edge between two parts, once.
template <class Visit>
void for_each_edge_cut(const Graph& graph, const std::vector<int>& part, Visit&& visit) {
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        for (std::int64_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
            const std::int32_t other = graph.neighbour[j];
            if (other > c && part[other] != part[c]) visit(part[c], part[other], graph.weight_across(j));
        }
    }
}

}  // namespace

void measure(const Graph& graph, const std::vector<std::int32_t>& component, const std::vector<int>& host,
             const std::vector<int>& part, PartitionReport& report) {
    for_each_edge_cut(graph, part, [&](int p, int q, std::int64_t weight) {
        ++report.edge_cut;
        report.edge_cut_weight += weight;
        if (host[p] == host[q]) return;
        ++report.host_cut;
        report.host_cut_weight += weight;
    });
    const int parts = static_cast<int>(host.size());
    const ByConstraint mean = mean_weights(graph, host.size());
    const std::vector<std::int64_t> weight = weights_of_parts(graph, part, parts);
    report.constraints = graph.constraints;
    report.imbalance = 0.0;
    for (int k = 0; k < graph.constraints; ++k) {
        std::int64_t heaviest = 0;
        for (int p = 0; p < parts; ++p)
            heaviest = std::max(heaviest, weight[std::int64_t{p} * graph.constraints + k]);
        report.imbalance_of[k] = mean[k] > 0.0 ? static_cast<double>(heaviest) / mean[k] - 1.0 : 0.0;
        report.imbalance = std::max(report.imbalance, report.imbalance_of[k]);
    }
    std::vector<char> filled(host.size(), 0);
    for (const int p : part) filled[p] = 1;
    report.empty_parts = static_cast<int>(std::ranges::count(filled, 0));
    report.disconnected_parts = count_disconnected_parts(graph, component, part, parts);
}

std::int64_t weight_between_hosts(const Graph& graph, const std::vector<int>& host,
                                  const std::vector<int>& part) {
    std::int64_t sum = 0;
    for_each_edge_cut(graph, part, [&](int p, int q, std::int64_t weight) {
        if (host[p] != host[q]) sum += weight;
    });
    return sum;
}

}  // namespace groundswell::graph
