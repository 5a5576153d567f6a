#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    struct Side;  // where a coordinate lies on an axis
    bool find_column(double x, Side& side) const;
    bool find_row(double y, Side& side) const;
    bool in_degrees() const { return mapping_ == nullptr || mapping_->in_degrees(); }

    std::vector<double> x_, y_;
    std::vector<double> usual_x_, usual_y_;  // spacing around there, between one column or row and the next
    std::shared_ptr<const GridMapping> mapping_;
    double tolerance_x_ = 0.0, tolerance_y_ = 0.0;  // axes are often stored as float
    bool periodic_ = false;
    bool southward_ = false;  // y falls with the row
};

/// A part of a grid: consecutive rows and columns. Columns may run past the last one of a grid around the
/// Earth: then they go on at 0.
struct GridBox {
    std::size_t first_row = 0, rows = 0, first_column = 0, columns = 0;
    std::size_t size() const { return rows * columns; }
};

/// The fewest columns that hold all that are used: `used` has a mark for every column, at least one of them
/// set. Rows are left 0.
GridBox columns_around(const HorizontalGrid& grid, std::span<const char> used);

/// The part of a grid that some points need, and how each point is interpolated from it (bilinear).
class GridWindow {
public:
    /// Points in rad, all inside the grid (Defect otherwise). `margin`: rows and columns more on each side, where the grid has
    /// them.
    GridWindow(const HorizontalGrid& grid, std::span<const double> longitude,
               std::span<const double> latitude, int margin = 0);

    const GridBox& box() const { return box_; }
    std::size_t size() const { return box_.size(); }

    struct Stencil {
        std::int32_t corner[4];  // places in the window: (row 0, column 0), (0, 1), (1, 0), (1, 1)
        double column_weight, row_weight;
        /// Weight of a corner.
        double weight(int i) const {
            return (i % 2 == 1 ? column_weight : 1.0 - column_weight) *
                   (i / 2 == 1 ? row_weight : 1.0 - row_weight);
        }
    };
    std::span<const Stencil> stencils() const { return stencils_; }

private:
    GridBox box_;
    std::vector<Stencil> stencils_;  // [points]
};

}  // namespace groundswell::gridded
