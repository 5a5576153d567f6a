#include "groundswell/gridded/grid_window.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

GridBox columns_around(const HorizontalGrid& grid, std::span<const char> used) {
    GridBox box;
    // The window begins after the longest run of columns that nobody needs, counted around the Earth; where
    // the grid ends, so does the run.
    const std::size_t n = grid.columns();
    const auto first_used = static_cast<std::size_t>(std::find(used.begin(), used.end(), 1) - used.begin());
    std::size_t last_used = n - 1;
    while (used[last_used] == 0) --last_used;
    std::size_t longest = first_used + n - 1 - last_used;  // the run across the ends
    box.first_column = first_used;
    if (grid.around_the_earth()) {
        std::size_t run = 0;
        for (std::size_t c = first_used; c <= last_used; ++c) {
            if (used[c] != 0) {
                if (run > longest) {
                    longest = run;
                    box.first_column = c;
                }
                run = 0;
            } else {
                ++run;
            }
        }
    }
    box.columns = n - longest;
    return box;
}

namespace {

// Marks of `margin` columns more on each side of those that have one.
std::vector<char> widened(const std::vector<char>& used, int margin, bool around) {
    const auto n = static_cast<std::ptrdiff_t>(used.size());
    std::vector<char> more(used.size(), 0);
    for (std::ptrdiff_t c = 0; c < n; ++c) {
        if (used[c] == 0) continue;
        for (std::ptrdiff_t other = c - margin; other <= c + margin; ++other) {
            if (other >= 0 && other < n)
                more[other] = 1;
            else if (around)
                more[((other % n) + n) % n] = 1;
        }
    }
    return more;
}

}  // namespace

GridWindow::GridWindow(const HorizontalGrid& grid, std::span<const double> longitude,
                       std::span<const double> latitude, int margin) {
    if (longitude.empty()) return;
    std::vector<HorizontalGrid::Box> boxes(longitude.size());
    std::vector<char> used(grid.columns(), 0);
    std::int32_t lowest = static_cast<std::int32_t>(grid.rows()), highest = -1;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        GS_ASSERT(grid.locate(longitude[i], latitude[i], boxes[i]));
        for (int corner = 0; corner < 2; ++corner) {
            used[boxes[i].column[corner]] = 1;
            lowest = std::min(lowest, boxes[i].row[corner]);
            highest = std::max(highest, boxes[i].row[corner]);
        }
    }
    const std::size_t n = grid.columns();
    if (margin > 0) used = widened(used, margin, grid.around_the_earth());
    lowest = std::max(lowest - margin, 0);
    highest = std::min(highest + margin, static_cast<std::int32_t>(grid.rows()) - 1);
    box_ = columns_around(grid, used);
    box_.first_row = static_cast<std::size_t>(lowest);
    box_.rows = static_cast<std::size_t>(highest - lowest + 1);

    stencils_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        Stencil& stencil = stencils_[i];
        for (int corner = 0; corner < 4; ++corner) {
            const auto row = static_cast<std::size_t>(boxes[i].row[corner / 2]) - box_.first_row;
            const auto column =
                (static_cast<std::size_t>(boxes[i].column[corner % 2]) + n - box_.first_column) % n;
            stencil.corner[corner] = static_cast<std::int32_t>(row * box_.columns + column);
        }
        stencil.column_weight = snapped(boxes[i].column_weight);
        stencil.row_weight = snapped(boxes[i].row_weight);
    }
}

}  // namespace groundswell::gridded
