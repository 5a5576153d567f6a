// Cutting the graph of cells into parts, one for each rank. Pure functions of graph and parts: no MPI here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

enum class PartitionMethod {
    /// First into hosts, then each host's cells into its ranks: least traffic between hosts. Up to a million
    /// cells and 1024 parts plain parts, mapped, are cut as well and taken where less passes between hosts.
    two_level,
    plain,      ///< straight into ranks
    scattered,  ///< the plain parts dealt to ranks at random (fixed seed): what a careless placement costs
};

/// "two-level", "plain" or "scattered"; throws base::Refusal naming `where` and `key` for anything else.
PartitionMethod partition_method(std::string_view name, std::string_view where = "case",
                                 std::string_view key = "mesh.partition");
std::string_view name(PartitionMethod method);

struct PartitionOptions {
    PartitionMethod method = PartitionMethod::two_level;
    /// Largest part over the mean, minus 1, to the next whole cell, or the second one: with less room METIS
    /// cuts ragged parts (40 cells to a part and one of room: a fifth more halo). Below 1 % parts fall to
    /// pieces.
    double imbalance = 0.02;
    /// Host of each part (part p is computed by rank p), any numbers; empty: all on one host.
    std::vector<int> host_of_part;
    /// Plain parts on several hosts: number them so that neighbours share hosts (mapping.hpp). The other
    /// methods do not: two-level has it by construction, scattered is there to show what its lack costs.
    bool map_to_hosts = false;
    int layers = 1;  ///< rings of halo that the mapping counts
};

struct PartitionReport {
    /// What was done: two-level on one host is plain, as it is where mapped plain parts were better.
    PartitionMethod method = PartitionMethod::plain;
    bool mapped = false;         ///< plain parts were numbered for their hosts
    std::int64_t edge_cut = 0;   ///< pairs of neighbouring cells in different parts
    std::int64_t host_cut = 0;   ///< of these, on different hosts
    double imbalance = 0.0;      ///< largest part over the mean, minus 1
    int disconnected_parts = 0;  ///< parts in several pieces inside one sea
    int empty_parts = 0;
    double seconds = 0.0;
};

struct Partition {
    std::vector<int> part;  ///< [cells], 0 .. parts - 1
    PartitionReport report;
};

/// The same parts dealt to other numbers at random, the same for the same number of parts every time.
std::vector<int> scattered(std::vector<int> part, int parts);

/// Cuts the graph with METIS' multilevel k-way method (Karypis and Kumar 1998, doi:10.1137/S1064827595287997)
/// and, few parts (64, or 16 of more than a million cells), also by halves, whichever cuts fewer pairs of
/// cells apart: into parts that are connected inside each sea; stray pieces that are left join the parts
/// around them where that keeps the balance. Where parts have fewer than four cells, they are consecutive
/// stretches of the cells' order. The same result for the same arguments, every time. Parts may be more than
/// cells: some are then empty.
Partition partition(const Graph& graph, int parts, const PartitionOptions& options = {});

}  // namespace groundswell::graph
