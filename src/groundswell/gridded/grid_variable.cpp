#include "groundswell/gridded/grid_variable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/gridded/words.hpp"

namespace groundswell::gridded {

namespace {

// The quantity's unit in the unit of a variable: its own, or the one that is stated for want of one.
double unit_of(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const Quantity& quantity,
               const std::string& stated) {
    const std::string units = file.text(variable, "units");
    const double own = quantity.factor(units), said = quantity.factor(stated);
    base::require(own > 0.0 || said > 0.0, file.path(), variable.name + ":units",
                  units.empty() ? "(none)" : units,
                  fmt::format("{}; where a file leaves it out, {} in the case file states it",
                              quantity.units_expected, quantity.section + ".units"));
    base::require(
        said == 0.0 || own == 0.0 || own == said, file.path(), variable.name + ":units", units,
        fmt::format("{}, as {} in the case file states it, or no unit", stated, quantity.section + ".units"));
    return own > 0.0 ? own : said;
}

// What a file says of its time axis, or the case for want of it; a contradiction is refused.
std::string calendar_of(const netcdf::Reader& file, const netcdf::Reader::Variable& clock,
                        const Quantity& quantity, const std::string& stated) {
    const std::string own = lower(file.text(clock, "calendar"));
    if (stated.empty() || own.empty()) return stated.empty() ? own : stated;
    const auto plain = [](const std::string& name) { return name == "gregorian" ? "standard" : name; };
    base::require(
        plain(own) == plain(stated), file.path(), clock.name + ":calendar", own,
        fmt::format("{}, as {}.calendar in the case file states it, or none", stated, quantity.section));
    return own;
}

CfTime time_of(const netcdf::Reader& file, const netcdf::Reader::Variable& clock, const Quantity& quantity,
               const Stated& stated) {
    const std::string units = file.text(clock, "units");
    const std::string calendar = calendar_of(file, clock, quantity, stated.calendar);
    const std::string key = quantity.section + ".time_units";
    if (stated.time.empty()) {
        base::require(!units.empty(), file.path(), clock.name + ":units", "(none)",
                      fmt::format("as \"hours since 1900-01-01\"; where a file leaves it out, {} in the case "
                                  "file states it",
                                  key));
        return {file.path(), clock.name, units, calendar};
    }
    const CfTime said(file.path(), clock.name, stated.time, calendar);
    if (units.empty()) return said;
    const CfTime own(file.path(), clock.name, units, calendar);
    base::require(own.instant(0.0) == said.instant(0.0) && own.instant(1.0) == said.instant(1.0), file.path(),
                  clock.name + ":units", units,
                  fmt::format("{}, as {} in the case file states it, or no unit", stated.time, key));
    return own;
}

// u100 and 100v are names of a wind at 100 m: a name with another height in it is not taken unasked.
bool names_another_height(const std::string& name, double height) {
    const auto digits = name.find_first_of("0123456789");
    if (height <= 0.0 || digits == std::string::npos) return false;
    const auto end = std::min(name.find_first_not_of("0123456789", digits), name.size());
    const std::string rest = name.substr(0, digits) + name.substr(end);
    const bool is_component =
        rest == "u" || rest == "v" || rest == "um" || rest == "vm" || rest == "u_m" || rest == "v_m";
    return is_component && std::abs(std::stod(name.substr(digits, end - digits)) - height) > 0.2 * height;
}

}  // namespace

const netcdf::Reader::Variable* find_variable(const netcdf::Reader& file, const Quantity& quantity) {
    if (!quantity.explicit_name.empty()) {
        for (const auto& variable : file.variables())
            if (own_name(variable.name) == quantity.explicit_name) return &variable;
        return file.find(quantity.explicit_name);
    }
    const auto rank_of_name = [&](const netcdf::Reader::Variable& variable) {
        return std::find(quantity.common_names.begin(), quantity.common_names.end(),
                         lower(own_name(variable.name))) -
               quantity.common_names.begin();
    };
    const auto unknown = static_cast<std::ptrdiff_t>(quantity.common_names.size());
    std::vector<const netcdf::Reader::Variable*> standard;
    const netcdf::Reader::Variable* common = nullptr;
    for (const auto& variable : file.variables()) {
        if (variable.dimensions.size() < 2 ||
            names_another_height(lower(own_name(variable.name)), quantity.height))
            continue;
        const std::string name = file.text(variable, "standard_name");
        const auto is_one_of = [&name](const std::vector<std::string>& names) {
            return std::ranges::find(names, name) != names.end();
        };
        if (name == quantity.standard_name || is_one_of(quantity.other_standard_names) ||
            is_one_of(quantity.along_grid_names))
            standard.push_back(&variable);
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
                           const Quantity& quantity, const Stated& stated)
    : variable_(variable), axes_(find_axes(file, variable, quantity, stated)), packing_(file, variable) {
    unit_ = unit_of(file, variable, quantity, stated.values);
    rows_together_ = file.chunk_length(variable, axes_.row);
    read_grid(file);
    find_components(file, quantity, stated.components);
    const auto& clock = *axes_.clock;
    time_.emplace(time_of(file, clock, quantity, stated));
    times_ = file.read_all(clock);
    base::require(!times_.empty(), file.path(), clock.name, "(empty)", "at least one time");
    for (std::size_t i = 0; i < times_.size(); ++i)
        base::require(time_->holds(times_[i]) && (i == 0 || times_[i] > times_[i - 1]), file.path(),
                      fmt::format("{}[{}]", clock.name, i),
                      std::isnan(times_[i]) ? "missing" : fmt::format("{}", times_[i]),
                      "times that increase, within 30000 years of the date that they count from");
    file.require_whole(variable);               // at the start, not when its time comes
    axes_.clock = axes_.x = axes_.y = nullptr;  // they are the file's
}

void GridVariable::read_grid(const netcdf::Reader& file) {
    std::vector<double> x = file.read_axis(*axes_.x), y = file.read_axis(*axes_.y);
    auto mapping = GridMapping::read(file, variable_);
    base::require(mapping != nullptr || axes_.true_coordinates, file.path(), variable_.name,
                  fmt::format("({}, {})", axes_.y->name, axes_.x->name),
                  "longitudes and latitudes, or a grid_mapping that says where these axes lie");
    const auto unit_of_axis = [&](const netcdf::Reader::Variable& axis) {
        if (!mapping->in_degrees()) return gridded::unit_of(file, axis, lengths);
        const std::string units = lower(file.text(axis, "units"));
        base::require(units.starts_with("degree"), file.path(), axis.name + ":units", units, "degrees");
        return 1.0;
    };
    if (mapping != nullptr) {
        const double unit_x = unit_of_axis(*axes_.x), unit_y = unit_of_axis(*axes_.y);
        for (double& each : x) each *= unit_x;
        for (double& each : y) each *= unit_y;
    }
    grid_.emplace(file.path(), std::move(x), std::move(y), std::move(mapping));
    check_places(file);
}

// Where the file has the longitude and latitude of every point, those of the corners and the middle must be where the axes
// and their mapping have them, within half a spacing.
void GridVariable::check_places(const netcdf::Reader& file) const {
    const auto* longitude = find_place_of_points(file, variable_, axes_, false);
    const auto* latitude = find_place_of_points(file, variable_, axes_, true);
    if (longitude == nullptr || latitude == nullptr) {
        base::require(grid_->mapping() == nullptr || grid_->mapping()->figure_is_known(), file.path(),
                      variable_.name, grid_->describe(),
                      "earth_radius or semi_major_axis in its grid_mapping");
        return;
    }
    const std::size_t rows = grid_->rows(), columns = grid_->columns();
    for (const std::size_t row : {std::size_t{0}, rows / 2, rows - 1})
        for (const std::size_t column : {std::size_t{0}, columns / 2, columns - 1}) {
            const auto value = [&](const netcdf::Reader::Variable& of) {
                double found = 0.0;
                file.read(of, {row, column}, {1, 1}, &found);
                return netcdf::Packing(file, of).value(found);
            };
            const double there[2] = {value(*longitude), value(*latitude)};
            if (std::isnan(there[0]) || std::isnan(there[1])) continue;
            base::require(
                grid_->is_near(there[0] * base::degree, there[1] * base::degree, column, row), file.path(),
                fmt::format("{}, {} of {}", longitude->name, latitude->name, variable_.name),
                fmt::format("{:.3f}°E, {:.3f}°N at {}", there[0], there[1], grid_->describe(column, row)),
                fmt::format("the place that its axes say, on {}", grid_->describe()));
        }
}

// By GRIB's own mark, where a converter kept it, else by the standard name.
void GridVariable::find_components(const netcdf::Reader& file, const Quantity& quantity, Components stated) {
    if (grid_->mapping() == nullptr || quantity.along_grid_names.empty()) return;
    const std::string name = file.text(variable_, "standard_name");
    const auto mark = file.number(variable_, "GRIB_uvRelativeToGrid");
    const bool is_named =
        std::ranges::find(quantity.along_grid_names, name) != quantity.along_grid_names.end();
    if (stated != Components::as_the_file_says)
        along_grid_ = stated == Components::grid;
    else if (mark)
        along_grid_ = *mark != 0.0;
    else if (is_named || name == quantity.standard_name ||
             std::ranges::find(quantity.other_standard_names, name) != quantity.other_standard_names.end())
        along_grid_ = is_named;
    else
        base::refuse(
            file.path(), variable_.name + ":standard_name", name.empty() ? "(none)" : name,
            fmt::format("{} or {}; on {}, {}.components = \"earth\" or \"grid\" in the case file says along "
                        "what the components are",
                        quantity.standard_name, fmt::join(quantity.along_grid_names, " or "),
                        grid_->mapping()->describe(), quantity.section));
}

void GridVariable::read(const netcdf::Reader& file, std::size_t step, const GridBox& box,
                        std::vector<double>& values) const {
    read_entry(file, step, 0, box, values);
    if (!axes_.merged) return;
    std::vector<double> other;
    for (std::size_t entry = 1; entry < variable_.dimensions[*axes_.merged].length; ++entry) {
        if (std::ranges::none_of(values, [](double value) { return std::isnan(value); })) return;
        read_entry(file, step, entry, box, other);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isnan(values[i])) values[i] = other[i];
    }
}

void GridVariable::read_entry(const netcdf::Reader& file, std::size_t step, std::size_t entry,
                              const GridBox& box, std::vector<double>& values) const {
    values.resize(box.size());
    if (values.empty()) return;
    std::vector<std::size_t> first = axes_.first, count(first.size(), 1);
    if (axes_.time) first[*axes_.time] = step;
    if (axes_.merged) first[*axes_.merged] = entry;
    first[axes_.row] = box.first_row;
    // A box across the seam is read as two pieces, each laid into its columns.
    const std::size_t in_grid = std::min(box.columns, grid_->columns() - box.first_column);
    if (in_grid == box.columns) {
        first[axes_.column] = box.first_column;
        count[axes_.row] = box.rows;
        count[axes_.column] = in_grid;
        file.read(variable_, first, count, values.data());
    } else {
        std::vector<double> piece;
        for (const bool beyond_seam : {false, true}) {
            const std::size_t width = beyond_seam ? box.columns - in_grid : in_grid;
            const std::size_t place = beyond_seam ? in_grid : 0;
            first[axes_.column] = beyond_seam ? 0 : box.first_column;
            count[axes_.row] = box.rows;
            count[axes_.column] = width;
            piece.resize(box.rows * width);
            file.read(variable_, first, count, piece.data());
            for (std::size_t row = 0; row < box.rows; ++row)
                std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                            values.begin() + static_cast<std::ptrdiff_t>(row * box.columns + place));
        }
    }
    packing_.unpack(values);
    if (unit_ != 1.0)
        for (double& value : values) value *= unit_;
}

}  // namespace groundswell::gridded
