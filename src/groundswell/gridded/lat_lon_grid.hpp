#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace groundswell::gridded {

/// A latitude/longitude grid of a file: one-dimensional axes, spacing free, latitudes in either order,
/// longitudes from any origin. A grid that goes around the Earth has no seam.
///
/// A point lies inside the grid up to half a spacing beyond the outermost rows and columns (values stand for
/// boxes); there the outermost value holds. Beyond the last row of a grid around the Earth the same holds up
/// to the pole.
class LatLonGrid {
public:
    /// Axes in degrees, as stored. Throws base::Refusal naming `where` and the axis when an axis has fewer
    /// than two values, is not monotonic (longitudes: eastward, one jump by 360° allowed), or is not on the
    /// Earth.
    LatLonGrid(std::string_view where, std::vector<double> longitude, std::vector<double> latitude);

    /// Columns in use; a repeated last column (0° and 360°) is not.
    std::size_t columns() const { return longitude_.size(); }
    std::size_t rows() const { return latitude_.size(); }
    bool around_the_earth() const { return periodic_; }

    /// Corners of the box around a point, as columns and rows of the file, and the weights of the second
    /// ones.
    struct Box {
        std::int32_t column[2], row[2];
        double column_weight, row_weight;  // 0…1
    };
    /// False when the point (rad) lies outside.
    bool locate(double longitude, double latitude, Box& box) const;

    double longitude(std::size_t column) const { return longitude_[column]; }  ///< degrees, increasing
    double latitude(std::size_t row) const { return latitude_[row]; }  ///< degrees, in the file's order
    /// "110.0…130.1 E, 9.9…29.9 N", for messages.
    std::string describe() const;
    bool operator==(const LatLonGrid& other) const;

private:
    std::vector<double> longitude_, latitude_;  // degrees
    bool periodic_ = false;
    bool southward_ = false;  // latitudes fall with the row
};

/// A part of a grid: consecutive rows and columns. Columns may run past the last one of a grid around the
/// Earth: then they go on at 0.
struct GridBox {
    std::size_t first_row = 0, rows = 0, first_column = 0, columns = 0;
    std::size_t size() const { return rows * columns; }
};

/// The fewest columns that hold all that are used: `used` has a mark for every column, at least one of them
/// set. Rows are left 0.
GridBox columns_around(const LatLonGrid& grid, std::span<const char> used);

/// The part of a grid that some points need, and how each point is interpolated from it (bilinear).
class GridWindow {
public:
    /// Points in rad, all inside the grid (Defect otherwise).
    GridWindow(const LatLonGrid& grid, std::span<const double> longitude, std::span<const double> latitude);

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
