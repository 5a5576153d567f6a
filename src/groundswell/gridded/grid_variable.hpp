#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/gridded/cf_time.hpp"
#include "groundswell/gridded/lat_lon_grid.hpp"
#include "groundswell/gridded/quantity.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// The variable of a file that holds `quantity`, null if there is none: the explicit name; else the one
/// variable with the standard name; else the first common name. Throws base::Refusal where several have the
/// standard name and none of them has a common name.
const netcdf::Reader::Variable* find_variable(const netcdf::Reader& file, const Quantity& quantity);

/// A variable (time, latitude, longitude) of one file, with its axes understood. Dimensions of length one (a
/// height) may stand between time and latitude.
class GridVariable {
public:
    /// Throws base::Refusal for another order of dimensions, missing axes, wrong units (not those of the
    /// quantity, or others than those that are stated), wrong calendar, times that do not increase, or a file
    /// that is cut short.
    GridVariable(const netcdf::Reader& file, const netcdf::Reader::Variable& variable,
                 const Quantity& quantity, const StatedUnits& stated = {});

    const LatLonGrid& grid() const { return *grid_; }
    const std::vector<double>& times() const { return times_; }  ///< as stored, increasing
    const CfTime& time() const { return *time_; }
    /// Rows that the file stores, and unpacks, together; 1 where it stores them one after the other.
    std::size_t rows_together() const { return rows_together_; }

    /// Reads one time of a box into values[box.size()], unpacked to the quantity's unit; missing ones
    /// as NaN.
    void read(const netcdf::Reader& file, std::size_t step, const GridBox& box,
              std::vector<double>& values) const;

private:
    netcdf::Reader::Variable variable_;
    std::optional<LatLonGrid> grid_;
    std::optional<CfTime> time_;
    std::vector<double> times_;
    std::size_t rows_together_ = 1;
    double scale_ = 1.0, offset_ = 0.0;     // value = stored · scale + offset
    std::optional<double> fill_, missing_;  // stored values that mean nothing
};

}  // namespace groundswell::gridded
