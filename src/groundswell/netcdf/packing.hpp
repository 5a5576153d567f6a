#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/netcdf/reader.hpp"

namespace groundswell::netcdf {

/// Conversion of a variable's stored numbers to values, by its attributes (CF-1.11, 2.5 and 8.1; Unidata, Attribute
/// Conventions of the NetCDF Users Guide): value = stored · scale_factor + add_offset.
///
/// Nothing is known where the stored number is a _FillValue (without one, the library's own fill for the type), any of the
/// missing_value, lies outside valid_range or valid_min and valid_max, or is beyond ±1e30. `_Unsigned = "true"` makes signed
/// integers, and those attributes, unsigned. A valid range of a wider type than the stored one, that of scale_factor, bounds
/// the values instead.
class Packing {
public:
    /// Throws base::Refusal for a scale_factor or add_offset that is no one number, or a scale of 0.
    Packing(const Reader& file, const Reader::Variable& variable);

    /// NaN where nothing is known.
    double value(double stored) const;
    void unpack(std::span<double> values) const;

private:
    struct Range {
        double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
        bool holds(double value) const { return value >= low && value <= high; }
    };
    void read_missing(const Reader& file, const Reader::Variable& variable);
    void read_range(const Reader& file, const Reader::Variable& variable);
    double as_stored(const Reader::Variable& variable, double number) const;

    double scale_ = 1.0, offset_ = 0.0;
    double turn_ = 0.0;  // what a negative number has too little, if all are unsigned
    std::vector<double> missing_;
    Range stored_, unpacked_;
};

}  // namespace groundswell::netcdf
