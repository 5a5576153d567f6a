#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "groundswell/halo/plan.hpp"

/// A made-up graph of ids shared out over ranks: every rank can draw it alone, so it knows what to expect.
namespace groundswell::halo::test {

struct Part {
    std::vector<std::int64_t> owned, needed;
};

enum class Order { grouped, shuffled };

/// `ids` ids, spread at random over those ranks that own any (`idle` ranks at the end own and need nothing),
/// each rank needing about a third of what the others own. `grouped`: needed ids by owner, then by id, as a
/// mesh does.
inline Part random_part(int rank, int ranks, int idle, std::int64_t ids, Order order, unsigned seed) {
    const int busy = std::max(1, ranks - idle);
    std::mt19937 random(seed);
    std::vector<int> owner(static_cast<std::size_t>(ids));
    for (int& o : owner) o = static_cast<int>(random() % static_cast<unsigned>(busy));
    Part part;
    if (rank >= busy) return part;
    std::mt19937 mine(seed + 1000U * static_cast<unsigned>(rank + 1));
    for (std::int64_t i = 0; i < ids; ++i) {
        const std::int64_t id = 7 * i + 100;  // ids need not be dense
        if (owner[static_cast<std::size_t>(i)] == rank) {
            part.owned.push_back(id);
        } else if (mine() % 3 == 0) {
            part.needed.push_back(id);
        }
    }
    if (order == Order::grouped) {
        std::stable_sort(part.needed.begin(), part.needed.end(), [&](std::int64_t a, std::int64_t b) {
            return owner[static_cast<std::size_t>((a - 100) / 7)] <
                   owner[static_cast<std::size_t>((b - 100) / 7)];
        });
    } else {
        std::shuffle(part.owned.begin(), part.owned.end(), mine);
        std::shuffle(part.needed.begin(), part.needed.end(), mine);
    }
    return part;
}

inline std::shared_ptr<const Plan> make_plan(MPI_Comm comm, const Part& part) {
    return std::make_shared<const Plan>(comm, part.owned, part.needed);
}

}  // namespace groundswell::halo::test
