#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/graph/partition.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::cli {

/// What the parts of one partition receive in one exchange.
struct PartTraffic {
    int parts = 0;
    std::string method;
    graph::PartitionReport report;
    parallel::Statistic received_cells, neighbours;  ///< over parts
    double off_host_share = 0.0;                     ///< of the cells received
    std::int64_t links = 0, busiest_host_links = 0;
    double seconds = 0.0;                ///< cutting and, of mapped parts, mapping
    std::int64_t peak_memory_bytes = 0;  ///< of the process so far
};

/// Cuts a graph into one number of parts by one method after the other. The plain cut, which all but
/// two-level start from, is made once.
class Cutter {
public:
    /// `graph` must outlive it. Part p sits on host p / per_host.
    Cutter(const graph::Graph& graph, int parts, int per_host, int layers, double imbalance);

    /// method: plain, two-level, scattered, or mapped (plain parts given to ranks such that neighbours share
    /// a host).
    PartTraffic measure(const std::string& method);

private:
    int parts() const { return static_cast<int>(host_.size()); }
    graph::Partition cut(graph::PartitionMethod method) const;
    graph::Partition make(const std::string& method);
    void count(const graph::Partition& partition, PartTraffic& traffic) const;

    const graph::Graph& graph_;
    int layers_;
    double imbalance_;
    std::vector<int> host_;   // of each part
    graph::Partition plain_;  // empty until it is wanted
};

}  // namespace groundswell::cli
