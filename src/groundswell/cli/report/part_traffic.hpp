#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/graph/map/part_graph.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::cli {

/// Data that one part receives from another in one exchange, `times` times in a step, or (sender = receiver) what it computes by itself.
struct MatrixRow {
    int receiver, sender;
    std::int32_t group;  ///< of those who send
    std::int64_t times;
    std::int64_t
        count;  ///< things in each message; weight of the part's own cells of this group, for each of their steps
};

/// Data that the parts of one partition receive, in things that are received: cells in one exchange, or sides of faces in a step.
struct PartTraffic {
    int parts = 0;
    std::string method;
    graph::PartitionReport report;
    parallel::Statistic received, neighbours;  ///< over parts
    /// Over parts, in one exchange; of clusters from one meeting to the next.
    parallel::Statistic messages;
    double imbalance_in_step = 0.0;  ///< graph::imbalance_in_step()
    double off_host_share = 0.0;     ///< of what is received
    std::int64_t links = 0, busiest_host_links = 0;
    std::vector<MatrixRow> matrix;       ///< where it was asked for
    double seconds = 0.0;                ///< cutting and, of mapped parts, mapping
    std::int64_t peak_memory_bytes = 0;  ///< of the process so far
};

/// A mesh that is cut into parts, and what its parts receive of each other.
struct CutMesh {
    graph::Graph graph;
    int layers =
        0;         ///< rings of halo; 0: cells read from each neighbour by themselves (graph::graph_of_reads)
    int rate = 1;  ///< between the steps of its groups
};

/// Cuts a graph into one number of parts by one method after the other. The plain cut, which all but
/// two-level start from, is made once.
class Cutter {
public:
    /// `mesh` must outlive it. Part p sits on host p / per_host.
    Cutter(const CutMesh& mesh, int parts, int per_host, double imbalance, bool wants_matrix = false);

    /// method: plain, two-level, scattered, or mapped (plain parts given to ranks such that neighbours share
    /// a host).
    PartTraffic measure(const std::string& method);

private:
    int parts() const { return static_cast<int>(host_.size()); }
    graph::Partition cut(graph::PartitionMethod method) const;
    graph::Partition make(const std::string& method);
    graph::PartGraph graph_of(const std::vector<int>& part) const;
    void count(const graph::Partition& partition, PartTraffic& traffic) const;
    std::vector<MatrixRow> matrix_of(const std::vector<int>& part, const graph::PartGraph& graph) const;

    const CutMesh& mesh_;
    double imbalance_;
    bool wants_matrix_;
    std::vector<int> host_;   // of each part
    graph::Partition plain_;  // empty until it is wanted
};

}  // namespace groundswell::cli
