#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/gridded/linear_in_time.hpp"
#include "groundswell/gridded/series_times.hpp"
#include "groundswell/gridded/shared_window.hpp"
#include "groundswell/parallel/read_cost.hpp"

namespace groundswell::gridded {

/// One quantity on a rank's cells as a function of time, from one or more files: linear in time, bilinear in
/// space. Ranks read together, in groups (SharedWindow). Of the grid a rank holds, while reading, its band
/// and the window that its cells need, and between reads the values of two times on the cells.
class GridSeries {
public:
    using Source = SeriesSource;
    /// `sources` in order of time, at least one, all on one grid; where two overlap the later one holds.
    /// `longitude`, `latitude`: [owned] rad. Checks that period and region are covered, that no time is missing
    /// (find_gap) and that no cell lies in a hole of the grid. Throws base::Refusal. Not collective.
    GridSeries(const Quantity& quantity, const std::vector<Source>& sources, const TimeRules& rules,
               std::span<const double> longitude, std::span<const double> latitude, base::Instant start,
               base::Instant end);

    /// Checks the values themselves where no rank of the group has to read more than `check_mebibytes` for
    /// that, and those at `start`. Throws base::Refusal on all ranks of the group. Collective over `group`,
    /// which must outlive the series.
    void open(MPI_Comm group, double check_mebibytes, base::Instant start);

    /// Values on the cells at a time of the period, good until the next call; the same time on all ranks of the group.
    /// Throws base::RunFailure on all of them when a value is missing on any, and Stated::gaps of the first source says no other. Collective over the group.
    LinearInTime at(base::Instant time);

    parallel::ReadCost cost() const { return {shared_->messages_sent(), shared_->bytes_sent(), bytes_read_}; }

    /// Cells of the rank that lie in the grid.
    std::size_t cells_inside() const { return quantity_.beyond ? inside_.size() : levels_[0].cells.size(); }
    const HorizontalGrid& grid() const { return variables_.front().grid(); }
    bool along_grid() const { return variables_.front().along_grid(); }

private:
    void check_region(std::span<const double> longitude, std::span<const double> latitude) const;
    [[noreturn]] void refuse_hole(const HorizontalGrid::Box& box, double longitude, double latitude) const;
    LinearInTime::Level level(std::size_t record, std::size_t other);
    void load(std::size_t record, std::vector<double>& cells);
    void read_band(std::size_t record);
    void open_file(std::size_t source);
    void interpolate(std::size_t record, std::vector<double>& cells) const;
    double value_at(std::size_t record, std::size_t place) const;
    std::optional<double> nearest_known(std::size_t place) const;
    [[noreturn]] void report_bad_value(std::size_t record, std::size_t place) const;

    Quantity quantity_;
    std::vector<std::size_t> inside_;  // of these, those in the grid, with Quantity::beyond
    std::vector<Source> sources_;
    std::vector<GridVariable> variables_;  // [sources]
    std::optional<SeriesTimes> times_;
    std::optional<GridWindow> window_;
    MPI_Comm group_ = MPI_COMM_NULL;
    std::optional<SharedWindow> shared_;
    std::unique_ptr<netcdf::Reader> open_;  // the file last read
    std::size_t open_source_ = 0;
    std::vector<double> band_;     // [the rank's band]
    std::vector<double> scratch_;  // [window]
    std::int64_t bytes_read_ = 0;

    struct Level {
        std::optional<std::size_t> record;
        std::vector<double> cells;  // [owned], Quantity::beyond where they are not in the grid
    };
    Level levels_[2];
};

}  // namespace groundswell::gridded
