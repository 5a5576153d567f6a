#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/gridded/axis/axis.hpp"
#include "groundswell/gridded/grid_mapping.hpp"

namespace groundswell::gridded {

/// The grid of a file with two axes: longitude and latitude in degrees, or those of a mapping (rotated degrees, m).
/// Spacing free, rows in either order, longitudes from any origin. A grid that goes around the Earth has no seam.
///
/// A point lies inside the grid up to half a spacing beyond the outermost rows and columns (values stand for
/// boxes); there the outermost value holds. Beyond the last row of a grid around the Earth the same holds up
/// to the pole. Between rows, or columns, more than 2.5 times as far apart as is usual around there (the median of
/// seven spacings) the grid has a hole.
class HorizontalGrid {
public:
    /// Axes as stored, in degrees or m. Throws base::Refusal naming `where` and the axis when an axis has fewer
    /// than two values, is not monotonic (columns: increasing, longitudes with one jump by 360° allowed), or is not on
    /// the Earth.
    HorizontalGrid(std::string_view where, std::vector<double> x, std::vector<double> y,
                   std::shared_ptr<const GridMapping> mapping = nullptr);

    /// Columns in use; a repeated last column (0° and 360°) is not.
    std::size_t columns() const { return x_.size(); }
    std::size_t rows() const { return y_.size(); }
    bool around_the_earth() const { return periodic_; }
    /// Null where the axes are longitude and latitude.
    const GridMapping* mapping() const { return mapping_.get(); }

    /// Corners of the box around a point, as columns and rows of the file, and the weights of the second
    /// ones.
    struct Box {
        std::int32_t column[2], row[2];
        double column_weight, row_weight;  // 0…1
        double hole = 0.0;  // how far apart its sides are, in the axis's unit, if it is a hole of the grid
    };
    /// False when the point (rad) lies outside.
    bool locate(double longitude, double latitude, Box& box) const;
    /// Rows or columns from a point (rad) to the nearest side at which the grid ends, 0 beyond it; infinite where it goes around
    /// the Earth from pole to pole. The point lies inside.
    double steps_to_rim(double longitude, double latitude) const;
    /// Place of a point (rad) on the axes.
    GridMapping::Place place(double longitude, double latitude) const;

    /// Whether a place (rad) is that of a point of the grid, within half a spacing.
    bool is_near(double longitude, double latitude, std::size_t column, std::size_t row) const;

    double x(std::size_t column) const { return x_[column]; }  ///< of a column, increasing
    double y(std::size_t row) const { return y_[row]; }        ///< of a row, in the file's order
    /// "110.0…130.1°E, 9.9…29.9°N", for messages.
    std::string describe() const;
    /// "112.000°E, 17.000°N".
    std::string describe(std::size_t column, std::size_t row) const;
    const char* unit() const { return mapping_ && !mapping_->in_degrees() ? " m" : "°"; }
    bool operator==(const HorizontalGrid& other) const;

private:
    std::optional<Axis::Between> find_column(double x) const;
    std::optional<Axis::Between> find_row(double y) const;
    bool in_degrees() const { return mapping_ == nullptr || mapping_->in_degrees(); }

    Axis x_, y_;
    std::shared_ptr<const GridMapping> mapping_;
    double tolerance_x_ = 0.0, tolerance_y_ = 0.0;  // axes are often stored as float
    bool periodic_ = false;
};

}  // namespace groundswell::gridded
