#include "groundswell/gridded/space_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/axis/role.hpp"
#include "groundswell/gridded/space/scattered.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/gridded/words.hpp"
#include "groundswell/netcdf/packing.hpp"

namespace groundswell::gridded {

namespace {

using netcdf::Reader;

constexpr double most_values = 3e9;  // of a rank
constexpr double farthest = 1e12;    // m
constexpr int up = 2;

std::string dimensions_of(const Reader::Variable& variable) {
    std::vector<std::string> names;
    for (const auto& dimension : variable.dimensions) names.push_back(dimension.name);
    return fmt::format("({})", fmt::join(names, ", "));
}

// Which of x, y and z a coordinate variable goes along.
std::optional<int> direction_of(const Reader& file, const Reader::Variable& coordinate) {
    const std::string units = file.text(coordinate, "units");
    base::require(!lower(units).starts_with("degree"), file.path(), coordinate.name + ":units", units,
                  "m or km: longitudes and latitudes have to be projected as the mesh is");
    switch (role_of(file, coordinate)) {
        case Role::x:
            return 0;
        case Role::y:
            return 1;
        case Role::level:
            return up;
        default:
            return {};
    }
}

// Depths grow downward.
bool points_down(const Reader& file, const Reader::Variable& coordinate) {
    const std::string positive = lower(file.text(coordinate, "positive"));
    base::require(is_one_of(positive, {"", "up", "down"}), file.path(), coordinate.name + ":positive",
                  positive, "up or down");
    if (!positive.empty()) return positive == "down";
    return lower(file.text(coordinate, "standard_name")) == "depth" ||
           lower(own_name(coordinate.name)) == "depth";
}

// In m, z up.
Axis read_axis(const Reader& file, const Reader::Variable& coordinate, int direction) {
    std::vector<double> values = file.read_axis(coordinate);
    double unit = unit_of(file, coordinate, lengths);
    base::require(values.size() >= 2, file.path(), coordinate.name, fmt::format("{} values", values.size()),
                  "two or more");
    const std::size_t wrong = Axis::out_of_order(values, farthest);
    if (wrong < values.size())
        base::refuse(file.path(), fmt::format("{}({})", coordinate.name, wrong),
                     fmt::format("{}", values[wrong]), "values that all increase or all decrease");
    if (direction == up && points_down(file, coordinate)) unit = -unit;
    for (double& value : values) value *= unit;
    return Axis(std::move(values));
}

bool holds(const Axis& axis, double place) {
    if (axis.size() == 0) return true;
    // Axes are often stored as float.
    const double tolerance = 1e-6 * (axis.highest() - axis.lowest());
    return place >= axis.lowest() - tolerance && place <= axis.highest() + tolerance;
}

}  // namespace

void refuse_variables(const Reader& file, std::string expected) {
    std::vector<std::string> names;
    for (const auto& variable : file.variables()) {
        names.push_back(variable.name);
        if (variable.held == netcdf::Held::other && !variable.dimensions.empty())
            expected += fmt::format(
                "; {} is a compound variable, as grids of SeisSol's ASAGI have it: `groundswell import asagi "
                "{} --output NEW.nc` makes plain ones of it",
                names.back(), file.path());
    }
    base::refuse(file.path(), "variables", fmt::format("{}", fmt::join(names, ", ")), expected);
}

SpaceGrid::SpaceGrid(const Reader& file, std::span<const Column> columns, const Region& region)
    : path_(file.path()) {
    for (const Column& column : columns) name_.push_back(column.variable->name);
    require_alike(columns);
    if (Scattered::is_along_points(file, *columns[0].variable)) {
        read_points(file, columns, region);
        return;
    }
    read_axes(file, columns);
    if (region.empty()) return;
    choose_windows(region);
    read_values(file, columns);
}

void SpaceGrid::require_alike(std::span<const Column> columns) const {
    const std::string first = dimensions_of(*columns[0].variable);
    for (const Column& column : columns)
        base::require(dimensions_of(*column.variable) == first, path_, column.variable->name,
                      dimensions_of(*column.variable), fmt::format("{}, as {} has", first, name_[0]));
}

// Points stand along the first axis, with nothing between them.
void SpaceGrid::read_points(const Reader& file, std::span<const Column> columns, const Region& region) {
    scattered_ = std::make_shared<Scattered>(file, *columns[0].variable, region);
    order_ = {0};
    const auto& rows = scattered_->rows();
    window_[0] = {0, rows.size(), 1};
    if (rows.empty()) return;
    value_.resize(rows.size() * columns.size());
    const std::size_t first = rows.front(), count = rows.back() - first + 1;
    std::vector<double> of_column(count);
    for (std::size_t v = 0; v < columns.size(); ++v) {
        const Variable& variable = *columns[v].variable;
        file.require_whole(variable);
        file.read(variable, {first}, {count}, of_column.data());
        netcdf::Packing(file, variable).unpack(of_column);
        for (std::size_t i = 0; i < rows.size(); ++i)
            value_[i * columns.size() + v] = columns[v].unit * of_column[rows[i] - first];
    }
}

void SpaceGrid::read_axes(const Reader& file, std::span<const Column> columns) {
    const Variable& first = *columns[0].variable;
    bool sound = first.dimensions.size() == 3 || first.dimensions.size() == 1;
    for (const auto& dimension : first.dimensions) {
        const Variable* coordinate = file.find(dimension.name);
        if (coordinate == nullptr || coordinate->dimensions.size() != 1) {
            sound = false;
            break;
        }
        const auto direction = direction_of(file, *coordinate);
        sound = sound && direction && std::ranges::find(order_, *direction) == order_.end();
        if (!sound) break;
        order_.push_back(*direction);
        axis_[*direction] = read_axis(file, *coordinate, *direction);
    }
    sound = sound && std::ranges::find(order_, up) != order_.end();
    base::require(
        sound, path_, first.name, dimensions_of(first),
        "dimensions x, y and z in any order, or z alone, each with a coordinate variable of its name, or one "
        "dimension of points with their x, y and z");
}

void SpaceGrid::choose_windows(const Region& region) {
    const double most = most_values / static_cast<double>(name_.size());
    double points = 1.0;
    for (auto direction = order_.rbegin(); direction != order_.rend(); ++direction) {
        const auto from = axis_[*direction].between(region.lowest[*direction]).snapped();
        const auto to = axis_[*direction].between(region.highest[*direction]).snapped();
        const auto [first, last] = std::minmax({from.point[0], from.point[1], to.point[0], to.point[1]});
        window_[*direction] = {first, last - first + 1, static_cast<std::size_t>(points)};
        points *= static_cast<double>(last - first + 1);
        base::require(
            points < most, path_, name_[0], fmt::format("{:.3g} points", points),
            fmt::format("at most {:.3g} in the part of the grid that a rank's elements lie in", most));
    }
}

void SpaceGrid::read_values(const Reader& file, std::span<const Column> columns) {
    std::vector<std::size_t> first, count;
    std::size_t points = 1;
    for (const int direction : order_) {
        first.push_back(window_[direction].first);
        count.push_back(window_[direction].count);
        points *= count.back();
    }
    for (const Column& column : columns) file.require_whole(*column.variable);
    value_.resize(points * columns.size());
    std::vector<double> of_column(points);
    for (std::size_t v = 0; v < columns.size(); ++v) {
        const Variable& variable = *columns[v].variable;
        file.read(variable, first, count, of_column.data());
        netcdf::Packing(file, variable).unpack(of_column);
        for (std::size_t i = 0; i < points; ++i)
            value_[i * columns.size() + v] = columns[v].unit * of_column[i];
    }
}

SpaceGrid::Around SpaceGrid::around(const Place& place, bool nearest, std::string_view cure) const {
    Around all;
    if (scattered_) {
        const std::size_t point = scattered_->at(place, path_);
        all[0].point[0] = all[0].point[1] = point;
        return all;
    }
    for (int j = 0; j < 3; ++j) {
        if (!nearest && !holds(axis_[j], place[j]))
            base::refuse(
                path_, fmt::format("grid along {}", "xyz"[j]),
                fmt::format("{:.6g} … {:.6g} m", axis_[j].lowest(), axis_[j].highest()),
                fmt::format("one that reaches all elements, such as the one at {}{}", show(place), cure));
        all[j] = axis_[j].between(place[j]).snapped();
    }
    return all;
}

std::span<const double> SpaceGrid::values(const Index& index) const {
    std::size_t at = 0;
    for (const int direction : order_) {
        const Window& window = window_[direction];
        GS_ASSERT(index[direction] >= window.first && index[direction] - window.first < window.count);
        at += (index[direction] - window.first) * window.stride;
    }
    return std::span(value_).subspan(at * name_.size(), name_.size());
}

std::string SpaceGrid::name(std::size_t column, const Index& index) const {
    std::vector<std::size_t> indices;
    for (const int direction : order_)
        indices.push_back(scattered_ ? scattered_->rows()[index[direction]] : index[direction]);
    return fmt::format("{}({})", name_[column], fmt::join(indices, ", "));
}

}  // namespace groundswell::gridded
