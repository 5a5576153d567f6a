#include "groundswell/quake/grid/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::ranges::find(words, word) != words.end();
}

// Depths grow downward.
bool points_down(const netcdf::Reader& file, const netcdf::Reader::Variable& variable) {
    const std::string positive = lower(file.text(variable, "positive"));
    base::require(is_one_of(positive, {"", "up", "down"}), file.path(), variable.name + ":positive", positive,
                  "up or down");
    if (!positive.empty()) return positive == "down";
    return lower(file.text(variable, "standard_name")) == "depth" || lower(variable.name) == "depth";
}

}  // namespace

double length_unit(std::string_view units) {
    const std::string unit = lower(std::string(units));
    if (is_one_of(unit, {"m", "metre", "metres", "meter", "meters"})) return 1.0;
    if (is_one_of(unit, {"km", "kilometre", "kilometres", "kilometer", "kilometers"})) return 1000.0;
    return 0.0;
}

std::optional<Axis::Direction> Axis::direction_of(const netcdf::Reader& file,
                                                  const netcdf::Reader::Variable& variable) {
    const std::string units = file.text(variable, "units"), name = lower(variable.name);
    const std::string standard = lower(file.text(variable, "standard_name"));
    const std::string axis = lower(file.text(variable, "axis"));
    base::require(!lower(units).starts_with("degree"), file.path(), variable.name + ":units", units,
                  "m or km: longitudes and latitudes have to be projected as the mesh is");
    if (standard == "projection_x_coordinate" || axis == "x" || is_one_of(name, {"x", "easting"})) return x;
    if (standard == "projection_y_coordinate" || axis == "y" || is_one_of(name, {"y", "northing"})) return y;
    if (is_one_of(standard, {"height", "altitude", "depth"}) || axis == "z" ||
        is_one_of(name, {"z", "depth", "height", "altitude", "elevation"}))
        return z;
    return {};
}

Axis::Axis(const netcdf::Reader& file, const netcdf::Reader::Variable& variable)
    : value_(file.read_axis(variable)) {
    const std::string units = file.text(variable, "units");
    double unit = length_unit(units);
    base::require(unit > 0.0, file.path(), variable.name + ":units", units.empty() ? "(none)" : units,
                  "m or km");
    const std::size_t size = value_.size();
    base::require(size >= 2, file.path(), variable.name, fmt::format("{} values", size), "two or more");
    const bool falls = value_[1] < value_[0];
    for (std::size_t i = 0; i < size; ++i) {
        const bool goes_on = i == 0 || (falls ? value_[i] < value_[i - 1] : value_[i] > value_[i - 1]);
        base::require(goes_on && std::abs(value_[i]) < 1e12, file.path(),
                      fmt::format("{}({})", variable.name, i), fmt::format("{}", value_[i]),
                      "values that all increase or all decrease");
    }
    if (direction_of(file, variable) == z && points_down(file, variable)) unit = -unit;
    for (double& value : value_) value *= unit;
    reversed_ = value_.front() > value_.back();
    if (reversed_) std::ranges::reverse(value_);
}

std::optional<Axis::Between> Axis::find(double place) const {
    if (value_.empty()) return Between{};
    // Axes are often stored as float.
    const double tolerance = 1e-6 * (highest() - lowest());
    if (!(place >= lowest() - tolerance && place <= highest() + tolerance)) return {};
    return find_nearest(place);
}

Axis::Between Axis::find_nearest(double place) const {
    if (value_.empty()) return {};
    const auto above = std::ranges::upper_bound(value_, place);
    const auto high = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(
        above - value_.begin(), 1, static_cast<std::ptrdiff_t>(value_.size()) - 1));
    const double weight =
        std::clamp((place - value_[high - 1]) / (value_[high] - value_[high - 1]), 0.0, 1.0);
    // A place on a point must not feel through rounding what is missing beside it.
    if (weight < 1e-9) return {{in_file(high - 1), in_file(high - 1)}, 0.0};
    if (weight > 1.0 - 1e-9) return {{in_file(high), in_file(high)}, 0.0};
    return {{in_file(high - 1), in_file(high)}, weight};
}

}  // namespace groundswell::quake
