#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "groundswell/gridded/quantity.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// Roles of the dimensions of a variable: places in `variable.dimensions`.
struct Axes {
    std::size_t row = 0, column = 0;
    std::optional<std::size_t> time;    ///< none: the one time is a scalar
    std::optional<std::size_t> merged;  ///< `expver`: of its entries the first one with a value holds
    std::vector<std::size_t> first;     ///< [dimensions] the entry taken of every other one, else 0
    const netcdf::Reader::Variable *clock = nullptr, *x = nullptr, *y = nullptr;
    bool true_coordinates = true;  ///< x and y are longitude and latitude
};

/// Recognises them by their coordinate variables: units, standard names, axis attributes, names. Time is the variable
/// `time`, or another one that counts valid times along a dimension (valid_time(step)). Beside time, row and column, in this
/// order, there may be anywhere: dimensions of length one, `expver`, an ensemble's members (`stated.member`) and a vertical
/// axis. The level is that at `quantity.height`, or `stated.level`.
///
/// Throws base::Refusal: axes that are missing or in another order, more than one entry of another dimension, a member that
/// is not there, a level that is another one.
Axes find_axes(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const Quantity& quantity,
               const Stated& stated);

/// The longitude (or latitude) of every place of the grid, where the file has them: a variable over the axes' dimensions.
const netcdf::Reader::Variable* find_place_of_points(const netcdf::Reader& file,
                                                     const netcdf::Reader::Variable& variable,
                                                     const Axes& axes, bool latitude);

}  // namespace groundswell::gridded
