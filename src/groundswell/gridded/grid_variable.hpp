#pragma once

#include <optional>
#include <vector>

#include "groundswell/gridded/axis/axes.hpp"
#include "groundswell/gridded/cf_time.hpp"
#include "groundswell/gridded/grid_window.hpp"
#include "groundswell/gridded/quantity.hpp"
#include "groundswell/netcdf/packing.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// The variable of a file that holds `quantity`, null if there is none: the explicit name; else the one
/// variable with the standard name; else the first common name. Throws base::Refusal where several have the
/// standard name and none of them has a common name.
const netcdf::Reader::Variable* find_variable(const netcdf::Reader& file, const Quantity& quantity);

/// A variable (time, latitude, longitude) of one file, with its axes understood (Axes), on a grid of longitudes and
/// latitudes or one that a grid_mapping describes.
class GridVariable {
public:
    /// Throws base::Refusal for axes that are not understood, a grid whose own longitudes and latitudes contradict its
    /// mapping, wrong units (not those of the quantity, or missing and not stated), an unknown time axis or calendar,
    /// times that do not increase, or a file that is cut short.
    GridVariable(const netcdf::Reader& file, const netcdf::Reader::Variable& variable,
                 const Quantity& quantity, const Stated& stated = {});

    const HorizontalGrid& grid() const { return *grid_; }
    /// A component along the grid's own axes, not towards true east or north.
    bool along_grid() const { return along_grid_; }
    const std::vector<double>& times() const { return times_; }  ///< unpacked, increasing
    const CfTime& time() const { return *time_; }
    /// Rows that the file stores, and unpacks, together; 1 where it stores them one after the other.
    std::size_t rows_together() const { return rows_together_; }

    /// Reads one time of a box into values[box.size()], unpacked to the quantity's unit; missing ones
    /// as NaN.
    void read(const netcdf::Reader& file, std::size_t step, const GridBox& box,
              std::vector<double>& values) const;

private:
    void read_grid(const netcdf::Reader& file);
    void check_places(const netcdf::Reader& file) const;
    void find_components(const netcdf::Reader& file, const Quantity& quantity, Components stated);
    void read_entry(const netcdf::Reader& file, std::size_t step, std::size_t entry, const GridBox& box,
                    std::vector<double>& values) const;

    netcdf::Reader::Variable variable_;
    Axes axes_;
    netcdf::Packing packing_;
    double unit_ = 1.0;
    std::optional<HorizontalGrid> grid_;
    bool along_grid_ = false;
    std::optional<CfTime> time_;
    std::vector<double> times_;
    std::size_t rows_together_ = 1;
};

}  // namespace groundswell::gridded
