#include "groundswell/output/rearranger.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

constexpr int tag_rows = 731;

/// Calls body(width) with the bytes of a row, as a constant where it is one value: a call of memcpy for 4
/// bytes is slow.
template <class F>
void with_width(std::int64_t bytes, F&& body) {
    if (bytes == 4) {
        body(std::integral_constant<std::size_t, 4>());
    } else if (bytes == 8) {
        body(std::integral_constant<std::size_t, 8>());
    } else {
        body(static_cast<std::size_t>(bytes));
    }
}

/// The rows of one message of a piece: those of a partner's list from `first` to before `last`.
struct Message {
    const Decomposition::Partner* partner;
    std::size_t first, last;
    std::int64_t offset;  // in the buffer, bytes
    std::int64_t rows() const { return static_cast<std::int64_t>(last - first); }
    const std::int32_t* indices() const { return partner->index.data() + first; }
    /// Where its rows of a segment stand in the buffer.
    template <class Byte>
    Byte* segment(Byte* buffer, std::int64_t number, std::int64_t row_bytes) const {
        return buffer + offset + number * rows() * row_bytes;
    }
};

/// One side of the way between values and blocks.
struct Side {
    std::vector<Message> messages;
    std::int64_t bytes = 0;  // of all of them
    /// Rows that stay on this rank travel in no message: the same rows in the same order, on both sides.
    std::optional<Message> own;

    void add(std::optional<Message> message, bool stays, std::int64_t row_bytes) {
        if (stays) own = message;
        if (stays || !message) return;
        message->offset = bytes;
        bytes += message->rows() * row_bytes;
        messages.push_back(*message);
    }
};

/// The messages of one piece.
struct PieceMessages {
    Block block;        // rows of the piece that belong to this rank's block
    std::int64_t base;  // first of them, counted from the begin of the whole block
    Side values, blocks;
};

Block clip(const Decomposition& decomposition, int rank, std::int64_t piece_rows, std::int64_t number) {
    const Block block = decomposition.block(rank);
    const std::int64_t begin = std::min(block.end, block.begin + number * piece_rows);
    return {begin, std::min(block.end, begin + piece_rows)};
}

/// The partner's rows in the half-open range of `ascending`, if there are any.
template <class T>
std::optional<Message> message_of(const Decomposition::Partner& partner, const std::vector<T>& ascending,
                                  std::int64_t begin, std::int64_t end) {
    const auto first = std::lower_bound(ascending.begin(), ascending.end(), begin);
    const auto last = std::lower_bound(first, ascending.end(), end);
    if (first == last) return std::nullopt;
    return Message{&partner, static_cast<std::size_t>(first - ascending.begin()),
                   static_cast<std::size_t>(last - ascending.begin()), 0};
}

PieceMessages messages_of(const Decomposition& decomposition, std::int64_t piece_rows, std::int64_t row_bytes,
                          std::int64_t number) {
    const int here = parallel::rank_of(decomposition.comm());
    PieceMessages messages;
    messages.block = clip(decomposition, here, piece_rows, number);
    messages.base = messages.block.begin - decomposition.block(here).begin;
    for (const Decomposition::Partner& partner : decomposition.receivers()) {
        const Block theirs = clip(decomposition, partner.rank, piece_rows, number);
        messages.values.add(message_of(partner, partner.row, theirs.begin, theirs.end), partner.rank == here,
                            row_bytes);
    }
    for (const Decomposition::Partner& partner : decomposition.senders()) {
        messages.blocks.add(
            message_of(partner, partner.index, messages.base, messages.base + messages.block.rows()),
            partner.rank == here, row_bytes);
    }
    GS_ASSERT(messages.values.own.has_value() == messages.blocks.own.has_value());
    return messages;
}

/// Sends and receives what the buffers hold, and waits for it.
Rearranger::Traffic exchange(MPI_Comm comm, std::int64_t row_bytes, const std::vector<Message>& sends,
                             const std::byte* sent, const std::vector<Message>& receives,
                             std::byte* received) {
    Rearranger::Traffic traffic;
    std::vector<MPI_Request> requests;
    const auto length_of = [&](const Message& message) {
        const std::int64_t bytes = message.rows() * row_bytes;
        GS_ASSERT(bytes <= std::numeric_limits<int>::max());
        return static_cast<int>(bytes);
    };
    for (const Message& message : receives) {
        parallel::check(
            MPI_Irecv(received + message.offset, length_of(message), MPI_BYTE, message.partner->rank,
                      tag_rows, comm, &requests.emplace_back(MPI_REQUEST_NULL)),
            "receiving rows");
    }
    for (const Message& message : sends) {
        ++traffic.messages;
        traffic.bytes += length_of(message);
        parallel::check(MPI_Isend(sent + message.offset, length_of(message), MPI_BYTE, message.partner->rank,
                                  tag_rows, comm, &requests.emplace_back(MPI_REQUEST_NULL)),
                        "sending rows");
    }
    parallel::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                    "rearranging rows");
    return traffic;
}

/// Where rows lie: row i at bytes + (index[i] - first) * stride, without an index at bytes + i * stride.
template <class Byte>
struct Rows {
    Byte* bytes;
    const std::int32_t* index;
    std::int64_t first, stride;
    Byte* at(std::int64_t i) const { return bytes + (index ? index[i] - first : i) * stride; }
};

/// Those of a block: their list ascends, and where it leaves no row out it need not be read.
template <class Byte>
auto rows_of_block(Byte* block, const PieceMessages& messages, std::int64_t row_bytes) {
    return [block, rows = messages.block.rows(), base = messages.base, row_bytes](
               std::int64_t segment, const Message& message) -> Rows<Byte> {
        Byte* const begin = block + segment * rows * row_bytes;
        const std::int32_t* const index = message.indices();
        if (index[message.rows() - 1] - index[0] + 1 == message.rows())
            return {begin + (index[0] - base) * row_bytes, nullptr, 0, row_bytes};
        return {begin, index, base, row_bytes};
    };
}

/// Those of this rank's values.
template <class Byte>
auto rows_of_values(Byte* values, std::int64_t owned, const RowBytes& row) {
    return [values, owned, stride = row.stride_or_bytes()](std::int64_t segment,
                                                           const Message& message) -> Rows<Byte> {
        return {values + segment * owned * stride, message.indices(), 0, stride};
    };
}

void copy_rows(Rows<std::byte> to, Rows<const std::byte> from, std::int64_t rows, std::int64_t row_bytes) {
    with_width(row_bytes, [to, from, rows](auto width) {
        if (to.index == nullptr) {
            std::byte* row = to.bytes;
            for (std::int64_t i = 0; i < rows; ++i, row += width) std::memcpy(row, from.at(i), width);
        } else if (from.index == nullptr) {
            const std::byte* row = from.bytes;
            for (std::int64_t i = 0; i < rows; ++i, row += width) std::memcpy(to.at(i), row, width);
        } else {
            for (std::int64_t i = 0; i < rows; ++i) std::memcpy(to.at(i), from.at(i), width);
        }
    });
}

/// Rows of messages one after another, as they travel.
template <class Byte>
auto packed(Byte* buffer, std::int64_t row_bytes) {
    return [buffer, row_bytes](std::int64_t segment, const Message& message) -> Rows<Byte> {
        return {message.segment(buffer, segment, row_bytes), nullptr, 0, row_bytes};
    };
}

/// All segments of a message, or of rows that are one on each side; `to` and `from` say where the rows lie.
template <class To, class From>
void copy_segments(const Message& taken, const Message& given, const RowBytes& row, const To& to,
                   const From& from) {
    for (std::int64_t s = 0; s < row.segments; ++s)
        copy_rows(to(s, taken), from(s, given), taken.rows(), row.bytes);
}

/// Brings all rows of a piece to the other side, those of other ranks by way of the buffers.
template <class To, class From>
Rearranger::Traffic move_rows(MPI_Comm comm, const RowBytes& row, const Side& giving, const From& from,
                              std::vector<std::byte>& sent, const Side& taking, const To& to,
                              std::vector<std::byte>& received) {
    sent.resize(giving.bytes);
    received.resize(taking.bytes);
    for (const Message& message : giving.messages)
        copy_segments(message, message, row, packed(sent.data(), row.bytes), from);
    const Rearranger::Traffic traffic =
        exchange(comm, row.all(), giving.messages, sent.data(), taking.messages, received.data());
    for (const Message& message : taking.messages)
        copy_segments(message, message, row, to, packed(std::as_const(received).data(), row.bytes));
    if (giving.own) copy_segments(*taking.own, *giving.own, row, to, from);
    return traffic;
}

}  // namespace

std::int64_t Rearranger::piece_rows(std::int64_t bytes) const {
    return std::max<std::int64_t>(1, piece_bytes_ / bytes);
}

std::int64_t Rearranger::pieces(const Decomposition& decomposition, const RowBytes& row) const {
    const int ranks = parallel::size_of(decomposition.comm());
    const std::int64_t largest = (decomposition.rows() + ranks - 1) / ranks, rows = piece_rows(row.all());
    return (largest + rows - 1) / rows;
}

Block Rearranger::rows_of_piece(const Decomposition& decomposition, const RowBytes& row,
                                std::int64_t number) const {
    return clip(decomposition, parallel::rank_of(decomposition.comm()), piece_rows(row.all()), number);
}

Rearranger::Piece Rearranger::gather(const Decomposition& decomposition, const std::byte* values,
                                     const RowBytes& row, std::int64_t number) {
    const PieceMessages messages = messages_of(decomposition, piece_rows(row.all()), row.all(), number);
    const std::int64_t block_rows = messages.block.rows();
    block_.resize(block_rows * row.all());
    count(move_rows(decomposition.comm(), row, messages.values,
                    rows_of_values(values, decomposition.owned(), row), sent_, messages.blocks,
                    rows_of_block(block_.data(), messages, row.bytes), received_));
    return {messages.block.begin, block_rows, block_};
}

void Rearranger::scatter(const Decomposition& decomposition, std::span<const std::byte> piece,
                         std::byte* values, const RowBytes& row, std::int64_t number) {
    const PieceMessages messages = messages_of(decomposition, piece_rows(row.all()), row.all(), number);
    GS_ASSERT(piece.size() == static_cast<std::size_t>(messages.block.rows() * row.all()));
    count(move_rows(decomposition.comm(), row, messages.blocks,
                    rows_of_block(piece.data(), messages, row.bytes), sent_, messages.values,
                    rows_of_values(values, decomposition.owned(), row), received_));
}

void Rearranger::count(const Traffic& traffic) {
    messages_sent_ += traffic.messages;
    bytes_sent_ += traffic.bytes;
}

}  // namespace groundswell::output
