// Assignment of parts to ranks: neighbouring parts belong on one host. Pure functions: no MPI here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/map/part_graph.hpp"

namespace groundswell::graph {

/// Pairs of neighbouring parts on different hosts; part p is computed on host_of_part[p] (any numbers).
std::int64_t links(const PartGraph& parts, std::span<const int> host_of_part);

/// Links of the host that has most; a link counts on both of its hosts.
std::int64_t busiest_host_links(const PartGraph& parts, std::span<const int> host_of_part);

/// Halo cells, or their weight, that pass between hosts in one exchange.
std::int64_t cells_between_hosts(const PartGraph& parts, std::span<const int> host_of_part);

/// The rank for each part, each rank once, such that few halo cells pass between hosts and then, of equals,
/// the busiest host has few links. Rank r sits on host_of_rank[r] (any numbers); on a host parts ascend with
/// ranks. Parts are gathered into hosts twice, as they are numbered and by METIS (multilevel bisection of the
/// graph of parts), brought to the exact numbers of ranks, and improved by exchanging two parts as long as
/// that gains; the better of the two is taken. Never worse than part p on rank p. The same result for the
/// same arguments, every time. Seconds for 32 768 parts.
///
/// After J. Pang et al. 2025 (Geosci. Model Dev. 18, figures 1 and 2), who leave this to the MPI library.
std::vector<int> map_parts(const PartGraph& parts, std::span<const int> host_of_rank);

}  // namespace groundswell::graph
