#include "groundswell/halo/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::halo {

namespace {

using parallel::Parcel;

constexpr int nobody = -1;
constexpr std::int64_t no_id = std::numeric_limits<std::int64_t>::max();

/// Rank that keeps the owner of an id: equal blocks of the range of all owned ids.
class Blocks {
public:
    Blocks(MPI_Comm comm, std::span<const std::int64_t> owned_ids) {
        std::int64_t low = std::numeric_limits<std::int64_t>::max();
        std::int64_t high = std::numeric_limits<std::int64_t>::min();
        for (const std::int64_t id : owned_ids) {
            low = std::min(low, id);
            high = std::max(high, id);
        }
        low_ = parallel::min(comm, low);
        high_ = parallel::max(comm, high);
        if (low_ > high_) low_ = high_ = 0;  // nobody owns anything
        length_ = (high_ - low_) / parallel::size_of(comm) + 1;
    }

    int home(std::int64_t id) const {
        return static_cast<int>((std::clamp(id, low_, high_) - low_) / length_);
    }

private:
    std::int64_t low_, high_, length_;
};

/// One parcel for each home, with the ids that live there. `ids` sorted, so the homes come in runs.
std::vector<Parcel> parcels_for_homes(const Blocks& blocks, std::span<const std::int64_t> ids) {
    std::vector<Parcel> parcels;
    for (std::size_t begin = 0; begin < ids.size();) {
        const int home = blocks.home(ids[begin]);
        std::size_t end = begin + 1;
        while (end < ids.size() && blocks.home(ids[end]) == home) ++end;
        parcels.push_back(parallel::pack_parcel<std::int64_t>(home, ids.subspan(begin, end - begin)));
        begin = end;
    }
    return parcels;
}

/// "rank 3", "ranks 0, 2 and 5"; a rank that comes twice has the id twice.
std::string list_of_ranks(std::span<const int> ranks) {
    constexpr std::size_t most = 20;
    if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
    if (std::all_of(ranks.begin(), ranks.end(), [&](int rank) { return rank == ranks[0]; }))
        return fmt::format("rank {}, {} times", ranks[0], ranks.size());
    if (ranks.size() > most)
        return fmt::format("ranks {} and {} more", fmt::join(ranks.first(most), ", "), ranks.size() - most);
    return fmt::format("ranks {} and {}", fmt::join(ranks.first(ranks.size() - 1), ", "), ranks.back());
}

struct Entry {
    std::int64_t id;
    int owner;
};

/// The block of this rank, sorted by id.
std::vector<Entry> register_owners(MPI_Comm comm, parallel::SparseExchange& exchange, const Blocks& blocks,
                                   std::span<const std::int64_t> owned_ids) {
    std::vector<std::int64_t> sorted(owned_ids.begin(), owned_ids.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<Entry> entries;
    for (const Parcel& parcel : exchange(parcels_for_homes(blocks, sorted))) {
        for (const std::int64_t id : parallel::unpack_parcel<std::int64_t>(parcel))
            entries.push_back({id, parcel.rank});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.id < b.id; });
    parallel::agree(comm, [&] {
        const auto twice = std::adjacent_find(entries.begin(), entries.end(),
                                              [](const Entry& a, const Entry& b) { return a.id == b.id; });
        if (twice == entries.end()) return;
        std::vector<int> owners;
        for (auto entry = twice; entry != entries.end() && entry->id == twice->id; ++entry)
            owners.push_back(entry->owner);
        base::refuse("halo", "owned id", std::to_string(twice->id),
                     fmt::format("one owner, but it is owned by {}", list_of_ranks(owners)));
    });
    return entries;
}

int owner_of(std::span<const Entry> entries, std::int64_t id) {
    const auto found = std::lower_bound(entries.begin(), entries.end(), id,
                                        [](const Entry& entry, std::int64_t x) { return entry.id < x; });
    return found != entries.end() && found->id == id ? found->owner : nobody;
}

/// The rank that owns each of `needed_ids`. Every rank keeps the owners of one block of all ids for the time
/// of the call; owners register there and the others ask there. Throws base::Refusal on all ranks, naming the
/// id and the ranks, if an id is owned twice or is needed and owned by nobody. Collective.
std::vector<int> find_owners(MPI_Comm comm, parallel::SparseExchange& exchange,
                             std::span<const std::int64_t> owned_ids,
                             std::span<const std::int64_t> needed_ids) {
    const Blocks blocks(comm, owned_ids);
    const std::vector<Entry> entries = register_owners(comm, exchange, blocks, owned_ids);

    // Ask the homes; answers come back sorted by home, which is the order of the sorted ids.
    std::vector<std::int64_t> asked(needed_ids.begin(), needed_ids.end());
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    std::vector<Parcel> answers;
    std::int64_t lost =
        no_id;  // the lowest id that is asked for and owned by nobody, and by whom it is needed
    std::vector<int> losers;
    for (const Parcel& question : exchange(parcels_for_homes(blocks, asked))) {
        std::vector<int> owners;
        for (const std::int64_t id : parallel::unpack_parcel<std::int64_t>(question)) {
            owners.push_back(owner_of(entries, id));
            if (owners.back() != nobody || id > lost) continue;
            if (id < lost) losers.clear();
            lost = id;
            losers.push_back(question.rank);
        }
        answers.push_back(parallel::pack_parcel<int>(question.rank, owners));
    }
    parallel::agree(comm, [&] {
        if (lost == no_id) return;
        base::refuse("halo", "needed id", std::to_string(lost),
                     fmt::format("an id that some rank owns; it is needed by {}", list_of_ranks(losers)));
    });
    std::vector<int> owner_of_asked;
    for (const Parcel& answer : exchange(answers)) {
        const std::vector<int> owners = parallel::unpack_parcel<int>(answer);
        owner_of_asked.insert(owner_of_asked.end(), owners.begin(), owners.end());
    }

    return parallel::agree(comm, [&] {
        GS_ASSERT(owner_of_asked.size() == asked.size());
        std::vector<int> owners;
        owners.reserve(needed_ids.size());
        for (const std::int64_t id : needed_ids) {
            const auto place = std::lower_bound(asked.begin(), asked.end(), id) - asked.begin();
            owners.push_back(owner_of_asked[place]);
        }
        return owners;
    });
}

using parallel::Parcel;

/// Positions 0..n-1 sorted by a key, equal keys in their order.
template <class Key>
std::vector<std::int32_t> sorted_positions(std::int32_t n, Key key) {
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    return order;
}

/// Local indices of needed ids that follow the owned ones.
std::vector<std::int32_t> behind(std::size_t owned, std::size_t needed) {
    std::vector<std::int32_t> index(needed);
    for (std::size_t q = 0; q < needed; ++q) index[q] = static_cast<std::int32_t>(owned + q);
    return index;
}

void require_places(std::size_t owned, std::size_t needed, std::span<const std::int32_t> needed_index) {
    base::require(needed_index.size() == needed, "halo", "local indices of needed ids",
                  std::to_string(needed_index.size()), fmt::format("one for each of the {}", needed));
    std::vector<std::int32_t> sorted(needed_index.begin(), needed_index.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty()) return;
    constexpr std::string_view key = "local index of a needed id";
    base::require(sorted.front() >= 0 && static_cast<std::size_t>(sorted.front()) >= owned, "halo", key,
                  std::to_string(sorted.front()), fmt::format("at least {}, behind the owned ids", owned));
    base::require(sorted.back() < std::numeric_limits<std::int32_t>::max(), "halo", key,
                  std::to_string(sorted.back()), "less than 2^31 - 1");
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        base::refuse("halo", key, std::to_string(*twice), "a different one for each needed id");
}

void require_usable(MPI_Comm comm, std::span<const std::int64_t> owned_ids,
                    std::span<const std::int64_t> needed_ids, std::span<const std::int32_t> needed_index) {
    const std::size_t owned = owned_ids.size();
    const std::size_t needed = needed_ids.size();
    parallel::agree(comm, [&] {
        constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
        base::require(owned <= most && needed <= most - owned, "halo", "ids of one rank",
                      std::to_string(owned + needed), "less than 2^31; use more ranks");
        for (const auto& ids : {owned_ids, needed_ids}) {
            for (const std::int64_t id : ids)
                base::require(id >= 0, "halo", "id", std::to_string(id), "0 or more");
        }
        require_places(owned, needed, needed_index);
    });
}

/// Ids needed from each owner, in the order of `unpack_position`, owner after owner.
std::vector<Parcel> requests(std::span<const Link> sources, std::span<const std::int32_t> unpack_position,
                             std::span<const std::int64_t> needed_ids) {
    std::vector<Parcel> parcels;
    for (const Link& source : sources) {
        std::vector<std::int64_t> ids;
        ids.reserve(source.count);
        for (std::int32_t i = 0; i < source.count; ++i)
            ids.push_back(needed_ids[unpack_position[source.first + i]]);
        parcels.push_back(parallel::pack_parcel<std::int64_t>(source.rank, ids));
    }
    return parcels;
}

}  // namespace

Plan::Plan(MPI_Comm comm, std::span<const std::int64_t> owned_ids, std::span<const std::int64_t> needed_ids)
    : Plan(comm, owned_ids, needed_ids, behind(owned_ids.size(), needed_ids.size())) {}

Plan::Plan(MPI_Comm comm, std::span<const std::int64_t> owned_ids, std::span<const std::int64_t> needed_ids,
           std::span<const std::int32_t> needed_index)
    : comm_(comm) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::plan);
    const parallel::MemoryHolder holder(parallel::MemoryPart::halo);
    require_usable(comm, owned_ids, needed_ids, needed_index);
    owned_ = static_cast<std::int32_t>(owned_ids.size());
    const auto needed = static_cast<std::int32_t>(needed_ids.size());

    parallel::SparseExchange exchange(comm);
    const std::vector<int> owner = find_owners(comm, exchange, owned_ids, needed_ids);

    // Sources: the needed positions by owner, in the caller's order within each.
    unpack_position_ = sorted_positions(needed, [&](std::int32_t q) { return owner[q]; });
    for (std::int32_t i = 0; i < needed; ++i) {
        const int rank = owner[unpack_position_[i]];
        if (sources_.empty() || sources_.back().rank != rank) sources_.push_back({rank, i, 0});
        ++sources_.back().count;
    }
    for (const std::int32_t position : unpack_position_) unpack_index_.push_back(needed_index[position]);
    for (const Link& source : sources_) {
        const std::int32_t* index = unpack_index_.data() + source.first;
        for (std::int32_t i = 1; i < source.count; ++i) in_place_ = in_place_ && index[i] == index[0] + i;
    }
    needed_begin_ = ids_ = owned_;
    if (needed > 0) {
        const auto [lowest, highest] = std::minmax_element(unpack_index_.begin(), unpack_index_.end());
        needed_begin_ = *lowest;
        ids_ = *highest + 1;
    }

    // Destinations: each asks for its ids, in the order in which it wants them.
    const std::vector<Parcel> wishes = exchange(requests(sources_, unpack_position_, needed_ids));
    const std::vector<std::int32_t> by_id =
        sorted_positions(owned_, [&](std::int32_t p) { return owned_ids[p]; });
    parallel::agree(comm, [&] {
        for (const Parcel& wish : wishes) {
            const std::vector<std::int64_t> ids = parallel::unpack_parcel<std::int64_t>(wish);
            destinations_.push_back({wish.rank, static_cast<std::int32_t>(pack_index_.size()),
                                     static_cast<std::int32_t>(ids.size())});
            base::require(pack_index_.size() + ids.size() <=
                              static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
                          "halo", "ids sent by one rank", "2^31 or more", "less; use more ranks");
            for (const std::int64_t id : ids) {
                const auto found =
                    std::lower_bound(by_id.begin(), by_id.end(), id,
                                     [&](std::int32_t p, std::int64_t x) { return owned_ids[p] < x; });
                GS_ASSERT(found != by_id.end() && owned_ids[*found] == id);
                pack_index_.push_back(*found);
            }
        }
    });
    cost_ = {exchange.messages_sent(), exchange.bytes_sent()};
}

Plan Plan::reversed() const {
    Plan back = *this;
    std::swap(back.sources_, back.destinations_);
    std::swap(back.pack_index_, back.unpack_index_);
    back.in_place_ = false;
    back.reversed_ = !reversed_;
    return back;
}

}  // namespace groundswell::halo
