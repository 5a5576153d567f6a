#include "groundswell/gridded/grid_variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// The quantity's unit in the unit of a variable: its own, or the one that is stated for want of one.
double unit_of(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const Quantity& quantity,
               const std::string& stated) {
    const std::string units = file.text(variable, "units");
    const double own = quantity.factor(units), said = quantity.factor(stated);
    base::require(own > 0.0 || said > 0.0, file.path(), variable.name + ":units",
                  units.empty() ? "(none)" : units,
                  fmt::format("{}; where a file leaves it out, {} in the case file states it",
                              quantity.units_expected, quantity.units_key));
    base::require(
        said == 0.0 || own == 0.0 || own == said, file.path(), variable.name + ":units", units,
        fmt::format("{}, as {} in the case file states it, or no unit", stated, quantity.units_key));
    return own > 0.0 ? own : said;
}

// The meaning of a time axis, by its own units or the stated ones.
CfTime time_of(const netcdf::Reader& file, const netcdf::Reader::Variable& clock, const Quantity& quantity,
               const std::string& stated) {
    const std::string units = file.text(clock, "units"), calendar = file.text(clock, "calendar");
    if (stated.empty()) {
        base::require(!units.empty(), file.path(), clock.name + ":units", "(none)",
                      fmt::format("as \"hours since 1900-01-01\"; where a file leaves it out, {} in the case "
                                  "file states it",
                                  quantity.time_units_key));
        return {file.path(), clock.name, units, calendar};
    }
    const CfTime said(file.path(), clock.name, stated, calendar);
    if (units.empty()) return said;
    const CfTime own(file.path(), clock.name, units, calendar);
    base::require(
        own.instant(0.0) == said.instant(0.0) && own.instant(1.0) == said.instant(1.0), file.path(),
        clock.name + ":units", units,
        fmt::format("{}, as {} in the case file states it, or no unit", stated, quantity.time_units_key));
    return own;
}

enum class Axis { time, latitude, longitude, other };

// What a coordinate variable is: by units, else standard name or axis attribute, else its name.
Axis axis_of(const netcdf::Reader& file, const netcdf::Reader::Variable& coordinate) {
    const std::string units = lower(file.text(coordinate, "units"));
    const std::string standard = file.text(coordinate, "standard_name");
    const std::string axis = file.text(coordinate, "axis");
    const std::string name = lower(coordinate.name);
    if (units.find(" since ") != std::string::npos || standard == "time") return Axis::time;
    if (units.starts_with("degree") && (units.ends_with('n') || units.ends_with("north")))
        return Axis::latitude;
    if (units.starts_with("degree") && (units.ends_with('e') || units.ends_with("east")) && units != "degree")
        return Axis::longitude;
    if (standard == "latitude" || name.starts_with("lat") || (axis == "Y" && units == "degrees"))
        return Axis::latitude;
    if (standard == "longitude" || name.starts_with("lon") || (axis == "X" && units == "degrees"))
        return Axis::longitude;
    if (axis == "T" || name == "time") return Axis::time;
    return Axis::other;
}

}  // namespace

const netcdf::Reader::Variable* find_variable(const netcdf::Reader& file, const Quantity& quantity) {
    if (!quantity.explicit_name.empty()) return file.find(quantity.explicit_name);
    const auto rank_of_name = [&](const netcdf::Reader::Variable& variable) {
        return std::find(quantity.common_names.begin(), quantity.common_names.end(), lower(variable.name)) -
               quantity.common_names.begin();
    };
    const auto unknown = static_cast<std::ptrdiff_t>(quantity.common_names.size());
    std::vector<const netcdf::Reader::Variable*> standard;
    const netcdf::Reader::Variable* common = nullptr;
    for (const auto& variable : file.variables()) {
        if (variable.dimensions.size() < 3) continue;
        if (file.text(variable, "standard_name") == quantity.standard_name) standard.push_back(&variable);
        if (rank_of_name(variable) < (common == nullptr ? unknown : rank_of_name(*common)))
            common = &variable;
    }
    if (standard.size() == 1) return standard[0];
    if (standard.size() > 1 && common == nullptr) {
        std::string names;
        for (const auto* variable : standard) names += (names.empty() ? "" : ", ") + variable->name;
        base::refuse(file.path(), quantity.standard_name, names,
                     "one variable, or its name in the case file");
    }
    return common;
}

GridVariable::GridVariable(const netcdf::Reader& file, const netcdf::Reader::Variable& variable,
                           const Quantity& quantity, const StatedUnits& stated)
    : variable_(variable) {
    std::string order;
    std::vector<Axis> axes;
    std::vector<const netcdf::Reader::Variable*> coordinates;
    for (const auto& dimension : variable.dimensions) {
        order += (order.empty() ? "" : ", ") + dimension.name;
        const auto* coordinate = file.find(dimension.name);
        if (coordinate != nullptr && coordinate->dimensions.size() != 1) coordinate = nullptr;
        coordinates.push_back(coordinate);
        axes.push_back(coordinate == nullptr ? Axis::other : axis_of(file, *coordinate));
    }
    const std::size_t rank = axes.size();
    bool ordered = rank >= 3 && axes[0] == Axis::time && axes[rank - 2] == Axis::latitude &&
                   axes[rank - 1] == Axis::longitude;
    for (std::size_t i = 1; ordered && i + 2 < rank; ++i) ordered = variable.dimensions[i].length == 1;
    base::require(ordered, file.path(), variable.name, "(" + order + ")",
                  "dimensions (time, latitude, longitude), each with a coordinate variable of its name");

    const double unit = unit_of(file, variable, quantity, stated.values);
    rows_together_ = file.chunk_length(variable, rank - 2);
    scale_ = unit * file.number(variable, "scale_factor").value_or(1.0);
    offset_ = unit * file.number(variable, "add_offset").value_or(0.0);
    fill_ = file.number(variable, "_FillValue");
    missing_ = file.number(variable, "missing_value");

    grid_.emplace(file.path(), file.read_axis(*coordinates[rank - 1]),
                  file.read_axis(*coordinates[rank - 2]));
    const auto& clock = *coordinates[0];
    time_.emplace(time_of(file, clock, quantity, stated.time));
    times_ = file.read_axis(clock);
    base::require(!times_.empty(), file.path(), clock.name, "(empty)", "at least one time");
    for (std::size_t i = 0; i < times_.size(); ++i)
        base::require(time_->holds(times_[i]) && (i == 0 || times_[i] > times_[i - 1]), file.path(),
                      fmt::format("{}[{}]", clock.name, i), fmt::format("{}", times_[i]),
                      "times that increase, within 30000 years of the date that they count from");
    file.require_whole(variable);  // at the start, not when its time comes
}

void GridVariable::read(const netcdf::Reader& file, std::size_t step, const GridBox& box,
                        std::vector<double>& values) const {
    values.resize(box.size());
    if (values.empty()) return;
    const std::size_t rank = variable_.dimensions.size();
    std::vector<std::size_t> first(rank, 0), count(rank, 1);
    first[0] = step;
    first[rank - 2] = box.first_row;
    // A box across the seam is read as two pieces, each laid into its columns.
    const std::size_t in_grid = std::min(box.columns, grid_->columns() - box.first_column);
    if (in_grid == box.columns) {
        first[rank - 1] = box.first_column;
        count[rank - 2] = box.rows;
        count[rank - 1] = in_grid;
        file.read(variable_, first, count, values.data());
    } else {
        std::vector<double> piece;
        for (const bool beyond_seam : {false, true}) {
            const std::size_t width = beyond_seam ? box.columns - in_grid : in_grid;
            const std::size_t place = beyond_seam ? in_grid : 0;
            first[rank - 1] = beyond_seam ? 0 : box.first_column;
            count[rank - 2] = box.rows;
            count[rank - 1] = width;
            piece.resize(box.rows * width);
            file.read(variable_, first, count, piece.data());
            for (std::size_t row = 0; row < box.rows; ++row)
                std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                            values.begin() + static_cast<std::ptrdiff_t>(row * box.columns + place));
        }
    }
    for (double& value : values) {
        const bool empty =
            (fill_ && value == *fill_) || (missing_ && value == *missing_) || !(std::abs(value) < 1e30);
        value = empty ? std::numeric_limits<double>::quiet_NaN() : value * scale_ + offset_;
    }
}

}  // namespace groundswell::gridded
