#include "groundswell/graph/map/swap_refinement.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/make_unique.hpp"

namespace groundswell::graph {
namespace {

/// Parts on hosts, and what a move or an exchange changes.
class Arrangement {
public:
    Arrangement(const PartGraph& parts, int hosts, std::vector<int>& host)
        : parts_(parts), host_(host), members_(static_cast<std::size_t>(hosts)), links_(members_.size(), 0) {
        for (int p = 0; p < parts.parts(); ++p) {
            members_[host[p]].push_back(p);
            for_each_neighbour(p, [&](int q, std::int64_t) { links_[host_[p]] += host_[q] != host_[p]; });
        }
    }

    int hosts() const { return static_cast<int>(members_.size()); }
    int parts_on(int host) const { return static_cast<int>(members_[host].size()); }
    const std::vector<int>& members(int host) const { return members_[host]; }

    /// Traffic between part p and the parts of a host.
    std::int64_t exchanged(int p, int host) const {
        std::int64_t cells = 0;
        for_each_neighbour(p, [&](int q, std::int64_t w) { cells += host_[q] == host ? w : 0; });
        return cells;
    }
    std::int64_t between(int p, int q) const {
        std::int64_t cells = 0;
        for_each_neighbour(p, [&](int other, std::int64_t w) { cells += other == q ? w : 0; });
        return cells;
    }

    /// Hosts of the parts around p, other than its own, ascending.
    std::vector<int> hosts_around(int p) const {
        std::vector<int> around;
        for_each_neighbour(p, [&](int q, std::int64_t) {
            if (host_[q] != host_[p]) around.push_back(host_[q]);
        });
        base::make_unique(around);
        return around;
    }

    /// By how much the sum of the squares of hosts' links grows if p and q change places.
    std::int64_t unevenness_gained(int p, int q) const {
        std::map<int, std::int64_t> change;
        const auto turn = [&](int part, int partner) {
            const int from = host_[part], to = host_[partner];
            for_each_neighbour(part, [&](int n, std::int64_t) {
                if (n == partner) return;  // apart before and after
                const int other = host_[n];
                if (other != from) --change[from], --change[other];
                if (other != to) ++change[to], ++change[other];
            });
        };
        turn(p, q);
        turn(q, p);
        std::int64_t gained = 0;
        for (const auto& [host, by] : change) gained += by * (2 * links_[host] + by);
        return gained;
    }

    void move(int p, int to) {
        const int from = host_[p];
        std::erase(members_[from], p);
        members_[to].push_back(p);
        for_each_neighbour(p, [&](int q, std::int64_t) {
            const int other = host_[q];
            if (other != from) --links_[from], --links_[other];
            if (other != to) ++links_[to], ++links_[other];
        });
        host_[p] = to;
    }

private:
    template <class Visit>
    void for_each_neighbour(int p, Visit&& visit) const {
        for (std::int64_t j = parts_.offset[p]; j < parts_.offset[p + 1]; ++j)
            visit(parts_.neighbour[j], parts_.received[j] + parts_.sent[j]);
    }

    const PartGraph& parts_;
    std::vector<int>& host_;
    std::vector<std::vector<int>> members_;
    std::vector<std::int64_t> links_;  // of each host
};

/// The part on `from` whose move to `to` adds the fewest cells to what passes between hosts.
int cheapest_to_move(const Arrangement& arrangement, int from, int to) {
    int best = -1;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const int p : arrangement.members(from)) {
        const std::int64_t loss = arrangement.exchanged(p, from) - arrangement.exchanged(p, to);
        if (loss < least || (loss == least && p < best)) {
            least = loss;
            best = p;
        }
    }
    return best;
}

/// Hosts from `start` to the nearest with room, each a neighbour of the one before where that is possible.
std::vector<int> way_to_room(const Arrangement& arrangement, std::span<const int> room, int start) {
    std::vector<int> came_from(room.size(), -1), queue{start};
    came_from[start] = start;
    int found = -1;
    for (std::size_t next = 0; next < queue.size() && found < 0; ++next) {
        const int here = queue[next];
        for (const int p : arrangement.members(here)) {
            for (const int other : arrangement.hosts_around(p)) {
                if (came_from[other] >= 0) continue;
                came_from[other] = here;
                queue.push_back(other);
                if (found < 0 && arrangement.parts_on(other) < room[other]) found = other;
            }
        }
    }
    for (int h = 0; h < arrangement.hosts() && found < 0; ++h) {  // another component: a jump
        if (arrangement.parts_on(h) >= room[h]) continue;
        came_from[h] = start;
        found = h;
    }
    GS_ASSERT(found >= 0);
    std::vector<int> way{found};
    while (way.back() != start) way.push_back(came_from[way.back()]);
    std::ranges::reverse(way);
    return way;
}

/// The best exchange for part p: the partner, or -1 where nothing is gained.
int best_partner(const Arrangement& arrangement, const std::vector<int>& host, int p) {
    int best = -1;
    std::int64_t most = 0, least_uneven = 0;
    const int from = host[p];
    const std::int64_t here = arrangement.exchanged(p, from);
    for (const int to : arrangement.hosts_around(p)) {
        const std::int64_t mine = arrangement.exchanged(p, to) - here;
        for (const int q : arrangement.members(to)) {
            const std::int64_t gain = mine + arrangement.exchanged(q, from) - arrangement.exchanged(q, to) -
                                      2 * arrangement.between(p, q);
            if (gain < most || gain < 0) continue;
            const std::int64_t uneven = arrangement.unevenness_gained(p, q);
            if (gain == most && uneven >= least_uneven) continue;
            most = gain;
            least_uneven = uneven;
            best = q;
        }
    }
    return best;
}

}  // namespace

void fill_exactly(const PartGraph& parts, std::span<const int> ranks_of_host, std::vector<int>& host) {
    Arrangement arrangement(parts, static_cast<int>(ranks_of_host.size()), host);
    for (int h = 0; h < arrangement.hosts(); ++h) {
        while (arrangement.parts_on(h) > ranks_of_host[h]) {
            const std::vector<int> way = way_to_room(arrangement, ranks_of_host, h);
            for (std::size_t i = 0; i + 1 < way.size(); ++i)
                arrangement.move(cheapest_to_move(arrangement, way[i], way[i + 1]), way[i + 1]);
        }
    }
}

void improve_by_swaps(const PartGraph& parts, std::vector<int>& host) {
    if (host.empty()) return;
    Arrangement arrangement(parts, *std::ranges::max_element(host) + 1, host);
    // Each exchange lowers one of two whole numbers and never raises the first, so this ends; the rounds are
    // bounded for the time that the last small gains would take.
    constexpr int most_rounds = 50;
    for (int round = 0; round < most_rounds; ++round) {
        bool moved = false;
        for (int p = 0; p < parts.parts(); ++p) {
            const int partner = best_partner(arrangement, host, p);
            if (partner < 0) continue;
            const int here = host[p], there = host[partner];
            arrangement.move(p, there);
            arrangement.move(partner, here);
            moved = true;
        }
        if (!moved) return;
    }
}

}  // namespace groundswell::graph
