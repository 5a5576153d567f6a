#include "groundswell/output/decomposition.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::output {

namespace {

std::uint64_t next_identity() {
    static std::atomic<std::uint64_t> count = 0;
    return ++count;
}

/// The rank whose block holds `row`.
int block_owner(std::int64_t row, std::int64_t rows, int ranks) {
    int owner = static_cast<int>(row * ranks / rows);
    while (owner + 1 < ranks && (owner + 1) * rows / ranks <= row) ++owner;
    return owner;
}

/// Indices into `owned` by ascending row.
std::vector<std::int32_t> by_ascending_row(std::span<const std::int64_t> owned, std::int64_t rows) {
    std::vector<std::int32_t> order;
    order.reserve(owned.size());
    // Where a good part of all rows is here, as on one of few servers, to look each up is quicker than to
    // sort.
    constexpr std::int64_t good_part = 8;
    if (static_cast<std::int64_t>(owned.size()) > rows / good_part) {
        std::vector<std::int32_t> index_of_row(rows, -1);
        for (std::size_t i = 0; i < owned.size(); ++i) index_of_row[owned[i]] = static_cast<std::int32_t>(i);
        for (const std::int32_t index : index_of_row)
            if (index >= 0) order.push_back(index);
        if (order.size() == owned.size()) return order;  // else one is listed twice, and must be found below
    }
    order.resize(owned.size());
    std::iota(order.begin(), order.end(), 0);
    const auto row_at = [&](std::int32_t i) { return owned[i]; };
    std::sort(order.begin(), order.end(),
              [&](std::int32_t a, std::int32_t b) { return row_at(a) < row_at(b); });
    return order;
}

}  // namespace

Decomposition::Decomposition(MPI_Comm comm, std::int64_t rows, std::span<const std::int64_t> owned)
    : comm_(comm), rows_(rows), identity_(next_identity()) {
    MPI_Comm_size(comm, &ranks_);
    const int here = parallel::rank_of(comm);
    parallel::agree(comm, [&] {
        GS_ASSERT(rows > 0 && owned.size() <= std::numeric_limits<std::int32_t>::max());
        GS_ASSERT(block(here).rows() <= std::numeric_limits<std::int32_t>::max());
        for (const std::int64_t row : owned) GS_ASSERT(row >= 0 && row < rows);
    });

    order_ = by_ascending_row(owned, rows);
    const auto row_at = [&](std::int32_t i) { return owned[i]; };
    for (auto first = order_.begin(); first != order_.end();) {
        const int owner = block_owner(row_at(*first), rows, ranks_);
        const auto last = std::lower_bound(first, order_.end(), block(owner).end,
                                           [&](std::int32_t i, std::int64_t row) { return row_at(i) < row; });
        Partner partner{owner, {first, last}, {}};
        partner.row.reserve(partner.index.size());  // lists as long as the mesh: no room to spare, no copies
        for (const std::int32_t i : partner.index) partner.row.push_back(row_at(i));
        receivers_.push_back(std::move(partner));
        first = last;
    }

    std::vector<parallel::Parcel> outgoing;
    for (const Partner& partner : receivers_)
        outgoing.push_back(parallel::pack_parcel<std::int64_t>(partner.rank, partner.row));
    const Block mine = block(here);
    std::vector<char> covered(mine.rows(), 0);
    bool once = true;
    for (const parallel::Parcel& parcel : parallel::SparseExchange(comm)(outgoing)) {
        Partner partner{parcel.rank, {}, {}};
        const auto theirs = parallel::unpack_parcel<std::int64_t>(parcel);
        partner.index.reserve(theirs.size());
        for (const std::int64_t row : theirs) {
            const auto slot = static_cast<std::int32_t>(row - mine.begin);
            once = once && !covered[slot];
            covered[slot] = 1;
            partner.index.push_back(slot);
        }
        senders_.push_back(std::move(partner));
    }
    parallel::agree(comm, [&] {
        const bool every_row_is_owned_once =
            once && std::find(covered.begin(), covered.end(), 0) == covered.end();
        GS_ASSERT(every_row_is_owned_once);
    });
}

Block Decomposition::block(int rank) const {
    return {rank * rows_ / ranks_, (rank + 1) * rows_ / ranks_};
}

std::vector<std::int64_t> Decomposition::owned_rows() const {
    std::vector<std::int64_t> rows(order_.size());
    for (const Partner& partner : receivers_)
        for (std::size_t i = 0; i < partner.index.size(); ++i) rows[partner.index[i]] = partner.row[i];
    return rows;
}

}  // namespace groundswell::output
