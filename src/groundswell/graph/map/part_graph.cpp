#include "groundswell/graph/map/part_graph.hpp"

#include <algorithm>
#include <compare>
#include <utility>

#include "groundswell/base/errors.hpp"

namespace groundswell::graph {
namespace {

/// A cell in the halo of a part.
struct HaloCell {
    std::uint64_t pair;   // the part and the cell's own part
    std::int64_t weight;  // of what passes
};

std::uint64_t pair_of(int receiver, int owner) {
    return (static_cast<std::uint64_t>(receiver) << 32) | static_cast<std::uint32_t>(owner);
}

/// Every cell once for each other part that has it in its halo, sorted by pairs.
std::vector<HaloCell> halo_cells(const Graph& graph, std::span<const int> part, int layers) {
    std::vector<char> at_rim(part.size());
    for (std::int32_t c = 0; c < graph.cells(); ++c)
        at_rim[c] = std::ranges::any_of(graph.around(c), [&](auto n) { return part[n] != part[c]; });

    std::vector<HaloCell> halo;
    std::vector<std::pair<int, std::int64_t>> near;  // part, weight of the edge that leads into it
    const auto note = [&](std::int32_t cell, int own) {
        for (std::int64_t j = graph.offset[cell]; j < graph.offset[cell + 1]; ++j) {
            const int other = part[graph.neighbour[j]];
            if (other != own) near.emplace_back(other, graph.weight_across(j));
        }
    };
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        near.clear();
        if (at_rim[c]) note(c, part[c]);
        if (layers == 2) {
            // A ring further: only past a cell that has another part around it, or is of one.
            for (const std::int32_t n : graph.around(c))
                if (at_rim[n]) note(n, part[c]);
        }
        std::ranges::sort(near);
        for (std::size_t i = 0; i < near.size(); ++i) {
            const bool heaviest = i + 1 == near.size() || near[i + 1].first != near[i].first;
            if (heaviest) halo.push_back({pair_of(near[i].first, part[c]), near[i].second});
        }
    }
    std::ranges::sort(halo, {}, &HaloCell::pair);
    return halo;
}

/// Adds up what is sorted by pairs.
PartGraph gather(std::span<const HaloCell> halo, int parts) {
    PartGraph result;
    for (std::size_t begin = 0, end = 0; begin < halo.size(); begin = end) {
        std::int64_t weight = 0;
        for (end = begin; end < halo.size() && halo[end].pair == halo[begin].pair; ++end)
            weight += halo[end].weight;
        const int receiver = static_cast<int>(halo[begin].pair >> 32);
        while (result.parts() < receiver)
            result.offset.push_back(static_cast<std::int64_t>(result.neighbour.size()));
        result.neighbour.push_back(static_cast<int>(halo[begin].pair & 0xffffffffu));
        result.received.push_back(weight);
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

// What a part receives of another in one message: integrals over whole steps, pieces of such for a finer cluster, or sums
// over the steps of a finer one.
enum class Passing { whole, pieces, sums };

// One read of a cell of another part.
struct Read {
    int to, from;
    std::int32_t group;  // of those who write
    Passing passing;
    std::int32_t reader;  // group of the cell that reads

    auto operator<=>(const Read&) const = default;
    bool same_message(const Read& other) const {
        return to == other.to && from == other.from && group == other.group && passing == other.passing;
    }
};

}  // namespace

PartGraph graph_of_parts(const Graph& graph, std::span<const int> part, int parts, int layers) {
    GS_ASSERT(layers == 1 || layers == 2);
    GS_ASSERT(part.size() == static_cast<std::size_t>(graph.cells()));
    return gather(halo_cells(graph, part, layers), parts);
}

PartGraph graph_of_reads(const Graph& graph, int rate, std::span<const int> part, int parts) {
    GS_ASSERT(part.size() == static_cast<std::size_t>(graph.cells()));
    const std::vector<std::int64_t> steps = steps_of_groups(graph, rate);
    std::vector<HaloCell> reads;
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        for (const std::int32_t n : graph.around(c))
            if (part[n] != part[c]) reads.push_back({pair_of(part[c], part[n]), steps[graph.group_of(c)]});
    }
    std::ranges::sort(reads, {}, &HaloCell::pair);
    return gather(reads, parts);
}

std::vector<std::int64_t> steps_of_groups(const Graph& graph, int rate) {
    std::vector<std::int64_t> steps(graph.groups(), 1);
    for (auto g = std::ssize(steps) - 1; g > 0; --g) steps[g - 1] = steps[g] * rate;
    return steps;
}

std::vector<GroupMessage> messages_of_groups(const Graph& graph, int rate, std::span<const int> part) {
    std::vector<Read> reads;
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        for (const std::int32_t n : graph.around(c)) {
            if (part[n] == part[c]) continue;
            const auto writer = graph.group_of(n), reader = graph.group_of(c);
            reads.push_back({part[c], part[n], writer,
                             writer == reader  ? Passing::whole
                             : writer > reader ? Passing::pieces
                                               : Passing::sums,
                             reader});
        }
    }
    std::ranges::sort(reads);
    const auto steps = steps_of_groups(graph, rate);
    std::vector<GroupMessage> messages;
    for (std::size_t begin = 0, end = 0; begin < reads.size(); begin = end) {
        const Read& first = reads[begin];
        std::int64_t all = 0;
        for (end = begin; end < reads.size() && reads[end].same_message(first); ++end)
            all += steps[reads[end].reader];
        const std::int64_t times =
            first.passing == Passing::sums ? steps[first.group + 1] : steps[first.group];
        messages.push_back({first.to, first.from, first.group, times, all / times});
    }
    return messages;
}

std::vector<std::int64_t> messages_received(const Graph& graph, int rate, std::span<const int> part,
                                            int parts) {
    std::vector<std::int64_t> received(parts, 0);
    for (const GroupMessage& message : messages_of_groups(graph, rate, part))
        received[message.to] += message.times;
    return received;
}

double imbalance_in_step(const Graph& graph, int rate, std::span<const int> part, int parts) {
    const auto steps = steps_of_groups(graph, rate);
    const auto groups = std::ssize(steps);
    std::vector<double> cost(parts * groups, 0.0);  // of one step
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        const std::int32_t group = graph.group_of(c);
        cost[part[c] * groups + group] +=
            static_cast<double>(graph.weight(c)) / static_cast<double>(steps[group]);
    }
    double longest = 0.0, all = 0.0;
    for (std::int64_t tick = 0; tick < steps[0]; ++tick) {
        double slowest = 0.0;
        for (int p = 0; p < parts; ++p) {
            double work = 0.0;
            for (std::int64_t g = 0; g < groups; ++g) {
                const std::int64_t ticks = steps[0] / steps[g];
                const int halves = (tick % ticks == 0) + ((tick + 1) % ticks == 0);
                work += halves * cost[p * groups + g];
            }
            slowest = std::max(slowest, work);
            all += work;
        }
        longest += slowest;
    }
    return longest * parts / all - 1.0;
}

}  // namespace groundswell::graph
