#include "groundswell/gridded/horizontal_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

namespace {

constexpr double farthest = 1e9;  // m

// x brought into [origin, origin + 360).
double wrapped(double x, double origin) {
    const double turns = std::floor((x - origin) / 360.0);
    const double result = x - 360.0 * turns;
    return result >= origin + 360.0 ? origin : result;
}

}  // namespace

HorizontalGrid::HorizontalGrid(std::string_view where, std::vector<double> x, std::vector<double> y,
                               std::shared_ptr<const GridMapping> mapping)
    : mapping_(std::move(mapping)) {
    const char *const columns = mapping_ ? "x axis" : "longitude", *const rows =
                                                                       mapping_ ? "y axis" : "latitude";
    base::require(x.size() >= 2, where, columns, fmt::format("{} values", x.size()), "at least two");
    base::require(y.size() >= 2, where, rows, fmt::format("{} values", y.size()), "at least two");
    double offset = 0.0;
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (in_degrees() && x[i] + offset < x[i - 1] && offset == 0.0) offset = 360.0;
        x[i] += offset;
        base::require(x[i] > x[i - 1], where, fmt::format("{}[{}]", columns, i),
                      fmt::format("{}", x[i] - offset),
                      in_degrees() ? "degrees that increase eastward" : "numbers that increase");
    }
    const std::size_t wrong = Axis::out_of_order(y, in_degrees() ? 90.0001 : farthest);
    if (wrong < y.size())
        base::refuse(where, fmt::format("{}[{}]", rows, wrong), fmt::format("{}", y[wrong]),
                     in_degrees() ? "degrees within -90…90, all rising or all falling"
                                  : "numbers that all rise or all fall");
    x_ = Axis(std::move(x));
    y_ = Axis(std::move(y));
    tolerance_x_ = in_degrees() ? 1e-4 : 1e-3 * x_.usual_spacing(0);
    tolerance_y_ = in_degrees() ? 1e-4 : 1e-3 * y_.usual_spacing(0);
    const double west = x_.lowest(), east = x_.highest(), span = east - west;
    if (!in_degrees()) {
        base::require(std::abs(west) < farthest && std::abs(east) < farthest, where, columns,
                      fmt::format("{}…{}", west, east), "metres within ±1e9");
        return;
    }
    base::require(std::abs(west) <= 720.0 && span <= 360.0 + tolerance_x_, where, columns,
                  fmt::format("{}…{}", west, east), "degrees, once around at most");
    if (span >= 360.0 - tolerance_x_) {
        x_.drop_highest();
        periodic_ = true;
    } else {
        periodic_ = 360.0 - span <= 1.5 * x_.widest_spacing();
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
    const bool to_the_poles =
        periodic_ && in_degrees() && std::abs(y_.lowest()) + std::abs(y_.highest()) > 176.0;
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
    return (pole || std::abs(off) <= 0.5 * x_.usual_spacing(column)) &&
           std::abs(at.y - y_[row]) <= 0.5 * y_.usual_spacing(row);
}

std::optional<Axis::Between> HorizontalGrid::find_column(double place) const {
    if (periodic_) {
        const double x = wrapped(place, x_.lowest()), last = x_.highest();
        if (x < last) return x_.between(x);
        return Axis::Between{{x_.size() - 1, 0}, (x - last) / (x_.lowest() + 360.0 - last)};
    }
    const double west = x_.lowest() - 0.5 * x_.usual_spacing_at_lowest(),
                 east = x_.highest() + 0.5 * x_.usual_spacing_at_highest();
    const double x = in_degrees() ? wrapped(place, west) : place;
    if (!(x >= west && x <= east)) return {};
    return x_.between(x);
}

std::optional<Axis::Between> HorizontalGrid::find_row(double place) const {
    const double first = y_.usual_spacing_at_lowest(), last = y_.usual_spacing_at_highest();
    double south = y_.lowest() - 0.5 * first, north = y_.highest() + 0.5 * last;
    if (periodic_ && y_.lowest() - first <= -90.0 + tolerance_y_) south = -91.0;
    if (periodic_ && y_.highest() + last >= 90.0 - tolerance_y_) north = 91.0;
    if (!(place >= south && place <= north)) return {};
    return y_.between(place);
}

bool HorizontalGrid::locate(double longitude, double latitude, Box& box) const {
    const GridMapping::Place at = place(longitude, latitude);
    const auto column = find_column(at.x), row = find_row(at.y);
    if (!column || !row) return false;
    for (int side = 0; side < 2; ++side) {
        box.column[side] = static_cast<std::int32_t>(column->point[side]);
        box.row[side] = static_cast<std::int32_t>(row->point[side]);
    }
    box.column_weight = column->weight;
    box.row_weight = row->weight;
    // On its rim a hole is not felt.
    box.hole = std::max(column->snapped().hole, row->snapped().hole);
    return true;
}

std::string HorizontalGrid::describe() const {
    const auto [south, north] = std::pair(y_.lowest(), y_.highest());
    if (mapping_)
        return fmt::format("{}: x {:.6g}…{:.6g}{}, y {:.6g}…{:.6g}{}", mapping_->describe(), x_.lowest(),
                           x_.highest(), unit(), south, north, unit());
    if (periodic_) return fmt::format("all longitudes, {:.2f}…{:.2f}°N", south, north);
    return fmt::format("{:.2f}…{:.2f}°E, {:.2f}…{:.2f}°N", x_.lowest(), x_.highest(), south, north);
}

std::string HorizontalGrid::describe(std::size_t column, std::size_t row) const {
    if (mapping_) return fmt::format("x = {:.6g}{}, y = {:.6g}{}", x_[column], unit(), y_[row], unit());
    return fmt::format("{:.3f}°E, {:.3f}°N", x_[column], y_[row]);
}

bool HorizontalGrid::operator==(const HorizontalGrid& other) const {
    const auto words = [](const HorizontalGrid& grid) {
        return grid.mapping_ ? grid.mapping_->describe() : "";
    };
    return periodic_ == other.periodic_ && words(*this) == words(other) &&
           x_.is_near(other.x_, tolerance_x_) && y_.is_near(other.y_, tolerance_y_);
}

}  // namespace groundswell::gridded
