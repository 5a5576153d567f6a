// Which rank computes which part.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "groundswell/graph/map/mapping.hpp"
#include "groundswell/graph/map/swap_refinement.hpp"
#include "groundswell/graph/partition.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"

namespace {

using namespace groundswell::graph;
using namespace groundswell::voronoi;

/// nx columns and ny rows of parts that exchange `cells` each way with those left, right, above and below.
PartGraph grid(int nx, int ny, std::int64_t cells = 1) {
    PartGraph parts;
    for (int p = 0; p < nx * ny; ++p) {
        const int i = p % nx, j = p / nx;
        for (const int q :
             {j > 0 ? p - nx : -1, i > 0 ? p - 1 : -1, i + 1 < nx ? p + 1 : -1, j + 1 < ny ? p + nx : -1}) {
            if (q < 0) continue;
            parts.neighbour.push_back(q);
            parts.received.push_back(cells);
            parts.sent.push_back(cells);
        }
        parts.offset.push_back(static_cast<std::int64_t>(parts.neighbour.size()));
    }
    return parts;
}

std::vector<int> blocks(int ranks, int per_host) {
    std::vector<int> host(ranks);
    for (int r = 0; r < ranks; ++r) host[r] = r / per_host;
    return host;
}

/// The host that each part is computed on; checks that every rank has one part.
std::vector<int> hosts_after_mapping(const PartGraph& parts, const std::vector<int>& host_of_rank) {
    const std::vector<int> rank = map_parts(parts, host_of_rank);
    std::vector<int> sorted = rank, all(rank.size()), host;
    std::iota(all.begin(), all.end(), 0);
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, all);
    for (const int r : rank) host.push_back(host_of_rank[r]);
    return host;
}

// Pang et al. 2025 (Geosci. Model Dev. 18), figures 1 and 2: six processes, 2 rows of 3, two on each host.
TEST(MeshMapping, CountsTheLinksOfThePapersExample) {
    const PartGraph six = grid(3, 2);
    const std::vector<int> along{0, 0, 2, 1, 1, 2}, upright{0, 1, 2, 0, 1, 2}, crossed{0, 1, 2, 2, 0, 1};
    EXPECT_EQ(links(six, along), 4);
    EXPECT_EQ(busiest_host_links(six, along), 3);
    EXPECT_EQ(links(six, upright), 4);
    EXPECT_EQ(busiest_host_links(six, upright), 4);
    EXPECT_EQ(links(six, crossed), 7);
}

TEST(MeshMapping, FindsTheBestOfThePapersExample) {
    const PartGraph six = grid(3, 2);
    // However the ranks sit on hosts, and whatever the hosts are called.
    std::vector<int> host_of_rank{7, 7, 4, 4, 9, 9};
    std::ranges::sort(host_of_rank);
    do {
        const std::vector<int> host = hosts_after_mapping(six, host_of_rank);
        EXPECT_EQ(links(six, host), 4);
        EXPECT_EQ(busiest_host_links(six, host), 3);
    } while (std::ranges::next_permutation(host_of_rank).found);
}

TEST(MeshMapping, NeverSendsMoreThanPartsOnRanksOfTheirNumber) {
    for (const int per_host : {1, 2, 5, 7, 30}) {
        for (const int ranks : {30, 36, 60}) {
            const PartGraph parts = grid(6, ranks / 6, 11);
            const std::vector<int> before = blocks(ranks, per_host),
                                   after = hosts_after_mapping(parts, before);
            EXPECT_LE(cells_between_hosts(parts, after), cells_between_hosts(parts, before));
        }
    }
}

TEST(MeshMapping, HostsKeepTheirNumbersOfRanks) {
    const PartGraph parts = grid(5, 4);
    const std::vector<int> uneven{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 8, 8, 8, 8, 8, 8, 1, 1, 8};
    std::vector<int> after = hosts_after_mapping(parts, uneven), before = uneven;
    EXPECT_LE(cells_between_hosts(parts, after), cells_between_hosts(parts, uneven));
    std::ranges::sort(after);
    std::ranges::sort(before);
    EXPECT_EQ(after, before);
}

TEST(MeshMapping, MendsAPlacementThatScattersRanks) {
    // 64 x 32 parts, 32 ranks a host dealt round robin: a block of 32 parts of 8 x 4 has 24 sides on its rim.
    const PartGraph parts = grid(64, 32, 5);
    std::vector<int> round_robin(parts.parts());
    for (int r = 0; r < parts.parts(); ++r) round_robin[r] = r % 64;
    const std::vector<int> after = hosts_after_mapping(parts, round_robin);
    EXPECT_LT(links(parts, after), links(parts, round_robin) / 2);
    EXPECT_LT(links(parts, after), 1.25 * 64 * 24 / 2);
    EXPECT_EQ(cells_between_hosts(parts, after), 10 * links(parts, after));
}

TEST(MeshMapping, PartsThatExchangeMostShareAHost) {
    // A ring of four; the heavy pairs are 1-2 and 3-0.
    PartGraph ring;
    ring.offset = {0, 2, 4, 6, 8};
    ring.neighbour = {1, 3, 0, 2, 1, 3, 0, 2};
    ring.received = {1, 50, 1, 50, 50, 1, 50, 1};
    ring.sent = ring.received;
    const std::vector<int> host = hosts_after_mapping(ring, {0, 0, 1, 1});
    EXPECT_EQ(host[1], host[2]);
    EXPECT_EQ(host[3], host[0]);
    EXPECT_EQ(cells_between_hosts(ring, host), 4);
}

TEST(MeshMapping, PartsWithoutNeighboursAndASingleHostAreNoTrouble) {
    PartGraph alone;
    alone.offset = {0, 0, 0, 0};
    EXPECT_EQ(hosts_after_mapping(alone, {0, 1, 1}), (std::vector<int>{0, 1, 1}));
    EXPECT_EQ(map_parts(grid(3, 1), std::vector<int>{5, 5, 5}), (std::vector<int>{0, 1, 2}));
    EXPECT_TRUE(map_parts(PartGraph{}, std::vector<int>{}).empty());
}

TEST(MeshMapping, HostsAreFilledExactlyByMovesBetweenNeighbours) {
    // A row of six; host 0 has all of them.
    const PartGraph row = grid(6, 1);
    std::vector<int> host(6, 0);
    fill_exactly(row, std::vector<int>{2, 2, 2}, host);
    std::vector<int> count(3, 0);
    for (const int h : host) ++count[h];
    EXPECT_EQ(count, (std::vector<int>{2, 2, 2}));
    // From the right end of host 0 over host 1 to host 2: nothing is torn.
    host = {0, 0, 0, 1, 1, 2};
    fill_exactly(row, std::vector<int>{2, 2, 2}, host);
    EXPECT_EQ(host, (std::vector<int>{0, 0, 1, 1, 2, 2}));
}

TEST(MeshMapping, ExchangesGoByWhatPartsExchangeNotByTheirNumber) {
    PartGraph ring = grid(2, 2);  // 0-1, 0-2, 1-3, 2-3
    for (int p = 0; p < 4; ++p) {
        for (std::int64_t j = ring.offset[p]; j < ring.offset[p + 1]; ++j) {
            const bool heavy = p + ring.neighbour[j] == 2 || p + ring.neighbour[j] == 4;
            ring.received[j] = ring.sent[j] = heavy ? 50 : 1;
        }
    }
    std::vector<int> host{0, 0, 1, 1};
    improve_by_swaps(ring, host);
    EXPECT_EQ(host[0], host[2]);
    EXPECT_EQ(host[1], host[3]);
}

TEST(MeshMapping, AfterwardsNoExchangeOfTwoPartsGains) {
    PartGraph parts = grid(6, 6);
    for (int p = 0; p < 36; ++p) {
        for (std::int64_t j = parts.offset[p]; j < parts.offset[p + 1]; ++j) {
            const int q = parts.neighbour[j];
            parts.received[j] = 1 + (7 * (p + q) + 3 * p * q) % 23;
            parts.sent[j] = parts.received[j];
        }
    }
    for (const int per_host : {4, 5, 6, 9, 12}) {
        std::vector<int> host = blocks(36, per_host);
        const std::int64_t before = cells_between_hosts(parts, host);
        improve_by_swaps(parts, host);
        const std::int64_t after = cells_between_hosts(parts, host);
        EXPECT_LE(after, before);
        for (int p = 0; p < 36; ++p) {
            for (int q = 0; q < p; ++q) {
                std::swap(host[p], host[q]);
                EXPECT_GE(cells_between_hosts(parts, host), after) << p << " and " << q;
                std::swap(host[p], host[q]);
            }
        }
    }
}

TEST(MeshMapping, MakesPlainPartsNearlyAsGoodForHostsAsTwoLevels) {
    const Graph graph = graph_of(order_along_curve(icosahedral(60, 4000.0)));
    PartitionOptions options;
    options.host_of_part = blocks(256, 28);
    options.method = PartitionMethod::plain;
    const PartitionReport plain = partition(graph, 256, options).report;
    options.map_to_hosts = true;
    const PartitionReport mapped = partition(graph, 256, options).report;
    EXPECT_TRUE(mapped.mapped);
    EXPECT_FALSE(plain.mapped);
    EXPECT_EQ(mapped.edge_cut, plain.edge_cut);
    EXPECT_LT(static_cast<double>(mapped.host_cut), 0.9 * static_cast<double>(plain.host_cut));
    options.method = PartitionMethod::two_level;
    const PartitionReport two = partition(graph, 256, options).report;
    EXPECT_FALSE(two.mapped);
    EXPECT_LT(static_cast<double>(mapped.host_cut), 1.2 * static_cast<double>(two.host_cut));
}

}  // namespace
