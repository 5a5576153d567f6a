// Cutting the graph of cells into parts, one for each rank. Pure functions of graph and parts: no MPI here.
#pragma once

#include <array>
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
    /// Consecutive stretches of equal weight of the cells' order, which is that of a space-filling curve.
    /// Ranks find them together, from the cells that each holds (curve/curve.hpp); no rank needs the graph of
    /// the whole mesh.
    curve,
    file,  ///< cut beforehand, and read from a file (mesh/voronoi/parts/part_file.hpp): nothing is cut
};

/// The method of cutting with this name in case files, "two-level", and back; throws base::Refusal naming `where` and `key` for
/// anything else.
PartitionMethod partition_method(std::string_view name, std::string_view where = "case",
                                 std::string_view key = "mesh.partition");
std::string_view name(PartitionMethod method);

inline constexpr int most_constraints = 16;

struct PartitionOptions {
    PartitionMethod method = PartitionMethod::two_level;
    /// Heaviest part over the mean, minus 1, to the next whole cell, or the second one: with less room METIS
    /// cuts ragged parts (40 cells to a part and one of room: a fifth more halo). Below 1 % parts fall to
    /// pieces. A part that is one heavy cell may weigh more.
    double imbalance = 0.02;
    /// Host of each part (part p is computed by rank p), any numbers; empty: all on one host.
    std::vector<int> host_of_part;
    /// Plain parts on several hosts: number them so that neighbours share hosts (mapping.hpp). The other
    /// methods do not: two-level has it by construction, scattered is there to show what its lack costs.
    bool map_to_hosts = false;
    int layers = 1;  ///< rings of halo that the mapping counts
    /// Imbalances of the graph's constraints after the first; those that are missing are as the first.
    std::vector<double> other_imbalances{};
};

struct PartitionReport {
    /// The method that was used: two-level on one host is plain, as it is where mapped plain parts were better.
    PartitionMethod method = PartitionMethod::plain;
    bool mapped = false;               ///< plain parts were numbered for their hosts
    std::int64_t edge_cut = 0;         ///< pairs of neighbouring cells in different parts
    std::int64_t host_cut = 0;         ///< of these, on different hosts
    std::int64_t edge_cut_weight = 0;  ///< weights of the edges between different parts
    std::int64_t host_cut_weight = 0;  ///< between different hosts
    double imbalance = 0.0;            ///< heaviest part over the mean, minus 1; of the worst constraint
    int constraints = 1;               ///< of the graph
    std::array<double, most_constraints> imbalance_of{};  ///< of each constraint
    int disconnected_parts = 0;                           ///< parts in several pieces inside one component
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
/// and, few parts (64, or 16 of more than a million cells), also by halves, whichever cuts less weight of
/// edges: into parts that are connected inside each component; stray pieces that are left join the parts
/// around them where that keeps the balance. Every constraint is balanced, each within its imbalance (Karypis
/// and Kumar 1998, doi:10.1109/SC.1998.10018). Where parts have fewer than four cells, they are consecutive
/// stretches of the cells' order. The same result for the same arguments, every time. Parts may be more than
/// cells: some are then empty.
Partition partition(const Graph& graph, int parts, const PartitionOptions& options = {});

}  // namespace groundswell::graph
