#include "groundswell/quake/grid/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/packing.hpp"
#include "groundswell/quake/grid/units.hpp"

namespace groundswell::quake {

namespace {

constexpr double most_values = 3e9;  // of a rank

std::string dimensions_of(const Grid::Variable& variable) {
    std::vector<std::string> names;
    for (const auto& dimension : variable.dimensions) names.push_back(dimension.name);
    return fmt::format("({})", fmt::join(names, ", "));
}

}  // namespace

void Region::add(const tetra::Point& place) {
    for (int j = 0; j < 3; ++j) {
        lowest[j] = std::min(lowest[j], place[j]);
        highest[j] = std::max(highest[j], place[j]);
    }
}

std::string show(const tetra::Point& place) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", place[0], place[1], place[2]);
}

const netcdf::Reader::Variable* find_named(const netcdf::Reader& file,
                                           std::initializer_list<const char*> names) {
    for (const char* name : names)
        for (const auto& variable : file.variables())
            if (plain_word(variable.name) == name) return &variable;
    return nullptr;
}

std::string explain_compound(const netcdf::Reader& file) {
    const auto found = std::ranges::find_if(file.variables(), [](const netcdf::Reader::Variable& variable) {
        return variable.held == netcdf::Held::other && !variable.dimensions.empty();
    });
    if (found == file.variables().end()) return "";
    return fmt::format(
        "; {} is a compound variable, as grids of SeisSol's ASAGI have it: `groundswell import asagi {} "
        "--output NEW.nc` makes plain ones of it",
        found->name, file.path());
}

Grid::Grid(const netcdf::Reader& file, std::span<const Column> columns, const Region& region)
    : path_(file.path()) {
    read_axes(file, columns);
    if (region.empty()) return;
    choose_windows(region);
    read_values(file, columns);
}

void Grid::read_axes(const netcdf::Reader& file, std::span<const Column> columns) {
    const Variable& first = *columns[0].variable;
    for (const Column& column : columns) {
        name_.push_back(column.variable->name);
        base::require(dimensions_of(*column.variable) == dimensions_of(first), path_, name_.back(),
                      dimensions_of(*column.variable),
                      fmt::format("{}, as {} has", dimensions_of(first), name_[0]));
    }
    bool sound = first.dimensions.size() == 3 || first.dimensions.size() == 1;
    for (const auto& dimension : first.dimensions) {
        const Variable* coordinate = file.find(dimension.name);
        if (coordinate == nullptr || coordinate->dimensions.size() != 1) {
            sound = false;
            break;
        }
        const auto direction = Axis::direction_of(file, *coordinate);
        sound = sound && direction && std::ranges::find(order_, *direction) == order_.end();
        if (!sound) break;
        order_.push_back(*direction);
        axis_[*direction] = Axis(file, *coordinate);
    }
    sound = sound && std::ranges::find(order_, Axis::z) != order_.end();
    base::require(
        sound, path_, first.name, dimensions_of(first),
        "dimensions x, y and z in any order, or z alone, each with a coordinate variable of its name");
}

void Grid::choose_windows(const Region& region) {
    const double most = most_values / static_cast<double>(name_.size());
    double points = 1.0;
    for (auto direction = order_.rbegin(); direction != order_.rend(); ++direction) {
        const auto from = axis_[*direction].find_nearest(region.lowest[*direction]);
        const auto to = axis_[*direction].find_nearest(region.highest[*direction]);
        const auto [first, last] = std::minmax({from.point[0], from.point[1], to.point[0], to.point[1]});
        window_[*direction] = {first, last - first + 1, static_cast<std::size_t>(points)};
        points *= static_cast<double>(last - first + 1);
        base::require(
            points < most, path_, name_[0], fmt::format("{:.3g} points", points),
            fmt::format("at most {:.3g} in the part of the grid that a rank's elements lie in", most));
    }
}

void Grid::read_values(const netcdf::Reader& file, std::span<const Column> columns) {
    std::vector<std::size_t> first, count;
    std::size_t points = 1;
    for (const Axis::Direction direction : order_) {
        first.push_back(window_[direction].first);
        count.push_back(window_[direction].count);
        points *= count.back();
    }
    for (const Column& column : columns) file.require_whole(*column.variable);
    value_.resize(points * columns.size());
    std::vector<double> stored(points);
    for (std::size_t v = 0; v < columns.size(); ++v) {
        const Variable& variable = *columns[v].variable;
        const netcdf::Packing packing(file, variable);
        file.read(variable, first, count, stored.data());
        for (std::size_t i = 0; i < points; ++i)
            value_[i * columns.size() + v] = columns[v].unit * packing.value(stored[i]);
    }
}

Grid::Around Grid::around(const tetra::Point& place, bool nearest, std::string_view cure) const {
    Around all;
    for (int j = 0; j < 3; ++j) {
        const auto found = axis_[j].find(place[j]);
        if (!found && !nearest)
            base::refuse(
                path_, fmt::format("grid along {}", "xyz"[j]),
                fmt::format("{:.6g} … {:.6g} m", axis_[j].lowest(), axis_[j].highest()),
                fmt::format("one that reaches all elements, such as the one at {}{}", show(place), cure));
        all[j] = found ? *found : axis_[j].find_nearest(place[j]);
    }
    return all;
}

std::span<const double> Grid::values(const Index& index) const {
    std::size_t at = 0;
    for (const Axis::Direction direction : order_) {
        const Window& window = window_[direction];
        GS_ASSERT(index[direction] >= window.first && index[direction] - window.first < window.count);
        at += (index[direction] - window.first) * window.stride;
    }
    return std::span(value_).subspan(at * name_.size(), name_.size());
}

std::string Grid::name(std::size_t column, const Index& index) const {
    std::vector<std::size_t> indices;
    for (const Axis::Direction direction : order_) indices.push_back(index[direction]);
    return fmt::format("{}({})", name_[column], fmt::join(indices, ", "));
}

}  // namespace groundswell::quake
