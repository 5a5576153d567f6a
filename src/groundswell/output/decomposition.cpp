#include "groundswell/output/decomposition.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::output {

namespace {

constexpr int tag_rows = 731;

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

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

}  // namespace

Decomposition::Decomposition(MPI_Comm comm, std::int64_t rows, std::span<const std::int64_t> owned)
    : comm_(comm), rows_(rows), identity_(next_identity()) {
    MPI_Comm_size(comm, &ranks_);
    const int here = rank_of(comm);
    parallel::agree(comm, [&] {
        GS_ASSERT(rows > 0 && owned.size() <= std::numeric_limits<std::int32_t>::max());
        GS_ASSERT(block(here).rows() <= std::numeric_limits<std::int32_t>::max());
        for (const std::int64_t row : owned) GS_ASSERT(row >= 0 && row < rows);
    });

    order_.resize(owned.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto row_at = [&](std::int32_t i) { return owned[static_cast<std::size_t>(i)]; };
    std::sort(order_.begin(), order_.end(),
              [&](std::int32_t a, std::int32_t b) { return row_at(a) < row_at(b); });
    for (const std::int32_t i : order_) {
        const int owner = block_owner(row_at(i), rows, ranks_);
        if (receivers_.empty() || receivers_.back().rank != owner) receivers_.push_back({owner, {}, {}});
        receivers_.back().index.push_back(i);
        receivers_.back().row.push_back(row_at(i));
    }

    std::vector<parallel::Parcel> outgoing;
    for (const Partner& partner : receivers_) {
        outgoing.push_back(parallel::pack_parcel<std::int64_t>(partner.rank, partner.row));
    }
    const Block mine = block(here);
    std::vector<char> covered(static_cast<std::size_t>(mine.rows()), 0);
    bool once = true;
    for (const parallel::Parcel& parcel : parallel::SparseExchange(comm)(outgoing)) {
        Partner partner{parcel.rank, {}, {}};
        for (const std::int64_t row : parallel::unpack_parcel<std::int64_t>(parcel)) {
            const auto slot = static_cast<std::int32_t>(row - mine.begin);
            once = once && !covered[static_cast<std::size_t>(slot)];
            covered[static_cast<std::size_t>(slot)] = 1;
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
        for (std::size_t i = 0; i < partner.index.size(); ++i)
            rows[static_cast<std::size_t>(partner.index[i])] = partner.row[i];
    return rows;
}

std::int64_t Rearranger::pieces(const Decomposition& decomposition, std::int64_t row_bytes) const {
    int ranks = 1;
    MPI_Comm_size(decomposition.comm(), &ranks);
    const std::int64_t largest = (decomposition.rows() + ranks - 1) / ranks;
    const std::int64_t piece_rows = std::max<std::int64_t>(1, piece_bytes_ / row_bytes);
    return (largest + piece_rows - 1) / piece_rows;
}

namespace {

/// Copies one row; the common widths of one value are spelled out because a call for 4 bytes is slow.
inline void copy_row(std::byte* to, const std::byte* from, std::int64_t bytes) {
    if (bytes == 4) {
        std::memcpy(to, from, 4);
    } else if (bytes == 8) {
        std::memcpy(to, from, 8);
    } else {
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
    }
}

/// Indices [first, last) of a partner's list that lie in the half-open range of values.
template <class T>
std::pair<std::size_t, std::size_t> range_of(const std::vector<T>& ascending, std::int64_t begin,
                                             std::int64_t end) {
    const auto first = std::lower_bound(ascending.begin(), ascending.end(), begin);
    const auto last = std::lower_bound(first, ascending.end(), end);
    return {static_cast<std::size_t>(first - ascending.begin()),
            static_cast<std::size_t>(last - ascending.begin())};
}

}  // namespace

Rearranger::Piece Rearranger::gather(const Decomposition& decomposition, const std::byte* values,
                                     std::int64_t row_bytes, std::int64_t stride_bytes, std::int64_t number) {
    MPI_Comm comm = decomposition.comm();
    const int here = rank_of(comm);
    const std::int64_t piece_rows = std::max<std::int64_t>(1, piece_bytes_ / row_bytes);
    const auto clip = [&](int rank) {
        const Block block = decomposition.block(rank);
        const std::int64_t begin = std::min(block.end, block.begin + number * piece_rows);
        return Block{begin, std::min(block.end, begin + piece_rows)};
    };

    struct Message {
        const Decomposition::Partner* partner;
        std::size_t first, last;
        std::int64_t offset;
    };
    const auto plan = [&](const auto& partners, auto find, std::int64_t& total) {
        std::vector<Message> messages;
        for (const Decomposition::Partner& partner : partners) {
            const auto [first, last] = find(partner);
            if (first == last) continue;
            messages.push_back({&partner, first, last, total});
            total += static_cast<std::int64_t>(last - first) * row_bytes;
        }
        return messages;
    };
    const Block mine = clip(here);
    const std::int64_t base = mine.begin - decomposition.block(here).begin;
    std::int64_t to_send = 0, to_receive = 0;
    const auto sends = plan(
        decomposition.receivers(),
        [&](const auto& partner) {
            const Block theirs = clip(partner.rank);
            return range_of(partner.row, theirs.begin, theirs.end);
        },
        to_send);
    const auto receives = plan(
        decomposition.senders(),
        [&](const auto& partner) { return range_of(partner.index, base, base + mine.rows()); }, to_receive);

    sent_.resize(static_cast<std::size_t>(to_send));
    received_.resize(static_cast<std::size_t>(to_receive));
    block_.resize(static_cast<std::size_t>(mine.rows() * row_bytes));

    std::vector<MPI_Request> requests;
    const auto length_of = [&](const Message& message) {
        const std::int64_t bytes = static_cast<std::int64_t>(message.last - message.first) * row_bytes;
        GS_ASSERT(bytes <= std::numeric_limits<int>::max());
        return static_cast<int>(bytes);
    };
    for (const Message& message : receives) {
        requests.push_back(MPI_REQUEST_NULL);
        parallel::check(MPI_Irecv(received_.data() + message.offset, length_of(message), MPI_BYTE,
                                  message.partner->rank, tag_rows, comm, &requests.back()),
                        "receiving rows for output");
    }
    for (const Message& message : sends) {
        std::byte* to = sent_.data() + message.offset;
        for (std::size_t i = message.first; i < message.last; ++i, to += row_bytes) {
            copy_row(to, values + message.partner->index[i] * stride_bytes, row_bytes);
        }
        requests.push_back(MPI_REQUEST_NULL);
        parallel::check(MPI_Isend(sent_.data() + message.offset, length_of(message), MPI_BYTE,
                                  message.partner->rank, tag_rows, comm, &requests.back()),
                        "sending rows for output");
    }
    parallel::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                    "rearranging rows for output");
    for (const Message& message : receives) {
        const std::byte* from = received_.data() + message.offset;
        for (std::size_t i = message.first; i < message.last; ++i, from += row_bytes) {
            copy_row(block_.data() + (message.partner->index[i] - base) * row_bytes, from, row_bytes);
        }
    }
    return {mine.begin, mine.rows(), block_};
}

}  // namespace groundswell::output
