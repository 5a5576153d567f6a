#include "groundswell/graph/map/mapping.hpp"

#include <metis.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/map/swap_refinement.hpp"

namespace groundswell::graph {
namespace {

/// Calls visit(p, j) for each link, once: neighbour j of part p is on another host.
template <class Visit>
void for_each_link(const PartGraph& parts, std::span<const int> host, Visit&& visit) {
    for (int p = 0; p < parts.parts(); ++p) {
        for (std::int64_t j = parts.offset[p]; j < parts.offset[p + 1]; ++j)
            if (parts.neighbour[j] > p && host[parts.neighbour[j]] != host[p]) visit(p, j);
    }
}

/// Hosts as METIS cuts the graph of parts, with about as many parts as each host has ranks.
std::vector<int> gathered_by_metis(const PartGraph& parts, std::span<const int> ranks_of_host) {
    idx_t part_count = parts.parts(), hosts = static_cast<idx_t>(ranks_of_host.size()), constraints = 1,
          edge_cut = 0;
    std::vector<idx_t> offset(parts.offset.begin(), parts.offset.end()), weight;
    std::vector<idx_t> neighbour(parts.neighbour.begin(), parts.neighbour.end());
    std::int64_t heaviest = 1;
    for (std::size_t j = 0; j < neighbour.size(); ++j)
        heaviest = std::max(heaviest, parts.received[j] + parts.sent[j]);
    // METIS adds weights up in its own integers.
    constexpr std::int64_t most = std::numeric_limits<idx_t>::max() / 64;
    const double factor = heaviest > most ? static_cast<double>(most) / static_cast<double>(heaviest) : 1.0;
    for (std::size_t j = 0; j < neighbour.size(); ++j)
        weight.push_back(std::max<idx_t>(
            1, static_cast<idx_t>(factor * static_cast<double>(parts.received[j] + parts.sent[j]))));
    std::vector<real_t> share;
    for (const int ranks : ranks_of_host)
        share.push_back(static_cast<real_t>(ranks) / static_cast<real_t>(part_count));
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 20240906;
    std::vector<idx_t> host(part_count);
    const int status = METIS_PartGraphRecursive(&part_count, &constraints, offset.data(), neighbour.data(),
                                                nullptr, nullptr, weight.data(), &hosts, share.data(),
                                                nullptr, options, &edge_cut, host.data());
    if (status == METIS_ERROR_MEMORY) throw base::RunFailure("METIS: not enough memory to map parts");
    GS_ASSERT(status == METIS_OK);
    return {host.begin(), host.end()};
}

std::tuple<std::int64_t, std::int64_t> cost(const PartGraph& parts, std::span<const int> host) {
    return {cells_between_hosts(parts, host), busiest_host_links(parts, host)};
}

}  // namespace

std::int64_t links(const PartGraph& parts, std::span<const int> host_of_part) {
    std::int64_t count = 0;
    for_each_link(parts, host_of_part, [&](int, std::int64_t) { ++count; });
    return count;
}

std::int64_t busiest_host_links(const PartGraph& parts, std::span<const int> host_of_part) {
    std::map<int, std::int64_t> of_host;
    for_each_link(parts, host_of_part, [&](int p, std::int64_t j) {
        ++of_host[host_of_part[p]];
        ++of_host[host_of_part[parts.neighbour[j]]];
    });
    std::int64_t most = 0;
    for (const auto& [host, count] : of_host) most = std::max(most, count);
    return most;
}

std::int64_t cells_between_hosts(const PartGraph& parts, std::span<const int> host_of_part) {
    std::int64_t cells = 0;
    for_each_link(parts, host_of_part,
                  [&](int, std::int64_t j) { cells += parts.received[j] + parts.sent[j]; });
    return cells;
}

std::vector<int> map_parts(const PartGraph& parts, std::span<const int> host_of_rank) {
    GS_ASSERT(host_of_rank.size() == static_cast<std::size_t>(parts.parts()));
    // Hosts by number 0, 1, … in order of their first rank.
    std::map<int, int> number_of;
    std::vector<int> ranks_of_host, number(host_of_rank.size());
    for (std::size_t r = 0; r < host_of_rank.size(); ++r) {
        const auto [place, fresh] =
            number_of.try_emplace(host_of_rank[r], static_cast<int>(ranks_of_host.size()));
        if (fresh) ranks_of_host.push_back(0);
        number[r] = place->second;
        ++ranks_of_host[number[r]];
    }

    std::vector<int> best = number;
    if (ranks_of_host.size() > 1) {
        improve_by_swaps(parts, best);
        std::vector<int> other = gathered_by_metis(parts, ranks_of_host);
        fill_exactly(parts, ranks_of_host, other);
        improve_by_swaps(parts, other);
        if (cost(parts, other) < cost(parts, best)) best = std::move(other);
    }

    std::vector<std::vector<int>> ranks(ranks_of_host.size());
    for (std::size_t r = 0; r < number.size(); ++r) ranks[number[r]].push_back(static_cast<int>(r));
    std::vector<std::size_t> next(ranks.size(), 0);
    std::vector<int> rank_of_part(number.size());
    for (std::size_t p = 0; p < best.size(); ++p) rank_of_part[p] = ranks[best[p]].at(next[best[p]]++);
    return rank_of_part;
}

}  // namespace groundswell::graph
