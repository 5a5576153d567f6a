#include "groundswell/graph/partition.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/curve/stretch.hpp"
#include "groundswell/graph/cut/balance.hpp"
#include "groundswell/graph/cut/metis_cut.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/map/mapping.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/measure.hpp"
#include "groundswell/graph/subgraphs.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::graph {
namespace {

constexpr std::array<std::pair<PartitionMethod, std::string_view>, 5> names = {
    {{PartitionMethod::two_level, "two-level"},
     {PartitionMethod::plain, "plain"},
     {PartitionMethod::scattered, "scattered"},
     {PartitionMethod::curve, "curve"},
     {PartitionMethod::file, "file"}}};

// Up to here two-level parts are compared with plain ones, mapped: twice the time to cut, seconds at most.
constexpr std::int32_t most_cells_to_compare = 1'000'000;
constexpr int most_parts_to_compare = 1024;

ByConstraint imbalances(const Graph& graph, const PartitionOptions& options) {
    ByConstraint imbalance(static_cast<std::size_t>(graph.constraints), options.imbalance);
    for (std::size_t k = 1; k < imbalance.size() && k <= options.other_imbalances.size(); ++k)
        imbalance[k] = options.other_imbalances[k - 1];
    return imbalance;
}

/// The parts of each host, and their share of the whole.
struct HostParts {
    std::vector<std::vector<int>> parts;
    std::vector<double> share;

    explicit HostParts(const std::vector<int>& host_of_part) {
        std::map<int, std::vector<int>> of_host;
        for (std::size_t p = 0; p < host_of_part.size(); ++p)
            of_host[host_of_part[p]].push_back(static_cast<int>(p));
        for (auto& [host, own] : of_host) {
            share.push_back(static_cast<double>(own.size()) / static_cast<double>(host_of_part.size()));
            parts.push_back(std::move(own));
        }
    }
};

std::vector<int> cut_into_hosts(const Graph& graph, const std::vector<std::int32_t>& component,
                                const std::vector<double>& share, const ByConstraint& imbalance) {
    // The two levels' imbalances multiply; what a host leaves of the whole is room for its parts.
    ByConstraint slack, mean;
    for (const double i : imbalance) slack.push_back(std::sqrt(1.0 + i) - 1.0);
    std::vector<int> host = cut(graph, share, slack, effort_for(graph.cells()));
    const double largest_share = *std::ranges::max_element(share);
    for (const std::int64_t total : total_weights(graph))
        mean.push_back(largest_share * static_cast<double>(total));
    const std::vector<int> one_host(share.size(), 0);
    join_stray_pieces(graph, component, one_host, most_weights(graph, mean, imbalance), host,
                      static_cast<int>(share.size()));
    return host;
}

std::vector<int> cut_two_level(const Graph& graph, const std::vector<std::int32_t>& component,
                               const std::vector<int>& host_of_part, const ByConstraint& imbalance) {
    const HostParts hosts(host_of_part);
    const std::vector<int> host = cut_into_hosts(graph, component, hosts.share, imbalance);
    const std::vector<std::int64_t> most =
        most_weights(graph, mean_weights(graph, host_of_part.size()), imbalance);

    const Subgraphs graphs(graph, host, hosts.share.size());
    std::vector<int> part(graph.cells());
    for (std::size_t h = 0; h < hosts.share.size(); ++h) {
        const auto cells = graphs.cells_of(h);
        const std::size_t parts = hosts.parts[h].size();
        const Graph inner = graphs.graph_of(h);
        const ByConstraint mean = mean_weights(inner, parts);
        std::vector<std::int64_t> most_here = most;
        for (std::size_t k = 0; k < mean.size(); ++k)
            most_here[k] = std::max(most[k], static_cast<std::int64_t>(std::ceil(mean[k])));
        const std::vector<int> inner_part =
            cut(inner, equal_shares(parts), slack_over(mean, most_here), effort_for(graph.cells()));
        for (std::size_t i = 0; i < cells.size(); ++i) part[cells[i]] = hosts.parts[h][inner_part[i]];
    }
    join_stray_pieces(graph, component, host_of_part, most, part, static_cast<int>(host_of_part.size()));
    return part;
}

std::vector<int> cut_plain(const Graph& graph, const std::vector<std::int32_t>& component, int parts,
                           const ByConstraint& imbalance) {
    const ByConstraint mean = mean_weights(graph, static_cast<std::size_t>(parts));
    const std::vector<std::int64_t> most = most_weights(graph, mean, imbalance);
    std::vector<int> part = cut(graph, equal_shares(static_cast<std::size_t>(parts)), slack_over(mean, most),
                                effort_for(graph.cells()));
    const std::vector<int> anywhere(parts, 0);
    join_stray_pieces(graph, component, anywhere, most, part, parts);
    return part;
}

/// Numbers the parts for their hosts; what then passes between hosts.
std::int64_t map_to_hosts(const Graph& graph, const std::vector<int>& host, int layers,
                          std::vector<int>& part) {
    const PartGraph traffic = graph_of_parts(graph, part, static_cast<int>(host.size()), layers);
    const std::vector<int> rank = map_parts(traffic, host);
    std::vector<int> host_of_part;
    for (const int r : rank) host_of_part.push_back(host[r]);
    for (int& p : part) p = rank[p];
    return cells_between_hosts(traffic, host_of_part);
}

}  // namespace

std::vector<int> scattered(std::vector<int> part, int parts) {
    // A Fisher-Yates shuffle with a generator written out, so that every library gives the same.
    std::vector<int> name(parts);
    std::iota(name.begin(), name.end(), 0);
    std::uint64_t state = 1;
    for (int i = parts - 1; i > 0; --i) {
        state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
        std::swap(name[i], name[(state >> 33) % static_cast<std::uint64_t>(i + 1)]);
    }
    for (int& p : part) p = name[p];
    return part;
}

Partition partition(const Graph& graph, int parts, const PartitionOptions& options) {
    GS_ASSERT(parts >= 1 && options.imbalance >= 0.0);
    GS_ASSERT(graph.constraints >= 1 && graph.constraints <= most_constraints);
    GS_ASSERT(graph.cell_weight.empty()
                  ? graph.constraints == 1
                  : graph.cell_weight.size() == static_cast<std::size_t>(graph.cells()) * graph.constraints);
    GS_ASSERT(graph.edge_weight.empty() || graph.edge_weight.size() == graph.neighbour.size());
    GS_ASSERT(options.host_of_part.empty() || static_cast<int>(options.host_of_part.size()) == parts);
    const double start = parallel::now();
    const std::vector<int> host =
        options.host_of_part.empty() ? std::vector<int>(parts, 0) : options.host_of_part;
    const bool several_hosts = std::ranges::any_of(host, [&](int h) { return h != host[0]; });

    Partition result;
    PartitionReport& report = result.report;
    report.method = options.method;
    if (report.method == PartitionMethod::two_level && !several_hosts) report.method = PartitionMethod::plain;
    const std::vector<std::int32_t> component = components_of(graph);
    const ByConstraint imbalance = imbalances(graph, options);
    if (report.method == PartitionMethod::two_level) {
        result.part = cut_two_level(graph, component, host, imbalance);
        if (graph.cells() <= most_cells_to_compare && parts <= most_parts_to_compare) {
            // Few parts on few hosts: regions of hosts may have long borders that plain parts do without.
            const auto parts_in_pieces = [&](const std::vector<int>& part) {
                return count_disconnected_parts(graph, component, part, parts);
            };
            std::vector<int> plain = cut_plain(graph, component, parts, imbalance);
            const std::int64_t between = map_to_hosts(graph, host, options.layers, result.part);
            const std::int64_t between_plain = map_to_hosts(graph, host, options.layers, plain);
            if (std::pair(parts_in_pieces(plain), between_plain) <
                std::pair(parts_in_pieces(result.part), between)) {
                report.method = PartitionMethod::plain;
                report.mapped = true;
                result.part = std::move(plain);
            }
        }
    } else if (report.method == PartitionMethod::curve) {
        result.part = cut_along(graph, parts);
    } else {
        result.part = cut_plain(graph, component, parts, imbalance);
        report.mapped = report.method == PartitionMethod::plain && several_hosts && options.map_to_hosts;
        if (report.method == PartitionMethod::scattered)
            result.part = scattered(std::move(result.part), parts);
        if (report.mapped) map_to_hosts(graph, host, options.layers, result.part);
    }
    measure(graph, component, host, result.part, report);
    report.seconds = parallel::now() - start;
    return result;
}

PartitionMethod partition_method(std::string_view text, std::string_view where, std::string_view key) {
    for (const auto& [method, name] : names)
        if (text == name && method != PartitionMethod::file) return method;
    base::refuse(where, key, text, "two-level, plain, curve or scattered");
}

std::string_view name(PartitionMethod wanted) {
    for (const auto& [method, name] : names)
        if (method == wanted) return name;
    GS_ASSERT(false);
}

}  // namespace groundswell::graph
