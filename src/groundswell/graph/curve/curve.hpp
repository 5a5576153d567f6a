// Cells put in the order of a curve, and cut into parts along it, by all ranks together.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::graph {

/// A cell where it stands on a curve; of cells at one place the one with the lower row comes first. Rows are
/// unique over all ranks.
struct CurveCell {
    std::uint64_t position = 0;
    std::int64_t row = 0;
    std::int64_t weight = 1;
    std::int32_t group = 0;  ///< 0, 1, …
};

/// Position of a cell along the curve.
struct CurvePlace {
    std::int64_t place = 0;  ///< cells before it on the whole curve
    int part = 0;            ///< stretch of the curve among the cells of its group, 0 … parts - 1
};

/// Places and parts of this rank's cells, in their order; the same for any number of ranks and any way to
/// spread cells over them. Every part has its share of each group, so that what groups do one after the other
/// takes all parts as long. The cells are sorted by halves: all ranks find the place that divides the cells in
/// the middle, cells pass to their side of it, and each half of the ranks goes on alone. No rank ever holds
/// more than its share of the cells, nor anything of all ranks: memory by the rank's cells, and messages by
/// the logarithm of the number of ranks, but for the answers, which go back to where cells came from.
/// Collective.
std::vector<CurvePlace> cut_along_curve(MPI_Comm comm, parallel::SparseExchange& exchange,
                                        std::span<const CurveCell> cells, int parts);

}  // namespace groundswell::graph
