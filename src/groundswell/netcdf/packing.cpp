#include "groundswell/netcdf/packing.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "groundswell/base/errors.hpp"

namespace groundswell::netcdf {

namespace {

constexpr double largest = 1e30;  // beyond lies what libraries mark floating-point numbers with

/// The number that the library leaves where nothing was written.
double default_fill(const Reader::Variable& variable) {
    const bool is_unsigned = variable.is_unsigned;
    switch (variable.integer_bits) {
        case 8:
            return is_unsigned ? NC_FILL_UBYTE : NC_FILL_BYTE;
        case 16:
            return is_unsigned ? NC_FILL_USHORT : NC_FILL_SHORT;
        case 32:
            return is_unsigned ? double{NC_FILL_UINT} : double{NC_FILL_INT};  // of both types, one has a sign
        case 64:
            return is_unsigned ? static_cast<double>(NC_FILL_UINT64) : static_cast<double>(NC_FILL_INT64);
        default:
            return variable.held == Held::float32 ? NC_FILL_FLOAT : NC_FILL_DOUBLE;
    }
}

/// The one number of an attribute, `otherwise` where there is none.
double number_of(const Reader& file, const Reader::Variable& variable, const char* attribute,
                 double otherwise) {
    const std::vector<double> values = file.numbers(variable, attribute);
    if (values.empty() && !file.has(variable, attribute)) return otherwise;
    const bool sound = values.size() == 1 && std::isfinite(values[0]);
    base::require(
        sound, file.path(), fmt::format("{}:{}", variable.name, attribute),
        values.empty() ? file.text(variable, attribute) : fmt::format("{}", fmt::join(values, ", ")),
        "one number");
    return values[0];
}

}  // namespace

Packing::Packing(const Reader& file, const Reader::Variable& variable)
    : scale_(number_of(file, variable, "scale_factor", 1.0)),
      offset_(number_of(file, variable, "add_offset", 0.0)) {
    base::require(scale_ != 0.0, file.path(), variable.name + ":scale_factor", "0", "a number that is not 0");
    std::string word = file.text(variable, "_Unsigned");
    std::ranges::transform(word, word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (word == "true" && variable.integer_bits > 0 && !variable.is_unsigned)
        turn_ = std::ldexp(1.0, variable.integer_bits);
    base::require(!(word == "false" && variable.is_unsigned), file.path(), variable.name + ":_Unsigned", word,
                  "no such word at numbers that are stored without a sign");
    read_missing(file, variable);
    read_range(file, variable);
}

/// A number of an attribute as if it were stored in the variable.
double Packing::as_stored(const Reader::Variable& variable, double number) const {
    if (variable.held == Held::float32 && std::abs(number) <= std::numeric_limits<float>::max())
        return static_cast<double>(static_cast<float>(number));
    return number < 0.0 ? number + turn_ : number;
}

void Packing::read_missing(const Reader& file, const Reader::Variable& variable) {
    missing_ = file.numbers(variable, "_FillValue");
    // A byte is too small to spare one of its numbers, where nothing says so.
    if (missing_.empty() && (variable.integer_bits != 8 || file.is_filled(variable)))
        missing_.push_back(default_fill(variable));
    for (const double each : file.numbers(variable, "missing_value")) missing_.push_back(each);
    for (double& each : missing_) each = as_stored(variable, each);
}

void Packing::read_range(const Reader& file, const Reader::Variable& variable) {
    const std::vector<double> both = file.numbers(variable, "valid_range");
    const bool has_both = both.size() == 2;
    const char* const names[2] = {has_both ? "valid_range" : "valid_min",
                                  has_both ? "valid_range" : "valid_max"};
    for (const bool upper : {false, true}) {
        std::optional<double> limit = has_both ? both[upper] : std::optional<double>();
        if (const auto alone = file.numbers(variable, names[upper]); !has_both && alone.size() == 1)
            limit = alone[0];
        if (!limit || std::isnan(*limit)) continue;
        const bool packs = file.has(variable, "scale_factor") || file.has(variable, "add_offset");
        const bool of_values =
            packs && variable.integer_bits > 0 && file.is_fractional(variable, names[upper]);
        const double number = of_values ? *limit : as_stored(variable, *limit);
        Range& range = of_values ? unpacked_ : stored_;
        (upper ? range.high : range.low) = number;
    }
}

double Packing::value(double stored) const {
    if (stored < 0.0) stored += turn_;
    if (!(std::abs(stored) < largest) || !stored_.holds(stored)) return std::nan("");
    if (std::ranges::find(missing_, stored) != missing_.end()) return std::nan("");
    const double value = stored * scale_ + offset_;
    return unpacked_.holds(value) ? value : std::nan("");
}

void Packing::unpack(std::span<double> values) const {
    for (double& each : values) each = value(each);
}

}  // namespace groundswell::netcdf
