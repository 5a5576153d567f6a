#include "groundswell/graph/map/group_steps.hpp"

#include <algorithm>
#include <compare>

#include "groundswell/base/make_unique.hpp"

namespace groundswell::graph {

namespace {

// What a part receives of another in one message: integrals over whole steps, pieces of such for a finer cluster, or sums
// over the steps of a finer one.
enum class Passing { whole, pieces, sums };

struct Message {
    int to, from;
    std::int32_t group;  // of those who write
    Passing passing;

    auto operator<=>(const Message&) const = default;
};

}  // namespace

std::vector<std::int64_t> steps_of_groups(const Graph& graph, int rate) {
    std::vector<std::int64_t> steps(graph.groups(), 1);
    for (auto g = std::ssize(steps) - 1; g > 0; --g) steps[g - 1] = steps[g] * rate;
    return steps;
}

std::vector<std::int64_t> messages_received(const Graph& graph, int rate, std::span<const int> part,
                                            int parts) {
    std::vector<Message> messages;
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        for (const std::int32_t n : graph.around(c)) {
            if (part[n] == part[c]) continue;
            const auto writes = graph.group_of(n), reads = graph.group_of(c);
            messages.push_back({part[c], part[n], writes,
                                writes == reads  ? Passing::whole
                                : writes > reads ? Passing::pieces
                                                 : Passing::sums});
        }
    }
    base::make_unique(messages);
    const auto steps = steps_of_groups(graph, rate);
    std::vector<std::int64_t> received(parts, 0);
    for (const Message& message : messages)
        received[message.to] +=
            message.passing == Passing::sums ? steps[message.group + 1] : steps[message.group];
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
