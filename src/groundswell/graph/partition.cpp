#include "groundswell/graph/partition.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/cut/metis_cut.hpp"
#include "groundswell/graph/cut/pieces.hpp"
#include "groundswell/graph/map/mapping.hpp"
#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/subgraphs.hpp"

namespace groundswell::graph {
namespace {

// Up to here two-level parts are compared with plain ones, mapped: twice the time to cut, seconds at most.
constexpr std::int32_t most_cells_to_compare = 1'000'000;
constexpr int most_parts_to_compare = 1024;

double mean_part(const Graph& graph, std::size_t parts) {
    return static_cast<double>(graph.cells()) / static_cast<double>(parts);
}

std::vector<int> cut_two_level(const Graph& graph, const std::vector<std::int32_t>& sea,
                               const std::vector<int>& host_of_part, double imbalance) {
    const Effort effort = effort_for(graph.cells());
    std::map<int, std::vector<int>> parts_of_host;
    for (std::size_t p = 0; p < host_of_part.size(); ++p)
        parts_of_host[host_of_part[p]].push_back(static_cast<int>(p));
    std::vector<double> share;
    std::vector<const std::vector<int>*> parts_on;
    for (const auto& [host, parts] : parts_of_host) {
        share.push_back(static_cast<double>(parts.size()) / static_cast<double>(host_of_part.size()));
        parts_on.push_back(&parts);
    }
    // The two levels' imbalances multiply; what a host leaves of the whole is room for its parts.
    std::vector<int> host = cut(graph, share, std::sqrt(1.0 + imbalance) - 1.0, effort);
    const std::vector<int> one_host(share.size(), 0);
    const double largest_share = *std::ranges::max_element(share);
    join_stray_pieces(graph, sea, one_host, most_cells(largest_share * graph.cells(), imbalance), host,
                      static_cast<int>(share.size()));
    const double largest_part =
        static_cast<double>(most_cells(mean_part(graph, host_of_part.size()), imbalance));

    const Subgraphs graphs(graph, host, share.size());
    std::vector<int> part(graph.cells());
    for (std::size_t h = 0; h < share.size(); ++h) {
        const auto cells = graphs.cells_of(h);
        const std::size_t parts = parts_on[h]->size();
        const double mean = static_cast<double>(cells.size()) / static_cast<double>(parts);
        const std::vector<int> inner_part = cut(graphs.graph_of(h), equal_shares(parts),
                                                std::max(largest_part, std::ceil(mean)) / mean - 1.0, effort);
        for (std::size_t i = 0; i < cells.size(); ++i) part[cells[i]] = (*parts_on[h])[inner_part[i]];
    }
    join_stray_pieces(graph, sea, host_of_part, static_cast<std::int64_t>(largest_part), part,
                      static_cast<int>(host_of_part.size()));
    return part;
}

std::vector<int> cut_plain(const Graph& graph, const std::vector<std::int32_t>& sea, int parts,
                           double imbalance) {
    const double mean = mean_part(graph, static_cast<std::size_t>(parts));
    const std::int64_t largest_part = most_cells(mean, imbalance);
    std::vector<int> part = cut(graph, equal_shares(static_cast<std::size_t>(parts)),
                                static_cast<double>(largest_part) / mean - 1.0, effort_for(graph.cells()));
    const std::vector<int> anywhere(static_cast<std::size_t>(parts), 0);
    join_stray_pieces(graph, sea, anywhere, largest_part, part, parts);
    return part;
}

/// Numbers the parts for their hosts; the halo cells that then pass between hosts.
std::int64_t map_to_hosts(const Graph& graph, const std::vector<int>& host, int layers,
                          std::vector<int>& part) {
    const PartGraph traffic = graph_of_parts(graph, part, static_cast<int>(host.size()), layers);
    const std::vector<int> rank = map_parts(traffic, host);
    std::vector<int> host_of_part;
    for (const int r : rank) host_of_part.push_back(host[r]);
    for (int& p : part) p = rank[p];
    return cells_between_hosts(traffic, host_of_part);
}

/// Fills in what the report says of the parts themselves.
void measure(const Graph& graph, const std::vector<std::int32_t>& sea, const std::vector<int>& host,
             const std::vector<int>& part, PartitionReport& report) {
    const int parts = static_cast<int>(host.size());
    std::vector<std::int64_t> size(parts, 0);
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        const int mine = part[c];
        ++size[mine];
        for (std::int32_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
            const int other = part[graph.neighbour[j]];
            if (graph.neighbour[j] < c || other == mine) continue;
            ++report.edge_cut;
            if (host[other] != host[mine]) ++report.host_cut;
        }
    }
    const double mean = mean_part(graph, host.size());
    report.imbalance =
        graph.cells() == 0 ? 0.0 : static_cast<double>(*std::ranges::max_element(size)) / mean - 1.0;
    report.empty_parts = static_cast<int>(std::ranges::count(size, 0));
    report.disconnected_parts = count_disconnected_parts(graph, sea, part, parts);
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

PartitionMethod partition_method(std::string_view text, std::string_view where, std::string_view key) {
    for (const auto method :
         {PartitionMethod::two_level, PartitionMethod::plain, PartitionMethod::scattered}) {
        if (text == name(method)) return method;
    }
    base::refuse(where, key, text, "two-level, plain or scattered");
}

std::string_view name(PartitionMethod method) {
    switch (method) {
        case PartitionMethod::two_level:
            return "two-level";
        case PartitionMethod::plain:
            return "plain";
        case PartitionMethod::scattered:
            return "scattered";
    }
    GS_ASSERT(false);
}

Partition partition(const Graph& graph, int parts, const PartitionOptions& options) {
    GS_ASSERT(parts >= 1 && options.imbalance >= 0.0);
    GS_ASSERT(options.host_of_part.empty() || static_cast<int>(options.host_of_part.size()) == parts);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<int> host =
        options.host_of_part.empty() ? std::vector<int>(parts, 0) : options.host_of_part;
    const bool several_hosts = std::ranges::any_of(host, [&](int h) { return h != host[0]; });

    Partition result;
    PartitionReport& report = result.report;
    report.method = options.method;
    if (report.method == PartitionMethod::two_level && !several_hosts) report.method = PartitionMethod::plain;
    const std::vector<std::int32_t> sea = seas_of(graph);
    if (report.method == PartitionMethod::two_level) {
        result.part = cut_two_level(graph, sea, host, options.imbalance);
        if (graph.cells() <= most_cells_to_compare && parts <= most_parts_to_compare) {
            // Few parts on few hosts: regions of hosts may have long borders that plain parts do without.
            const auto parts_in_pieces = [&](const std::vector<int>& part) {
                return count_disconnected_parts(graph, sea, part, parts);
            };
            std::vector<int> plain = cut_plain(graph, sea, parts, options.imbalance);
            const std::int64_t between = map_to_hosts(graph, host, options.layers, result.part);
            const std::int64_t between_plain = map_to_hosts(graph, host, options.layers, plain);
            if (std::pair(parts_in_pieces(plain), between_plain) <
                std::pair(parts_in_pieces(result.part), between)) {
                report.method = PartitionMethod::plain;
                report.mapped = true;
                result.part = std::move(plain);
            }
        }
    } else {
        result.part = cut_plain(graph, sea, parts, options.imbalance);
        report.mapped = report.method == PartitionMethod::plain && several_hosts && options.map_to_hosts;
        if (report.method == PartitionMethod::scattered)
            result.part = scattered(std::move(result.part), parts);
        if (report.mapped) map_to_hosts(graph, host, options.layers, result.part);
    }
    measure(graph, sea, host, result.part, report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace groundswell::graph
