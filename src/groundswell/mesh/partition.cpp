#include "groundswell/mesh/partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/local_mesh.hpp"
#include "groundswell/mesh/pieces.hpp"

namespace groundswell::mesh {
namespace {

/// With fewer cells to a part METIS leaves parts empty.
constexpr std::int64_t fewest_cells_per_part = 4;

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
Graph bridge_seas(const Graph& graph) {
    const std::vector<std::int32_t> sea = seas_of(graph);
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

/// Parts with the given shares of the cells.
std::vector<int> cut(const Graph& graph, const std::vector<double>& share, double imbalance) {
    const auto parts = static_cast<idx_t>(share.size());
    if (parts == 1) return std::vector<int>(graph.cells(), 0);
    const double smallest = *std::ranges::min_element(share);
    if (smallest * graph.cells() < static_cast<double>(fewest_cells_per_part))
        return stretches(graph.cells(), share);

    static_assert(sizeof(idx_t) == sizeof(std::int32_t) && sizeof(int) == sizeof(std::int32_t),
                  "METIS built with 64-bit indices needs its own copy of the graph");
    const Graph joined = bridge_seas(graph);
    // No part can be closer to the mean than whole cells allow; asking for more makes METIS cut ragged parts.
    const double mean = smallest * graph.cells();
    const double allowed = std::ceil((1.0 + imbalance) * mean) / mean - 1.0;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 20240906;
    options[METIS_OPTION_CONTIG] = 1;
    options[METIS_OPTION_UFACTOR] = std::max<idx_t>(1, static_cast<idx_t>(std::lround(1000.0 * allowed)));
    idx_t cells = graph.cells(), constraints = 1, edge_cut = 0, part_count = parts;
    std::vector<real_t> weight(share.begin(), share.end());
    std::vector<int> part(graph.cells());
    // METIS takes its input by plain pointers and does not write to it.
    const int status =
        METIS_PartGraphKway(&cells, &constraints, const_cast<idx_t*>(joined.offset.data()),
                            const_cast<idx_t*>(joined.neighbour.data()), nullptr, nullptr, nullptr,
                            &part_count, weight.data(), nullptr, options, &edge_cut, part.data());
    if (status == METIS_ERROR_MEMORY) throw base::RunFailure("METIS: not enough memory to cut the mesh");
    GS_ASSERT(status == METIS_OK);
    return part;
}

std::vector<double> equal_shares(std::size_t parts) {
    return std::vector<double>(parts, 1.0 / static_cast<double>(parts));
}

/// The cells with part[c] == wanted, and the graph among them.
Graph subgraph(const Graph& graph, const std::vector<int>& part, int wanted,
               std::vector<std::int32_t>& cells) {
    cells.clear();
    std::vector<std::int32_t> number(graph.cells(), -1);
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        if (part[c] != wanted) continue;
        number[c] = static_cast<std::int32_t>(cells.size());
        cells.push_back(c);
    }
    Graph inner;
    for (const std::int32_t c : cells) {
        for (std::int32_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
            if (number[graph.neighbour[j]] >= 0) inner.neighbour.push_back(number[graph.neighbour[j]]);
        }
        inner.offset.push_back(static_cast<std::int32_t>(inner.neighbour.size()));
    }
    return inner;
}

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
    // The two levels' imbalances multiply.
    const double per_level = std::sqrt(1.0 + imbalance) - 1.0;
    std::vector<int> host = cut(graph, share, per_level);
    const std::vector<int> one_host(share.size(), 0);
    const double largest_share = *std::ranges::max_element(share);
    const auto most_cells =
        static_cast<std::int64_t>(std::ceil((1.0 + imbalance) * largest_share * graph.cells()));
    join_stray_pieces(graph, seas_of(graph), one_host, most_cells, host, static_cast<int>(share.size()));

    std::vector<int> part(graph.cells());
    std::vector<std::int32_t> cells;
    for (std::size_t h = 0; h < share.size(); ++h) {
        const Graph inner = subgraph(graph, host, static_cast<int>(h), cells);
        const std::vector<int> inner_part = cut(inner, equal_shares(parts_on[h]->size()), per_level);
        for (std::size_t i = 0; i < cells.size(); ++i) part[cells[i]] = (*parts_on[h])[inner_part[i]];
    }
    return part;
}

/// New name of each part by a Fisher-Yates shuffle with a generator written out, so that every library gives
/// the same.
void scatter(std::vector<int>& part, int parts) {
    std::vector<int> name(parts);
    std::iota(name.begin(), name.end(), 0);
    std::uint64_t state = 1;
    for (int i = parts - 1; i > 0; --i) {
        state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
        std::swap(name[i], name[(state >> 33) % static_cast<std::uint64_t>(i + 1)]);
    }
    for (int& p : part) p = name[p];
}

}  // namespace

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
    result.part = two_level ? cut_two_level(graph, host, options.imbalance)
                            : cut(graph, equal_shares(parts), options.imbalance);

    const std::vector<std::int32_t> sea = seas_of(graph);
    const double mean = static_cast<double>(graph.cells()) / parts;
    const auto most_cells = static_cast<std::int64_t>(std::ceil((1.0 + options.imbalance) * mean));
    const std::vector<int> anywhere(parts, 0);
    join_stray_pieces(graph, sea, two_level ? host : anywhere, most_cells, result.part, parts);
    if (report.method == PartitionMethod::scattered) scatter(result.part, parts);

    std::vector<std::int64_t> size(parts, 0);
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        const int mine = result.part[c];
        ++size[mine];
        for (std::int32_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
            const int other = result.part[graph.neighbour[j]];
            if (graph.neighbour[j] < c || other == mine) continue;
            ++report.edge_cut;
            if (host[other] != host[mine]) ++report.host_cut;
        }
    }
    report.imbalance =
        graph.cells() == 0 ? 0.0 : static_cast<double>(*std::ranges::max_element(size)) / mean - 1.0;
    report.empty_parts = static_cast<int>(std::ranges::count(size, 0));
    report.disconnected_parts = count_disconnected_parts(graph, sea, result.part, parts);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace groundswell::mesh
