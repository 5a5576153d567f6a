#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

/// Rows of a distributed dimension, owned in any scattered way.
namespace groundswell::output {

/// A half-open range of global rows.
struct Block {
    std::int64_t begin = 0, end = 0;
    std::int64_t rows() const { return end - begin; }
};

/// Rows (global positions 0…rows-1 along the first non-record dimension of a variable) each rank owns,
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

    /// Values that this rank sends to, or receives from, one other rank (or itself). `index` runs along global rows:
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

}  // namespace groundswell::output
