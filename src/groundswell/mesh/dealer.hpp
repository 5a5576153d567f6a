// From the blocks of cells that ranks have read to the parts that they compute.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/mesh/assembly.hpp"
#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::mesh {

/// Ranks of `comm` that are the ranks `parts` of `ranks`.
std::vector<int> translate(MPI_Comm ranks, const std::vector<int>& parts, MPI_Comm comm);

/// The cells of this rank's block, ready to be sent to any rank. Their keys are rows of the block; rows
/// without a cell (land, say) may be missing.
template <class Head, class Side>
class Dealer {
public:
    using CellRows = Rows<Head, Side>;

    Dealer(parallel::SparseExchange& exchange, const parallel::RowBlocks& blocks, CellRows rows)
        : exchange_(exchange), blocks_(blocks), rows_(std::move(rows)), first_side_(first_sides(rows_)) {
        index_.assign(blocks.mine(), -1);
        for (std::size_t i = 0; i < rows_.heads.size(); ++i)
            index_[rows_.heads[i].key - blocks.begin()] = static_cast<std::int32_t>(i);
    }

    /// Sends each cell to the rank of `ranks` that owns it, and returns those that this one owns. Collective
    /// over `comm`, the exchange's.
    CellRows deal_owned(MPI_Comm comm, MPI_Comm ranks) {
        std::vector<std::int32_t> order(rows_.heads.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](std::int32_t c) { return rows_.heads[c].owner; });
        std::vector<int> parts;
        std::vector<std::size_t> begin;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int part = rows_.heads[order[i]].owner;
            if (!parts.empty() && parts.back() == part) continue;
            parts.push_back(part);
            begin.push_back(i);
        }
        begin.push_back(order.size());
        const std::vector<int> target = translate(ranks, parts, comm);
        std::vector<parallel::Parcel> outgoing;
        CellRows mine;
        for (std::size_t p = 0; p < parts.size(); ++p)
            put(target[p], std::span(order).subspan(begin[p], begin[p + 1] - begin[p]), outgoing, mine);
        order = {};
        take(exchange_(outgoing), mine);
        return mine;
    }

    /// The cells with these keys, ascending, from the ranks that have read them. Collective.
    CellRows fetch(std::span<const std::int64_t> keys) {
        std::vector<parallel::Parcel> questions, answers;
        CellRows rows;
        for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
            const int owner = blocks_.owner(keys[begin]);
            for (end = begin + 1; end < keys.size() && blocks_.owner(keys[end]) == owner;) ++end;
            const auto run = keys.subspan(begin, end - begin);
            if (owner == blocks_.rank) {
                put(owner, cells_at(run), answers, rows);
            } else {
                questions.push_back(parallel::pack_parcel<std::int64_t>(owner, run));
            }
        }
        for (const parallel::Parcel& question : exchange_(questions))
            put(question.rank, cells_at(parallel::unpack_parcel<std::int64_t>(question)), answers, rows);
        take(exchange_(answers), rows);
        return rows;
    }

private:
    static constexpr std::size_t longest_parcel = std::size_t{1} << 28;  // bytes; an MPI count is an int

    std::vector<std::int32_t> cells_at(std::span<const std::int64_t> keys) const {
        std::vector<std::int32_t> cells;
        cells.reserve(keys.size());
        for (const std::int64_t key : keys) cells.push_back(index_[key - blocks_.begin()]);
        return cells;
    }

    /// Cells for a rank: parcels of bounded length, or straight to `mine`.
    void put(int rank, std::span<const std::int32_t> cells, std::vector<parallel::Parcel>& outgoing,
             CellRows& mine) {
        if (rank == blocks_.rank) {
            std::size_t sides = 0;
            for (const std::int32_t c : cells) sides += static_cast<std::size_t>(rows_.heads[c].sides);
            mine.heads.reserve(mine.heads.size() + cells.size());
            mine.sides.reserve(mine.sides.size() + sides);
            for (const std::int32_t c : cells) {
                mine.heads.push_back(rows_.heads[c]);
                mine.sides.insert(mine.sides.end(), rows_.sides.begin() + first_side_[c],
                                  rows_.sides.begin() + first_side_[c + 1]);
            }
            return;
        }
        for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
            std::size_t bytes = 0;
            for (; end < cells.size() && bytes < longest_parcel; ++end)
                bytes += packed_size(rows_, cells[end]);
            outgoing.push_back({rank, pack(rows_, cells.subspan(begin, end - begin), first_side_)});
        }
    }

    static void take(std::vector<parallel::Parcel> incoming, CellRows& rows) {
        for (parallel::Parcel& parcel : incoming) {
            unpack(parcel.bytes, rows);
            parcel.bytes = {};
        }
    }

    parallel::SparseExchange& exchange_;
    parallel::RowBlocks blocks_;
    CellRows rows_;
    std::vector<std::int64_t> first_side_;
    std::vector<std::int32_t> index_;  // [block] cell of a row, -1 where there is none
};

/// Sends the cells of all blocks to the ranks that own them and to those that have them in their halos, and
/// makes each rank's part. Heads say owners, as ranks of `ranks`, which are the processes of `comm` in any
/// order. Memory by the rank's block and part; messages by the parts in its block and the blocks that its part
/// touches. Collective over `comm`, the exchange's.
template <class Head, class Side>
Assembly<Head, Side> deal_out(MPI_Comm comm, parallel::SparseExchange& exchange,
                              const parallel::RowBlocks& blocks, Rows<Head, Side> rows, MPI_Comm ranks,
                              int layers, int groups = 1) {
    Dealer<Head, Side> dealer(exchange, blocks, std::move(rows));
    Rows<Head, Side> owned = dealer.deal_owned(comm, ranks);
    return {std::move(owned), [&](std::span<const std::int64_t> keys) { return dealer.fetch(keys); }, layers,
            groups};
}

}  // namespace groundswell::mesh
