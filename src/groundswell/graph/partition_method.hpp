// Methods of partitioning a graph, by name.
#pragma once

#include <string_view>

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

}  // namespace groundswell::graph
