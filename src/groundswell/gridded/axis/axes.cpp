#include "groundswell/gridded/axis/axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/axis/role.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/gridded/words.hpp"

namespace groundswell::gridded {

namespace {

using netcdf::Reader;

bool is_number(const Reader::Variable& variable) {
    return variable.held != netcdf::Held::text && variable.held != netcdf::Held::other;
}

std::size_t longer_than_one(const Reader::Variable& variable) {
    return static_cast<std::size_t>(
        std::ranges::count_if(variable.dimensions, [](const auto& d) { return d.length > 1; }));
}

/// The search for the axes of one variable.
class Search {
public:
    Search(const Reader& file, const Reader::Variable& variable, const Quantity& quantity,
           const Stated& stated)
        : file_(file), variable_(variable), quantity_(quantity), stated_(stated) {
        std::vector<std::string> names;
        for (const auto& dimension : variable.dimensions) {
            names.push_back(own_name(dimension.name));
            const auto* coordinate = file.find_near(variable, names.back());
            if (coordinate != nullptr && coordinate->dimensions.size() != 1) coordinate = nullptr;
            coordinates_.push_back(coordinate);
            roles_.push_back(coordinate == nullptr ? role_of_name(dimension.name)
                                                   : role_of(file, *coordinate));
        }
        order_ = fmt::format("({})", fmt::join(names, ", "));
        axes_.first.assign(names.size(), 0);
    }

    Axes run() {
        find_row_and_column();
        find_time();
        const std::size_t rank = roles_.size();
        for (std::size_t d = 0; d < rank; ++d)
            if (d != axes_.row && d != axes_.column && d != axes_.time) choose_entry(d);
        check_scalars();
        require_found(stated_.member.has_value(), has_member_, "member");
        require_found(stated_.level.has_value(), has_level_, "level");
        const bool ordered = axes_.row < axes_.column && (!axes_.time || *axes_.time < axes_.row);
        if (!ordered) refuse_order();
        return axes_;
    }

private:
    [[noreturn]] void refuse_order() const {
        base::refuse(
            file_.path(), variable_.name, order_,
            "dimensions (time, latitude, longitude), each with a coordinate variable of its name; others of "
            "length one may stand between them");
    }

    void find_row_and_column() {
        const auto place_of = [&](Role role) { return std::ranges::find(roles_, role) - roles_.begin(); };
        const auto rank = static_cast<std::ptrdiff_t>(roles_.size());
        auto row = place_of(Role::latitude), column = place_of(Role::longitude);
        axes_.true_coordinates = row < rank && column < rank;
        if (!axes_.true_coordinates) {
            row = place_of(Role::y);
            column = place_of(Role::x);
        }
        if (row == rank || column == rank) {
            const bool two = has_coordinates_of_points();
            if (!two) refuse_order();
            base::refuse(
                file_.path(), variable_.name, order_,
                "a grid with axes; its longitudes and latitudes are two-dimensional and no axes with a "
                "grid_mapping stand beside them: `cdo remapbil,GRID` brings it onto longitudes and "
                "latitudes, components towards true east and north first");
        }
        axes_.row = static_cast<std::size_t>(row);
        axes_.column = static_cast<std::size_t>(column);
        axes_.y = coordinates_[axes_.row];
        axes_.x = coordinates_[axes_.column];
        if (axes_.x == nullptr || axes_.y == nullptr) refuse_order();
    }

    bool has_coordinates_of_points() const {
        return std::ranges::any_of(file_.variables(), [&](const Reader::Variable& each) {
            const std::string units = lower(file_.text(each, "units"));
            return longer_than_one(each) == 2 && (is_north(units) || is_east(units));
        });
    }

    // Every dimension of a coordinate is one of the variable, and no more than one of them is longer than one.
    bool goes_along(const Reader::Variable& coordinate) const {
        return longer_than_one(coordinate) <= 1 &&
               std::ranges::all_of(coordinate.dimensions, [&](const auto& dimension) {
                   return std::ranges::any_of(variable_.dimensions,
                                              [&](const auto& own) { return own.name == dimension.name; });
               });
    }

    // How surely a variable is the valid time; 0: it is not.
    int rank_of_clock(const Reader::Variable& each) const {
        if (!goes_along(each) || !is_number(each)) return 0;
        const Role role = role_of(file_, each);
        const std::string name = lower(own_name(each.name));
        const bool is_axis = std::ranges::find(coordinates_, &each) != coordinates_.end();
        if (role == Role::start_of_forecast) return is_axis || name == "time" ? 1 : 0;
        if (role != Role::time) return 0;
        const bool standard = lower(file_.text(each, "standard_name")) == "time";
        if (name == "valid_time") return 5;
        if (standard) return is_axis ? 4 : 3;
        // A scalar of any name with a date in its unit may be another date.
        return is_axis || name == "time" ? 2 : 0;
    }

    void find_time() {
        int best = 0;
        for (const auto& each : file_.variables()) {
            // Where a name occurs twice, the one in the nearest group counts.
            if (file_.find_near(variable_, own_name(each.name)) != &each) continue;
            const int rank = rank_of_clock(each);
            if (rank > best) {
                best = rank;
                axes_.clock = &each;
            }
        }
        if (axes_.clock == nullptr) {
            const bool both = std::ranges::any_of(file_.variables(), [&](const auto& each) {
                return longer_than_one(each) == 2 && role_of(file_, each) == Role::time;
            });
            if (both)
                base::refuse(
                    file_.path(), variable_.name, order_,
                    "one axis of time: the file holds several forecasts; take one out, or the newest of each "
                    "time, beforehand");
            refuse_order();
        }
        // Where a forecast began is not when it is valid, unless each begins and ends there.
        if (best == 1)
            for (const auto& each : file_.variables())
                if (lower(file_.text(each, "standard_name")) == "forecast_period" &&
                    each.dimensions.size() <= 1)
                    for (const double step : file_.read_all(each))
                        base::require(step == 0.0, file_.path(), axes_.clock->name, "forecast_reference_time",
                                      "a variable valid_time: this one says when forecasts begin, and " +
                                          each.name + " is not 0");
        for (std::size_t d = 0; d < roles_.size(); ++d)
            for (const auto& dimension : axes_.clock->dimensions)
                if (variable_.dimensions[d].name == dimension.name && (!axes_.time || dimension.length > 1))
                    axes_.time = d;
    }

    void choose_entry(std::size_t d) {
        const std::size_t length = variable_.dimensions[d].length;
        if (roles_[d] == Role::level) {
            has_level_ = true;
            axes_.first[d] = level_of(*coordinates_[d]);
        } else if (roles_[d] == Role::version && length > 1) {
            axes_.merged = d;
        } else if (roles_[d] == Role::member) {
            axes_.first[d] = member_of(d);
        } else if (length != 1) {
            refuse_order();
        }
    }

    std::size_t member_of(std::size_t d) {
        has_member_ = true;
        const std::size_t length = variable_.dimensions[d].length;
        const std::string name = own_name(variable_.dimensions[d].name);
        std::vector<double> numbers(length);
        for (std::size_t i = 0; i < length; ++i) numbers[i] = static_cast<double>(i);
        if (coordinates_[d] != nullptr && is_number(*coordinates_[d]))
            numbers = file_.read_axis(*coordinates_[d]);
        if (!stated_.member && length == 1) return 0;
        const auto found = stated_.member ? std::ranges::find(numbers, *stated_.member) : numbers.end();
        base::require(found != numbers.end(), file_.path(), name,
                      stated_.member ? fmt::format("{}", *stated_.member) : fmt::format("{} members", length),
                      fmt::format("{}.member, one of {}", quantity_.section, fmt::join(numbers, ", ")));
        return static_cast<std::size_t>(found - numbers.begin());
    }

    bool is_at_height(const Reader::Variable& level, double value) const {
        const std::string units = file_.text(level, "units");
        const bool metres =
            units.empty() ? lower(own_name(level.name)).starts_with("height") : length_unit(units) == 1.0;
        return metres && std::abs(value - quantity_.height) <= 0.2 * quantity_.height + 1e-6;
    }

    // The entry of a vertical axis, or scalar, that is at the height or that the case states.
    std::size_t level_of(const Reader::Variable& level) const {
        const std::vector<double> values = file_.read_all(level);
        const std::string units = file_.text(level, "units"), name = own_name(level.name);
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (stated_.level ? std::abs(values[i] - *stated_.level) <= 1e-6 * std::abs(*stated_.level)
                              : is_at_height(level, values[i]))
                found.push_back(i);
        if (found.empty() && values.size() == 1 && !stated_.level && quantity_.height == 0.0) return 0;
        if (found.size() == 1) return found[0];
        if (quantity_.at_surface && !stated_.level && !values.empty())
            return static_cast<std::size_t>(
                std::ranges::min_element(values, {}, [](double value) { return std::abs(value); }) -
                values.begin());
        std::vector<std::string> shown;
        for (const double value : values) shown.push_back(fmt::format("{:.6g}", value));
        if (shown.size() > 8) shown = {shown.front(), "…", shown.back()};
        const std::string there =
            fmt::format("{} {}", fmt::join(shown, ", "), units.empty() ? "(no unit)" : units);
        if (stated_.level)
            base::refuse(file_.path(), fmt::format("{} of {}", name, variable_.name), there,
                         fmt::format("{:.6g} among them, as {}.level in the case file states it",
                                     *stated_.level, quantity_.section));
        base::refuse(
            file_.path(), fmt::format("{} of {}", name, variable_.name), there,
            quantity_.height > 0.0
                ? fmt::format("{} at {:.4g} m; {}.level = {:.6g} in the case file takes this one on purpose",
                              quantity_.noun, quantity_.height, quantity_.section, values.front())
                : fmt::format("one level; {}.level in the case file chooses it", quantity_.section));
    }

    // Scalars that the variable lists among its coordinates.
    void check_scalars() {
        std::istringstream words(file_.text(variable_, "coordinates"));
        for (std::string name; words >> name;) {
            const auto* scalar = file_.find_near(variable_, name);
            if (scalar == nullptr || !scalar->dimensions.empty() || !is_number(*scalar)) continue;
            const Role role = role_of(file_, *scalar);
            if (role == Role::level) {
                level_of(*scalar);
                has_level_ = true;
            } else if (role == Role::member) {
                check_member(*scalar);
                has_member_ = true;
            }
        }
    }

    void check_member(const Reader::Variable& scalar) const {
        const double number = file_.read_all(scalar).front();
        base::require(!stated_.member || *stated_.member == number, file_.path(), scalar.name,
                      fmt::format("{}", number),
                      fmt::format("{}, as {}.member in the case file states it", stated_.member.value_or(0),
                                  quantity_.section));
    }

    void require_found(bool stated, bool found, const char* key) const {
        base::require(!stated || found, file_.path(), variable_.name, order_,
                      fmt::format("an axis or a coordinate for {}.{}", quantity_.section, key));
    }

    const Reader& file_;
    const Reader::Variable& variable_;
    const Quantity& quantity_;
    const Stated& stated_;
    std::vector<const Reader::Variable*> coordinates_;  // [dimensions] null: none of its name
    std::vector<Role> roles_;                           // [dimensions]
    std::string order_;
    Axes axes_;
    bool has_member_ = false, has_level_ = false;
};

}  // namespace

Axes find_axes(const Reader& file, const Reader::Variable& variable, const Quantity& quantity,
               const Stated& stated) {
    return Search(file, variable, quantity, stated).run();
}

const Reader::Variable* find_place_of_points(const Reader& file, const Reader::Variable& variable,
                                             const Axes& axes, bool latitude) {
    for (const auto& each : file.variables()) {
        const std::string units = lower(file.text(each, "units"));
        if (each.dimensions.size() == 2 && each.dimensions[0].name == variable.dimensions[axes.row].name &&
            each.dimensions[1].name == variable.dimensions[axes.column].name &&
            (latitude ? is_north(units) : is_east(units)))
            return &each;
    }
    return nullptr;
}

}  // namespace groundswell::gridded
