#include "groundswell/gridded/horizontal_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

namespace {

constexpr double hole_factor = 2.5;    // times the usual spacing
constexpr std::size_t neighbours = 3;  // spacings on either side that tell what is usual

// x brought into [origin, origin + 360).
double wrapped(double x, double origin) {
    const double turns = std::floor((x - origin) / 360.0);
    const double result = x - 360.0 * turns;
    return result >= origin + 360.0 ? origin : result;
}

// A point on a grid line must not feel a missing value beyond it through rounding.
double snapped(double weight) {
    return weight < 1e-9 ? 0.0 : weight > 1.0 - 1e-9 ? 1.0 : weight;
}

// What is usual around each spacing of an axis: the median of it and its neighbours, of two in the middle the smaller.
std::vector<double> usual_spacings(const std::vector<double>& axis) {
    std::vector<double> usual(axis.size() - 1);
    for (std::size_t i = 0; i < usual.size(); ++i) {
        std::vector<double> near;
        for (std::size_t j = i > neighbours ? i - neighbours : 0;
             j <= std::min(i + neighbours, usual.size() - 1); ++j)
            near.push_back(std::abs(axis[j + 1] - axis[j]));
        const auto middle = near.begin() + static_cast<std::ptrdiff_t>((near.size() - 1) / 2);
        std::nth_element(near.begin(), middle, near.end());
        // Two do not tell which of them is usual.
        usual[i] = near.size() > 2 ? *middle : std::abs(axis[i + 1] - axis[i]);
    }
    return usual;
}

double width_of_hole(double spacing, double usual) {
    return spacing > hole_factor * usual ? spacing : 0.0;
}

}  // namespace

struct HorizontalGrid::Side {
    std::size_t before, after;
    double weight, hole;
};

HorizontalGrid::HorizontalGrid(std::string_view where, std::vector<double> x, std::vector<double> y,
                               std::shared_ptr<const GridMapping> mapping)
    : x_(std::move(x)), y_(std::move(y)), mapping_(std::move(mapping)) {
    const char *const columns = mapping_ ? "x axis" : "longitude", *const rows =
                                                                       mapping_ ? "y axis" : "latitude";
    base::require(x_.size() >= 2, where, columns, fmt::format("{} values", x_.size()), "at least two");
    base::require(y_.size() >= 2, where, rows, fmt::format("{} values", y_.size()), "at least two");
    double offset = 0.0;
    for (std::size_t i = 1; i < x_.size(); ++i) {
        if (in_degrees() && x_[i] + offset < x_[i - 1] && offset == 0.0) offset = 360.0;
        x_[i] += offset;
        base::require(x_[i] > x_[i - 1], where, fmt::format("{}[{}]", columns, i),
                      fmt::format("{}", x_[i] - offset),
                      in_degrees() ? "degrees that increase eastward" : "numbers that increase");
    }
    southward_ = y_[1] < y_[0];
    for (std::size_t i = 0; i < y_.size(); ++i) {
        const bool on_earth = std::abs(y_[i]) <= (in_degrees() ? 90.0001 : 1e9);
        const bool ordered = i == 0 || (southward_ ? y_[i] < y_[i - 1] : y_[i] > y_[i - 1]);
        base::require(on_earth && ordered, where, fmt::format("{}[{}]", rows, i), fmt::format("{}", y_[i]),
                      in_degrees() ? "degrees within -90…90, all rising or all falling"
                                   : "numbers that all rise or all fall");
    }
    usual_x_ = usual_spacings(x_);
    usual_y_ = usual_spacings(y_);
    tolerance_x_ = in_degrees() ? 1e-4 : 1e-3 * usual_x_.front();
    tolerance_y_ = in_degrees() ? 1e-4 : 1e-3 * usual_y_.front();
    if (!in_degrees()) {
        base::require(std::abs(x_.front()) < 1e9 && std::abs(x_.back()) < 1e9, where, columns,
                      fmt::format("{}…{}", x_.front(), x_.back()), "metres within ±1e9");
        return;
    }
    const double span = x_.back() - x_.front();
    base::require(std::abs(x_.front()) <= 720.0 && span <= 360.0 + tolerance_x_, where, columns,
                  fmt::format("{}…{}", x_.front(), x_.back()), "degrees, once around at most");
    if (span >= 360.0 - tolerance_x_) {
        x_.pop_back();
        usual_x_.pop_back();
        periodic_ = true;
    } else {
        double widest = 0.0;  // but for holes
        for (std::size_t i = 1; i < x_.size(); ++i)
            if (const double spacing = x_[i] - x_[i - 1]; width_of_hole(spacing, usual_x_[i - 1]) == 0.0)
                widest = std::max(widest, spacing);
        periodic_ = 360.0 - span <= 1.5 * widest;
    }
}

double HorizontalGrid::steps_to_rim(double longitude, double latitude) const {
    Box box;
    if (!locate(longitude, latitude, box)) return 0.0;
    double steps = std::numeric_limits<double>::infinity();
    const auto look = [&](const std::int32_t* sides, double weight, std::size_t count) {
        const double at = sides[0] + weight * (sides[1] - sides[0]);
        steps = std::min({steps, at, static_cast<double>(count - 1) - at});
    };
    if (!periodic_) look(box.column, box.column_weight, x_.size());
    const bool to_the_poles = periodic_ && in_degrees() && std::abs(y_.front()) + std::abs(y_.back()) > 176.0;
    if (!to_the_poles) look(box.row, box.row_weight, y_.size());
    return steps;
}

GridMapping::Place HorizontalGrid::place(double longitude, double latitude) const {
    if (mapping_) return mapping_->place(longitude, latitude);
    return {longitude / base::degree, latitude / base::degree};
}

bool HorizontalGrid::is_near(double longitude, double latitude, std::size_t column, std::size_t row) const {
    const GridMapping::Place at = place(longitude, latitude);
    double off = at.x - x_[column];
    if (in_degrees()) off = std::remainder(off, 360.0);
    // The poles have any longitude.
    const bool pole = in_degrees() && std::abs(y_[row]) > 90.0 - tolerance_y_;
    return (pole || std::abs(off) <= 0.5 * usual_x_[std::min(column, usual_x_.size() - 1)]) &&
           std::abs(at.y - y_[row]) <= 0.5 * usual_y_[std::min(row, usual_y_.size() - 1)];
}

bool HorizontalGrid::find_column(double place, Side& side) const {
    const std::size_t n = x_.size();
    const double first = x_.front(), last = x_.back();
    if (periodic_) {
        const double x = wrapped(place, first);
        side.before = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin()) - 1;
        const bool seam = side.before + 1 == n;
        side.after = seam ? 0 : side.before + 1;
        const double spacing = (seam ? first + 360.0 : x_[side.after]) - x_[side.before];
        side.weight = (x - x_[side.before]) / spacing;
        side.hole = seam ? 0.0 : width_of_hole(spacing, usual_x_[side.before]);
        return true;
    }
    const double west = first - 0.5 * usual_x_.front(), east = last + 0.5 * usual_x_[n - 2];
    double x = in_degrees() ? wrapped(place, west) : place;
    if (!(x >= west && x <= east)) return false;
    x = std::clamp(x, first, last);
    side.before =
        static_cast<std::size_t>(std::upper_bound(x_.begin() + 1, x_.end() - 1, x) - x_.begin()) - 1;
    side.after = side.before + 1;
    const double spacing = x_[side.after] - x_[side.before];
    side.weight = (x - x_[side.before]) / spacing;
    side.hole = width_of_hole(spacing, usual_x_[side.before]);
    return true;
}

bool HorizontalGrid::find_row(double place, Side& side) const {
    // Rows counted northward from the southern end.
    const std::size_t m = y_.size();
    const auto file_row = [&](std::size_t row) { return southward_ ? m - 1 - row : row; };
    const auto at = [&](std::size_t row) { return y_[file_row(row)]; };
    const auto usual = [&](std::size_t row) { return usual_y_[southward_ ? m - 2 - row : row]; };
    double south = at(0) - 0.5 * usual(0), north = at(m - 1) + 0.5 * usual(m - 2);
    if (periodic_ && at(0) - usual(0) <= -90.0 + tolerance_y_) south = -91.0;
    if (periodic_ && at(m - 1) + usual(m - 2) >= 90.0 - tolerance_y_) north = 91.0;
    if (!(place >= south && place <= north)) return false;
    const double y = std::clamp(place, at(0), at(m - 1));
    std::size_t low = 0, high = m - 1;  // at(low) ≤ y ≤ at(high)
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (at(middle) <= y ? low : high) = middle;
    }
    side = {file_row(low), file_row(high), (y - at(low)) / (at(high) - at(low)),
            width_of_hole(at(high) - at(low), usual(low))};
    return true;
}

bool HorizontalGrid::locate(double longitude, double latitude, Box& box) const {
    const GridMapping::Place at = place(longitude, latitude);
    Side column{}, row{};
    if (!find_column(at.x, column) || !find_row(at.y, row)) return false;
    box.column[0] = static_cast<std::int32_t>(column.before);
    box.column[1] = static_cast<std::int32_t>(column.after);
    box.row[0] = static_cast<std::int32_t>(row.before);
    box.row[1] = static_cast<std::int32_t>(row.after);
    box.column_weight = column.weight;
    box.row_weight = row.weight;
    // On its rim a hole is not felt.
    const auto inside = [](const Side& side) {
        return snapped(side.weight) != 0.0 && snapped(side.weight) != 1.0;
    };
    box.hole = std::max(inside(column) ? column.hole : 0.0, inside(row) ? row.hole : 0.0);
    return true;
}

std::string HorizontalGrid::describe() const {
    const auto [south, north] = std::minmax(y_.front(), y_.back());
    if (mapping_)
        return fmt::format("{}: x {:.6g}…{:.6g}{}, y {:.6g}…{:.6g}{}", mapping_->describe(), x_.front(),
                           x_.back(), unit(), south, north, unit());
    if (periodic_) return fmt::format("all longitudes, {:.2f}…{:.2f}°N", south, north);
    return fmt::format("{:.2f}…{:.2f}°E, {:.2f}…{:.2f}°N", x_.front(), x_.back(), south, north);
}

std::string HorizontalGrid::describe(std::size_t column, std::size_t row) const {
    if (mapping_) return fmt::format("x = {:.6g}{}, y = {:.6g}{}", x_[column], unit(), y_[row], unit());
    return fmt::format("{:.3f}°E, {:.3f}°N", x_[column], y_[row]);
}

bool HorizontalGrid::operator==(const HorizontalGrid& other) const {
    const auto same = [](const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [&](double one, double two) { return std::abs(one - two) <= tolerance; });
    };
    const auto words = [](const HorizontalGrid& grid) {
        return grid.mapping_ ? grid.mapping_->describe() : "";
    };
    return periodic_ == other.periodic_ && words(*this) == words(other) && same(x_, other.x_, tolerance_x_) &&
           same(y_, other.y_, tolerance_y_);
}

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
