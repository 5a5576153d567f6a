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

/// The messages of one piece, on both sides of the way between values and blocks.
struct PieceMessages {
    Block block;        // rows of the piece that belong to this rank's block
    std::int64_t base;  // first of them, counted from the begin of the whole block
    std::vector<Message> values, blocks;
    std::int64_t values_bytes = 0, blocks_bytes = 0;
    /// Rows that stay on this rank travel in no message: the same rows in the same order, on both sides.
    std::optional<Message> own_values, own_block;
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

void add_message(std::vector<Message>& messages, std::int64_t& bytes, std::optional<Message> message,
                 std::int64_t row_bytes) {
    if (!message) return;
    message->offset = bytes;
    bytes += message->rows() * row_bytes;
    messages.push_back(*message);
}

PieceMessages messages_of(const Decomposition& decomposition, std::int64_t piece_rows, std::int64_t row_bytes,
                          std::int64_t number) {
    const int here = parallel::rank_of(decomposition.comm());
    PieceMessages messages;
    messages.block = clip(decomposition, here, piece_rows, number);
    messages.base = messages.block.begin - decomposition.block(here).begin;
    for (const Decomposition::Partner& partner : decomposition.receivers()) {
        const Block theirs = clip(decomposition, partner.rank, piece_rows, number);
        const auto message = message_of(partner, partner.row, theirs.begin, theirs.end);
        if (partner.rank == here) {
            messages.own_values = message;
        } else {
            add_message(messages.values, messages.values_bytes, message, row_bytes);
        }
    }
    for (const Decomposition::Partner& partner : decomposition.senders()) {
        const auto message =
            message_of(partner, partner.index, messages.base, messages.base + messages.block.rows());
        if (partner.rank == here) {
            messages.own_block = message;
        } else {
            add_message(messages.blocks, messages.blocks_bytes, message, row_bytes);
        }
    }
    GS_ASSERT(messages.own_values.has_value() == messages.own_block.has_value());
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
Rows<Byte> rows_of_block(Byte* block, const Message& message, std::int64_t base, std::int64_t row_bytes) {
    const std::int32_t* const index = message.indices();
    if (index[message.rows() - 1] - index[0] + 1 == message.rows())
        return {block + (index[0] - base) * row_bytes, nullptr, 0, row_bytes};
    return {block, index, base, row_bytes};
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

/// All segments of all messages; `to` and `from` say where the rows of one lie.
template <class To, class From>
void copy_messages(const std::vector<Message>& messages, const RowBytes& row, const To& to,
                   const From& from) {
    for (const Message& message : messages)
        for (std::int64_t s = 0; s < row.segments; ++s)
            copy_rows(to(s, message), from(s, message), message.rows(), row.bytes);
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
    sent_.resize(messages.values_bytes);
    received_.resize(messages.blocks_bytes);
    block_.resize(block_rows * row.all());
    const auto given = [&](std::int64_t segment, const Message& message) -> Rows<const std::byte> {
        return {values + segment * decomposition.owned() * row.stride_or_bytes(), message.indices(), 0,
                row.stride_or_bytes()};
    };
    const auto in_block = [&](std::int64_t segment, const Message& message) {
        return rows_of_block(block_.data() + segment * block_rows * row.bytes, message, messages.base,
                             row.bytes);
    };
    copy_messages(messages.values, row, packed(sent_.data(), row.bytes), given);
    count(exchange(decomposition.comm(), row.all(), messages.values, sent_.data(), messages.blocks,
                   received_.data()));
    copy_messages(messages.blocks, row, in_block, packed(std::as_const(received_).data(), row.bytes));
    if (messages.own_block)
        for (std::int64_t s = 0; s < row.segments; ++s)
            copy_rows(in_block(s, *messages.own_block), given(s, *messages.own_values),
                      messages.own_block->rows(), row.bytes);
    return {messages.block.begin, block_rows, block_};
}

void Rearranger::scatter(const Decomposition& decomposition, std::span<const std::byte> piece,
                         std::byte* values, const RowBytes& row, std::int64_t number) {
    const PieceMessages messages = messages_of(decomposition, piece_rows(row.all()), row.all(), number);
    const std::int64_t block_rows = messages.block.rows();
    GS_ASSERT(piece.size() == static_cast<std::size_t>(block_rows * row.all()));
    sent_.resize(messages.blocks_bytes);
    received_.resize(messages.values_bytes);
    const auto wanted = [&](std::int64_t segment, const Message& message) -> Rows<std::byte> {
        return {values + segment * decomposition.owned() * row.stride_or_bytes(), message.indices(), 0,
                row.stride_or_bytes()};
    };
    const auto in_block = [&](std::int64_t segment, const Message& message) {
        return rows_of_block(piece.data() + segment * block_rows * row.bytes, message, messages.base,
                             row.bytes);
    };
    copy_messages(messages.blocks, row, packed(sent_.data(), row.bytes), in_block);
    count(exchange(decomposition.comm(), row.all(), messages.blocks, sent_.data(), messages.values,
                   received_.data()));
    copy_messages(messages.values, row, wanted, packed(std::as_const(received_).data(), row.bytes));
    if (messages.own_block)
        for (std::int64_t s = 0; s < row.segments; ++s)
            copy_rows(wanted(s, *messages.own_values), in_block(s, *messages.own_block),
                      messages.own_block->rows(), row.bytes);
}

void Rearranger::count(const Traffic& traffic) {
    messages_sent_ += traffic.messages;
    bytes_sent_ += traffic.bytes;
}

}  // namespace groundswell::output
