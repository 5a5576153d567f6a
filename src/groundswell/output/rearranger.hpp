#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/output/decomposition.hpp"

namespace groundswell::output {

/// Where the rows that a rank owns stand in its memory: row i of segment s (RowShape) at byte
/// (s · owned + i) · stride.
struct RowBytes {
    std::int64_t bytes = 0;     ///< of a row in one segment
    std::int64_t stride = 0;    ///< from one row to the next; 0: they are packed
    std::int64_t segments = 1;  ///< of the variable
    std::int64_t stride_or_bytes() const { return stride == 0 ? bytes : stride; }
    std::int64_t all() const { return bytes * segments; }  ///< of a row in all segments
};

/// Moves values into the blocks and back, piece by piece, so that a wide row (a whole spectrum) never costs a
/// second copy of the state. Owns the buffers; one per file and thread.
class Rearranger {
public:
    /// At most this many bytes of a block are in memory at a time (at least one row).
    explicit Rearranger(std::int64_t piece_bytes = std::int64_t{8} << 20) : piece_bytes_(piece_bytes) {}

    /// Pieces that the largest block is cut into; the same on every rank.
    std::int64_t pieces(const Decomposition& decomposition, const RowBytes& row) const;

    /// Rows of this rank's part of piece `number`; may be none.
    Block rows_of_piece(const Decomposition& decomposition, const RowBytes& row, std::int64_t number) const;

    struct Piece {
        std::int64_t first_row = 0;  ///< global
        std::int64_t rows = 0;       ///< may be zero
        /// segments × rows × row.bytes, valid until the next call; may be overwritten
        std::span<std::byte> bytes;
    };
    /// Collective over the decomposition's communicator. `values` holds the owned rows as RowBytes says; i
    /// counts as `owned` did. Returns this rank's part of piece `number`.
    Piece gather(const Decomposition& decomposition, const std::byte* values, const RowBytes& row,
                 std::int64_t number);

    /// The way back: `piece` holds this rank's rows_of_piece(); each row goes to the rank that owns it, there
    /// to its place in `values`. Collective over the decomposition's communicator.
    void scatter(const Decomposition& decomposition, std::span<const std::byte> piece, std::byte* values,
                 const RowBytes& row, std::int64_t number);

    /// Messages to other ranks, and the bytes in them.
    struct Traffic {
        std::int64_t messages = 0, bytes = 0;
    };

    /// By this rank to others, since construction.
    std::int64_t messages_sent() const { return messages_sent_; }
    std::int64_t bytes_sent() const { return bytes_sent_; }

private:
    std::int64_t piece_rows(std::int64_t bytes) const;
    void count(const Traffic& traffic);

    std::int64_t piece_bytes_;
    std::int64_t messages_sent_ = 0, bytes_sent_ = 0;
    std::vector<std::byte> sent_, received_, block_;
};

}  // namespace groundswell::output
