#include "groundswell/gridded/shared_window.hpp"

#include <algorithm>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::gridded {

namespace {

constexpr int largest_group = 8;
constexpr int tag = 1;

/// The smallest box around all boxes; columns are counted around the Earth where the grid is.
GridBox box_around(const HorizontalGrid& grid, std::span<const GridBox> boxes) {
    std::vector<char> used(grid.columns(), 0);
    std::size_t south = std::numeric_limits<std::size_t>::max(), end = 0;
    for (const GridBox& box : boxes) {
        if (box.size() == 0) continue;
        south = std::min(south, box.first_row);
        end = std::max(end, box.first_row + box.rows);
        for (std::size_t i = 0; i < box.columns; ++i) used[(box.first_column + i) % used.size()] = 1;
    }
    if (end == 0) return {};
    GridBox around = columns_around(grid, used);
    around.first_row = south;
    around.rows = end - south;
    return around;
}

}  // namespace

parallel::Communicator reading_group(MPI_Comm comm) {
    const parallel::Placement placement = parallel::find_placement(comm);
    const parallel::Communicator host = parallel::host_communicator(comm, placement);
    return parallel::Communicator::split(host.get(), host.rank() / largest_group, host.rank());
}

SharedWindow::SharedWindow(MPI_Comm group, const HorizontalGrid& grid, const GridBox& window,
                           std::size_t together)
    : group_(group), rank_(parallel::rank_of(group)), grid_columns_(grid.columns()) {
    const int ranks = parallel::size_of(group);
    static_assert(sizeof(GridBox) == 4 * sizeof(std::size_t));
    windows_.resize(ranks);
    parallel::check(
        MPI_Allgather(&window, sizeof(GridBox), MPI_BYTE, windows_.data(), sizeof(GridBox), MPI_BYTE, group),
        "share what ranks need of a field");
    const GridBox all = box_around(grid, windows_);
    const std::size_t end = all.first_row + all.rows;
    const std::size_t first_piece = all.first_row / together;
    const std::size_t pieces = all.rows == 0 ? 0 : (end - 1) / together + 1 - first_piece;
    const auto limit = [&](int rank) {
        const std::size_t piece =
            first_piece + pieces * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks);
        return std::clamp(piece * together, all.first_row, end);
    };
    for (int rank = 0; rank < ranks; ++rank) {
        GridBox band = all;
        band.first_row = limit(rank);
        band.rows = (rank + 1 == ranks ? end : limit(rank + 1)) - band.first_row;
        bands_.push_back(band);
    }
}

std::size_t SharedWindow::largest() const {
    std::size_t largest = 0;
    for (const GridBox& window : windows_) largest = std::max(largest, window.size());
    return largest;
}

SharedWindow::Overlap SharedWindow::overlap(const GridBox& band, const GridBox& window) {
    if (band.size() == 0 || window.size() == 0) return {0, 0};
    const std::size_t begin = std::max(band.first_row, window.first_row);
    const std::size_t end = std::min(band.first_row + band.rows, window.first_row + window.rows);
    return {begin, std::max(begin, end)};
}

/// The rows of a window that this rank has read, row after row.
std::vector<double> SharedWindow::cut_out(std::span<const double> band_values, const GridBox& window) const {
    const Overlap rows = overlap(band(), window);
    std::vector<double> values;
    values.reserve((rows.end - rows.begin) * window.columns);
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const double* const of_row = band_values.data() + (row - band().first_row) * band().columns;
        std::size_t column = (window.first_column + grid_columns_ - band().first_column) % grid_columns_;
        for (std::size_t i = 0; i < window.columns; ++i) {
            values.push_back(of_row[column]);
            column = column + 1 == grid_columns_ ? 0 : column + 1;
        }
    }
    return values;
}

void SharedWindow::exchange(std::span<const double> band_values, std::vector<double>& window_values) {
    GS_ASSERT(band_values.size() == band().size());
    constexpr auto what = "share out a field";
    const GridBox& mine = windows_[rank_];
    window_values.resize(mine.size());
    std::vector<MPI_Request> requests;
    std::vector<std::vector<double>> sent;
    sent.reserve(windows_.size());
    for (int rank = 0; rank < static_cast<int>(windows_.size()); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        // What lies in another's band stands together in the window: whole rows of it.
        const Overlap in = overlap(bands_[r], mine);
        const std::size_t offset = in.end > in.begin ? (in.begin - mine.first_row) * mine.columns : 0;
        const std::size_t count = (in.end - in.begin) * mine.columns;
        if (rank == rank_) {
            const std::vector<double> kept = cut_out(band_values, mine);
            std::copy(kept.begin(), kept.end(), window_values.begin() + static_cast<std::ptrdiff_t>(offset));
            continue;
        }
        if (count > 0) {
            requests.push_back(MPI_REQUEST_NULL);
            parallel::check(MPI_Irecv(window_values.data() + offset, static_cast<int>(count), MPI_DOUBLE,
                                      rank, tag, group_, &requests.back()),
                            what);
        }
        sent.push_back(cut_out(band_values, windows_[r]));
        if (sent.back().empty()) continue;
        requests.push_back(MPI_REQUEST_NULL);
        parallel::check(MPI_Isend(sent.back().data(), static_cast<int>(sent.back().size()), MPI_DOUBLE, rank,
                                  tag, group_, &requests.back()),
                        what);
        ++messages_sent_;
        bytes_sent_ += static_cast<std::int64_t>(sent.back().size() * sizeof(double));
    }
    parallel::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                    what);
}

}  // namespace groundswell::gridded
