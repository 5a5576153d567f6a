#include "groundswell/cli/report/volume_report.hpp"

#include <fmt/format.h>

#include <iterator>

#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;

}  // namespace

nlohmann::json partitions_json(const std::vector<PartTraffic>& measured, double bytes) {
    nlohmann::json partitions = nlohmann::json::array();
    for (const PartTraffic& traffic : measured)
        partitions.push_back(
            {{"parts", traffic.parts},
             {"method", traffic.method},
             {"imbalance", traffic.report.imbalance},
             {"edge_cut", traffic.report.edge_cut},
             {"disconnected_parts", traffic.report.disconnected_parts},
             {"received_bytes", simulation::statistic_json(traffic.received, bytes)},
             {"received_mib", simulation::statistic_json(traffic.received, bytes / mebibyte)},
             {"neighbours", simulation::statistic_json(traffic.neighbours)},
             {"messages", simulation::statistic_json(traffic.messages)},
             {"imbalance_in_step", traffic.imbalance_in_step},
             {"off_host_share", traffic.off_host_share},
             {"links", traffic.links},
             {"busiest_host_links", traffic.busiest_host_links},
             {"seconds", traffic.seconds},
             {"peak_memory_bytes", traffic.peak_memory_bytes}});
    return partitions;
}

void write_matrix(const std::string& path, const std::vector<PartTraffic>& measured) {
    fmt::memory_buffer lines;
    fmt::format_to(std::back_inserter(lines), "partition,receiver,sender,cluster,times,count\n");
    for (std::size_t i = 0; i < measured.size(); ++i) {
        for (const MatrixRow& row : measured[i].matrix)
            fmt::format_to(std::back_inserter(lines), "{},{},{},{},{},{}\n", i, row.receiver, row.sender,
                           row.group, row.times, row.count);
    }
    simulation::replace_file(path, {lines.data(), lines.size()});
}

std::string volume_table(const std::vector<PartTraffic>& measured, double bytes) {
    std::string text = fmt::format("{:>7} {:<10}{:>11}{:>11}{:>11}{:>12}{:>10}{:>10}{:>9}{:>11}{:>9}\n",
                                   "parts", "method", "MiB min", "mean", "max", "neighbours", "off host",
                                   "links", "busiest", "imbalance", "seconds");
    const double unit = bytes / mebibyte;
    for (const PartTraffic& traffic : measured) {
        const parallel::Statistic& received = traffic.received;
        text += fmt::format(
            "{:>7} {:<10}{:>11.2f}{:>11.2f}{:>11.2f}{:>12.1f}{:>8.1f} %{:>10}{:>9}{:>9.1f} %{:>9.1f}\n",
            traffic.parts, traffic.method, received.min * unit, received.mean * unit, received.max * unit,
            traffic.neighbours.mean, 100.0 * traffic.off_host_share, traffic.links,
            traffic.busiest_host_links, 100.0 * traffic.report.imbalance, traffic.seconds);
    }
    for (const PartTraffic& traffic : measured) {
        if (traffic.report.disconnected_parts > 0)
            text += fmt::format("{} of {} parts ({}) are in several pieces\n",
                                traffic.report.disconnected_parts, traffic.parts, traffic.method);
    }
    return text;
}

}  // namespace groundswell::cli
