#include "groundswell/cli/report/part_traffic.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "groundswell/graph/map/mapping.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::cli {

namespace {

template <class Value>
parallel::Statistic over_parts(int parts, Value&& of_part) {
    parallel::Statistic found{std::numeric_limits<double>::infinity(), 0.0, 0.0};
    for (int p = 0; p < parts; ++p) {
        const auto value = static_cast<double>(of_part(p));
        found.min = std::min(found.min, value);
        found.max = std::max(found.max, value);
        found.mean += value;
    }
    found.mean /= parts;
    return found;
}

}  // namespace

Cutter::Cutter(const CutMesh& mesh, int parts, int per_host, double imbalance, bool wants_matrix)
    : mesh_(mesh), imbalance_(imbalance), wants_matrix_(wants_matrix) {
    for (int p = 0; p < parts; ++p) host_.push_back(p / per_host);
}

PartTraffic Cutter::measure(const std::string& method) {
    const double begin = parallel::now();
    const bool first_plain = plain_.part.empty();
    const graph::Partition partition = make(method);
    PartTraffic traffic;
    traffic.parts = parts();
    traffic.method = method;
    traffic.report = partition.report;
    traffic.seconds = parallel::now() - begin;
    // As if each method had cut for itself.
    if (!first_plain && partition.report.method == graph::PartitionMethod::plain)
        traffic.seconds += plain_.report.seconds;
    count(partition, traffic);
    traffic.peak_memory_bytes = parallel::peak_memory_bytes();
    return traffic;
}

graph::Partition Cutter::cut(graph::PartitionMethod method) const {
    return graph::partition(mesh_.graph, parts(),
                            {method, imbalance_, host_, false, std::max(mesh_.layers, 1), {}});
}

graph::PartGraph Cutter::graph_of(const std::vector<int>& part) const {
    return mesh_.layers == 0 ? graph::graph_of_reads(mesh_.graph, mesh_.rate, part, parts())
                             : graph::graph_of_parts(mesh_.graph, part, parts(), mesh_.layers);
}

graph::Partition Cutter::make(const std::string& method) {
    const bool several_hosts = host_.back() > 0;
    if (method == "curve") return cut(graph::PartitionMethod::curve);
    // On one host two levels are one.
    if (method == "two-level" && several_hosts) return cut(graph::PartitionMethod::two_level);
    if (plain_.part.empty()) plain_ = cut(graph::PartitionMethod::plain);
    graph::Partition partition = plain_;
    if (method == "scattered") partition.part = graph::scattered(std::move(partition.part), parts());
    if (method == "mapped") {
        const graph::PartGraph graph = graph_of(partition.part);
        const std::vector<int> rank = graph::map_parts(graph, host_);
        for (int& p : partition.part) p = rank[p];
    }
    return partition;
}

void Cutter::count(const graph::Partition& partition, PartTraffic& traffic) const {
    const graph::PartGraph graph = graph_of(partition.part);
    traffic.received = over_parts(parts(), [&](int p) {
        std::int64_t received = 0;
        for (std::int64_t j = graph.offset[p]; j < graph.offset[p + 1]; ++j) received += graph.received[j];
        return received;
    });
    traffic.neighbours = over_parts(parts(), [&](int p) { return graph.offset[p + 1] - graph.offset[p]; });
    traffic.messages = traffic.neighbours;
    traffic.imbalance_in_step = graph::imbalance_in_step(mesh_.graph, mesh_.rate, partition.part, parts());
    if (mesh_.layers == 0) {
        const auto messages = graph::messages_received(mesh_.graph, mesh_.rate, partition.part, parts());
        traffic.messages = over_parts(parts(), [&](int p) { return messages[p]; });
    }
    const double all = traffic.received.mean * parts();
    if (all > 0.0)
        traffic.off_host_share = static_cast<double>(graph::cells_between_hosts(graph, host_)) / all;
    traffic.links = graph::links(graph, host_);
    traffic.busiest_host_links = graph::busiest_host_links(graph, host_);
    if (wants_matrix_) traffic.matrix = matrix_of(partition.part, graph);
}

std::vector<MatrixRow> Cutter::matrix_of(const std::vector<int>& part, const graph::PartGraph& graph) const {
    const std::vector<std::int64_t> steps = graph::steps_of_groups(mesh_.graph, mesh_.rate);
    const auto groups = std::ssize(steps);
    std::vector<std::int64_t> work(parts() * groups, 0);
    for (std::int32_t c = 0; c < mesh_.graph.cells(); ++c) {
        const std::int32_t group = mesh_.graph.group_of(c);
        work[part[c] * groups + group] += mesh_.graph.weight(c) / steps[group];
    }
    std::vector<MatrixRow> rows;
    for (int p = 0; p < parts(); ++p)
        for (std::int32_t g = 0; g < groups; ++g) rows.push_back({p, p, g, steps[g], work[p * groups + g]});
    if (mesh_.layers == 0) {
        for (const graph::GroupMessage& message : graph::messages_of_groups(mesh_.graph, mesh_.rate, part))
            rows.push_back({message.to, message.from, message.group, message.times, message.reads});
    } else {
        for (int p = 0; p < parts(); ++p)
            for (std::int64_t j = graph.offset[p]; j < graph.offset[p + 1]; ++j)
                rows.push_back({p, graph.neighbour[j], 0, 1, graph.received[j]});
    }
    return rows;
}

}  // namespace groundswell::cli
