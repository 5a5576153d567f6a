#include "groundswell/halo/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/plan/directory.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::halo {

namespace {

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
