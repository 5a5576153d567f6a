#include "groundswell/graph/map/part_graph.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/make_unique.hpp"

namespace groundswell::graph {
namespace {

std::span<const std::int32_t> around(const Graph& graph, std::int32_t cell) {
    return std::span(graph.neighbour)
        .subspan(static_cast<std::size_t>(graph.offset[cell]),
                 static_cast<std::size_t>(graph.offset[cell + 1] - graph.offset[cell]));
}

std::uint64_t pair_of(int receiver, int owner) {
    return (static_cast<std::uint64_t>(receiver) << 32) | static_cast<std::uint32_t>(owner);
}

/// For every cell and every other part that has it in its halo: (that part, the cell's part), sorted.
std::vector<std::uint64_t> halo_pairs(const Graph& graph, std::span<const int> part, int layers) {
    std::vector<char> at_rim(part.size());
    for (std::int32_t c = 0; c < graph.cells(); ++c)
        at_rim[c] = std::ranges::any_of(around(graph, c), [&](auto n) { return part[n] != part[c]; });

    std::vector<std::uint64_t> pairs;
    std::vector<int> near;
    const auto note = [&](std::int32_t cell, int own) {
        for (const std::int32_t n : around(graph, cell)) {
            if (part[n] != own) near.push_back(part[n]);
        }
    };
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        near.clear();
        if (at_rim[c]) note(c, part[c]);
        if (layers == 2) {
            // A ring further: only past a cell that has another part around it, or is of one.
            for (const std::int32_t n : around(graph, c)) {
                if (at_rim[n]) note(n, part[c]);
            }
        }
        base::make_unique(near);
        for (const int receiver : near) pairs.push_back(pair_of(receiver, part[c]));
    }
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace

PartGraph graph_of_parts(const Graph& graph, std::span<const int> part, int parts, int layers) {
    GS_ASSERT(layers == 1 || layers == 2);
    GS_ASSERT(part.size() == static_cast<std::size_t>(graph.cells()));
    const std::vector<std::uint64_t> pairs = halo_pairs(graph, part, layers);
    PartGraph result;
    for (std::size_t begin = 0; begin < pairs.size();) {
        std::size_t end = begin;
        while (end < pairs.size() && pairs[end] == pairs[begin]) ++end;
        const int receiver = static_cast<int>(pairs[begin] >> 32);
        while (result.parts() < receiver)
            result.offset.push_back(static_cast<std::int64_t>(result.neighbour.size()));
        result.neighbour.push_back(static_cast<int>(pairs[begin] & 0xffffffffu));
        result.received.push_back(static_cast<std::int64_t>(end - begin));
        begin = end;
    }
    while (result.parts() < parts)
        result.offset.push_back(static_cast<std::int64_t>(result.neighbour.size()));

    // Rows are walked in ascending order, so each row's senders come by in the order of that row.
    result.sent.resize(result.received.size());
    std::vector<std::int64_t> next(result.offset.begin(), result.offset.end() - 1);
    for (int p = 0; p < parts; ++p) {
        for (std::int64_t j = result.offset[p]; j < result.offset[p + 1]; ++j) {
            const std::int64_t mirror = next[result.neighbour[j]]++;
            GS_ASSERT(result.neighbour[mirror] == p);
            result.sent[mirror] = result.received[j];
        }
    }
    return result;
}

}  // namespace groundswell::graph
