#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/gridded/grid_window.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::gridded {

/// Ranks that read fields together: at most eight of one host, next to each other. So what a rank sends, and
/// how often a piece of a file is read, follow from the group and not from the number of ranks. Collective.
parallel::Communicator reading_group(MPI_Comm comm);

/// The part of a grid that a group of ranks needs, read by them together: each reads a band of whole rows of
/// it, and they send each other what lies in their windows.
class SharedWindow {
public:
    /// `window`: what this rank needs of `grid`, the same grid on all ranks; it may be empty. Bands end where
    /// pieces of `together` rows end that the file stores (and unpacks) as one. `group` must outlive it.
    /// Collective over `group`.
    SharedWindow(MPI_Comm group, const HorizontalGrid& grid, const GridBox& window, std::size_t together);

    /// The rows that this rank reads; may be empty.
    const GridBox& band() const { return bands_[rank_]; }

    /// Values of the largest window of the group.
    std::size_t largest() const;

    /// Takes the values of this rank's band and gives those of its window. Collective over the group.
    void exchange(std::span<const double> band_values, std::vector<double>& window_values);

    std::int64_t messages_sent() const { return messages_sent_; }
    std::int64_t bytes_sent() const { return bytes_sent_; }

private:
    /// Rows [begin, end) that are in a band and in a window.
    struct Overlap {
        std::size_t begin, end;
    };
    static Overlap overlap(const GridBox& band, const GridBox& window);
    std::vector<double> cut_out(std::span<const double> band_values, const GridBox& window) const;

    MPI_Comm group_;
    int rank_ = 0;
    std::size_t grid_columns_;
    std::vector<GridBox> windows_, bands_;  // of the ranks of the group
    std::int64_t messages_sent_ = 0, bytes_sent_ = 0;
};

}  // namespace groundswell::gridded
