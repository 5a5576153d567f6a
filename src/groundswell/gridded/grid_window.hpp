#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/gridded/horizontal_grid.hpp"

namespace groundswell::gridded {

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
