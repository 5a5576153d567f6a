#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

/// Cells whose time steps are alike step together: cluster c takes steps `rate`ᶜ times as long as cluster 0 (A. Breuer,
/// A. Heinecke and M. Bader 2016, doi:10.1109/IPDPS.2016.109). Which cells that are follows from the graph of cells and the
/// longest step of each alone.
namespace groundswell::graph {

struct ClusterOptions {
    int rate = 2;  ///< between one cluster and the next; 1: one step for all
    double scale =
        1.0;        ///< of the step of cluster 0, above 1/rate: a shorter one may fill the clusters better
    int most = 64;  ///< clusters
};

struct Clusters {
    double step = 0.0;  ///< of cluster 0, s
    int rate = 2;
    std::vector<std::int32_t> of;      ///< of each of this rank's cells
    std::vector<std::int64_t> cells;   ///< in each cluster, of the whole mesh
    std::vector<std::int64_t> before;  ///< the same before neighbours were minded
    std::int64_t uneven_sides = 0;     ///< between cells of two clusters, in the whole mesh

    /// Steps that all cells take in a second of simulated time.
    double cost() const;
    /// Updates of a cell, on average over the whole mesh, from one meeting of all clusters to the next: `ticks` steps of
    /// cluster 0.
    double updates_of_cell(std::int64_t ticks) const;
};

/// This rank's cells and what lies beyond their sides, which is what holds cells back: found once for all clusters that are
/// tried.
class ClusterGraph {
public:
    /// Neighbour beyond a side: the row of a cell. `together`: the two cells must be of one cluster.
    struct Side {
        std::int64_t row = -1;
        bool together = false;
    };

    /// Cell c has row row[c] of this rank's block, ascending, and sides [offset[c], offset[c+1]). Rows may be without a cell;
    /// what lies beyond a side is one. Local, not collective.
    ClusterGraph(const parallel::RowBlocks& blocks, std::span<const std::int64_t> row,
                 std::vector<std::int64_t> offset, std::span<const Side> sides);

    /// Lowers cells until neighbours differ by one cluster at most, and not at all where they must be together: that leaves one
    /// outcome, whatever the order. Returns how many sides lie between two clusters, counted on the side of the higher one.
    /// `cluster`: of each cell. Collective.
    std::int64_t lower(MPI_Comm comm, parallel::SparseExchange& exchange,
                       std::vector<std::int32_t>& cluster) const;

private:
    // A neighbour is at most `more` clusters above. One of another rank: `cell` is its place among those asked about.
    struct Near {
        std::int32_t cell, more;
        bool elsewhere;
    };
    struct Question {
        std::int64_t row;
    };

    std::span<const Near> around(std::size_t cell) const {
        return std::span(near_).subspan(offset_[cell], offset_[cell + 1] - offset_[cell]);
    }
    void lower_within(std::vector<std::int32_t>& cluster, std::span<const std::int32_t> changed) const;

    parallel::RowBlocks blocks_;
    std::vector<std::int32_t> cell_of_row_;  // [block], -1 where there is none
    std::vector<std::int64_t> offset_;
    std::vector<Near> near_;
    std::vector<Question> questions_;  // about the cells of other blocks that touch this one
};

/// Puts each cell into the highest cluster that its longest step allows, and minds neighbours. `step` in s, by cell. The same
/// on any ranks. Collective.
Clusters find_clusters(MPI_Comm comm, parallel::SparseExchange& exchange, const ClusterGraph& graph,
                       std::span<const double> step, const ClusterOptions& options);

/// The scale of cluster 0's step at which cells take the fewest steps in a second of simulated time, neighbours minded: 1, or
/// one of the hundredths between 1/rate and 1 (A. Breuer and A. Heinecke 2022, arXiv:2202.10313). The same on any ranks;
/// `options.scale` has no part in it. Collective.
double find_scale(MPI_Comm comm, parallel::SparseExchange& exchange, const ClusterGraph& graph,
                  std::span<const double> step, ClusterOptions options);

}  // namespace groundswell::graph
