#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Rows of a distributed dimension, owned in any scattered way, and their way into contiguous blocks.
namespace groundswell::output {

/// A half-open range of global rows.
struct Block {
    std::int64_t begin = 0, end = 0;
    std::int64_t rows() const { return end - begin; }
};

/// Which rows (global positions 0…rows-1 along the first non-record dimension of a variable) each rank owns,
/// and the plan that moves them to the ranks' blocks: rank r of P gets rows [r·rows/P, (r+1)·rows/P). The
/// plan is found by arithmetic and one sparse exchange; no rank ever holds an array of global length.
/// Immutable: any number of files and variables may share one.
class Decomposition {
public:
    /// Collective over `comm`, which must stay valid as long as the decomposition. `owned` lists this rank's
    /// rows in the order in which it will give their values; it may be empty. Every row must be owned by
    /// exactly one rank: Defect on all ranks otherwise.
    Decomposition(MPI_Comm comm, std::int64_t rows, std::span<const std::int64_t> owned);

    MPI_Comm comm() const { return comm_; }
    std::int64_t rows() const { return rows_; }                                      ///< global
    std::int64_t owned() const { return static_cast<std::int64_t>(order_.size()); }  ///< of this rank
    Block block(int rank) const;                                                     ///< of any rank
    std::vector<std::int64_t> owned_rows() const;         ///< of this rank, as they were listed
    std::uint64_t identity() const { return identity_; }  ///< no other one of this process has it

    /// What this rank sends to, or receives from, one other rank (or itself). `index` runs along global rows:
    /// on the sender it holds indices into the values given, on the receiver rows relative to the block.
    struct Partner {
        int rank = 0;
        std::vector<std::int32_t> index;
        std::vector<std::int64_t> row;  ///< sender only: the global row of each index, ascending
    };
    const std::vector<Partner>& senders() const { return senders_; }  ///< ranks that this one receives from
    const std::vector<Partner>& receivers() const { return receivers_; }  ///< ranks that this one sends to

private:
    MPI_Comm comm_;
    std::int64_t rows_;
    std::uint64_t identity_;
    int ranks_ = 1;
    std::vector<std::int32_t> order_;  // indices into the values given, by ascending row
    std::vector<Partner> senders_, receivers_;
};

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
