#include "groundswell/halo/plan/directory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"

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

}  // namespace

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

}  // namespace groundswell::halo
