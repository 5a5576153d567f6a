#include "groundswell/mesh/partition.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/local_mesh.hpp"
#include "groundswell/mesh/mapping.hpp"
#include "groundswell/mesh/metis_cut.hpp"
#include "groundswell/mesh/part_graph.hpp"
#include "groundswell/mesh/pieces.hpp"

namespace groundswell::mesh {
namespace {

double mean_part(const Graph& graph, std::size_t parts) {
    return static_cast<double>(graph.cells()) / static_cast<double>(parts);
}

/// One host's cells, and the graph among them. Made of all hosts' cells sorted once, so that all hosts
/// together cost no more than the graph.
class HostGraphs {
public:
    HostGraphs(const Graph& graph, const std::vector<int>& host, std::size_t hosts)
        : graph_(graph), host_(host), begin_(hosts + 1, 0), cells_(host.size()), number_(host.size()) {
        for (const int h : host) ++begin_[h + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
        for (std::int32_t c = 0; c < graph.cells(); ++c) {
            const int h = host[c];
            number_[c] = static_cast<std::int32_t>(next[h] - begin_[h]);
            cells_[next[h]++] = c;
        }
    }

    /// Ascending.
    std::span<const std::int32_t> cells_of(std::size_t h) const {
        return std::span(cells_).subspan(begin_[h], begin_[h + 1] - begin_[h]);
    }
    Graph graph_of(std::size_t h) const {
        Graph inner;
        for (const std::int32_t c : cells_of(h)) {
            for (std::int32_t j = graph_.offset[c]; j < graph_.offset[c + 1]; ++j) {
                const std::int32_t n = graph_.neighbour[j];
                if (host_[n] == static_cast<int>(h)) inner.neighbour.push_back(number_[n]);
            }
            inner.offset.push_back(static_cast<std::int32_t>(inner.neighbour.size()));
        }
        return inner;
    }

private:
    const Graph& graph_;
    const std::vector<int>& host_;
    std::vector<std::int64_t> begin_;   // [hosts + 1]
    std::vector<std::int32_t> cells_;   // by host
    std::vector<std::int32_t> number_;  // [cells] among its host's
};

std::vector<int> cut_two_level(const Graph& graph, const std::vector<int>& host_of_part, double imbalance) {
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
    std::vector<int> host = cut(graph, share, std::sqrt(1.0 + imbalance) - 1.0);
    const std::vector<int> one_host(share.size(), 0);
    const double largest_share = *std::ranges::max_element(share);
    join_stray_pieces(graph, seas_of(graph), one_host, most_cells(largest_share * graph.cells(), imbalance),
                      host, static_cast<int>(share.size()));
    const double largest_part =
        static_cast<double>(most_cells(mean_part(graph, host_of_part.size()), imbalance));

    const HostGraphs graphs(graph, host, share.size());
    std::vector<int> part(graph.cells());
    for (std::size_t h = 0; h < share.size(); ++h) {
        const auto cells = graphs.cells_of(h);
        const std::size_t parts = parts_on[h]->size();
        const double mean = static_cast<double>(cells.size()) / static_cast<double>(parts);
        const std::vector<int> inner_part = cut(graphs.graph_of(h), equal_shares(parts),
                                                std::max(largest_part, std::ceil(mean)) / mean - 1.0);
        for (std::size_t i = 0; i < cells.size(); ++i) part[cells[i]] = (*parts_on[h])[inner_part[i]];
    }
    return part;
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

Graph graph_of(const GlobalMesh& mesh) {
    Graph graph;
    graph.offset.reserve(mesh.lon.size() + 1);
    graph.neighbour.reserve(mesh.neighbour.size());
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            if (mesh.neighbour[j] != coast) graph.neighbour.push_back(mesh.neighbour[j]);
        }
        graph.offset.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
    }
    return graph;
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
    const bool two_level = report.method == PartitionMethod::two_level;
    const double mean = mean_part(graph, host.size());
    const std::int64_t largest_part = most_cells(mean, options.imbalance);
    result.part = two_level
                      ? cut_two_level(graph, host, options.imbalance)
                      : cut(graph, equal_shares(host.size()), static_cast<double>(largest_part) / mean - 1.0);

    const std::vector<std::int32_t> sea = seas_of(graph);
    const std::vector<int> anywhere(host.size(), 0);
    join_stray_pieces(graph, sea, two_level ? host : anywhere, largest_part, result.part, parts);
    if (report.method == PartitionMethod::scattered) result.part = scattered(std::move(result.part), parts);
    report.mapped = report.method == PartitionMethod::plain && several_hosts && options.map_to_hosts;
    if (report.mapped) {
        const PartGraph traffic = graph_of_parts(graph, result.part, parts, options.layers);
        const std::vector<int> rank = map_parts(traffic, host);
        for (int& p : result.part) p = rank[p];
    }
    measure(graph, sea, host, result.part, report);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace groundswell::mesh
