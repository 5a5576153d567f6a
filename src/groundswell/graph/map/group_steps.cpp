#include "groundswell/graph/map/group_steps.hpp"

#include <algorithm>
#include <compare>

namespace groundswell::graph {

namespace {

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
