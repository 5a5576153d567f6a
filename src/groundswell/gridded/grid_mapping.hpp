#pragma once

#include <memory>
#include <string>

#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// Position of places on the Earth on the axes of a grid that are not longitude and latitude: a rotated pole, a conformal
/// cone (Lambert, polar stereographic) or a Mercator cylinder (CF-1.11, appendix F).
class GridMapping {
public:
    struct Place {
        double x, y;  ///< degrees on a rotated grid, else m
    };

    virtual ~GridMapping() = default;
    /// Place on the grid of a longitude and latitude, rad.
    virtual Place place(double longitude, double latitude) const = 0;
    /// Angle from the grid's x axis to true east, there, rad, anticlockwise.
    virtual double turn(double longitude, double latitude) const = 0;
    virtual bool in_degrees() const = 0;
    /// Whether the file says how large the Earth is; else WGS 84 was taken.
    virtual bool figure_is_known() const { return true; }
    /// "a rotated grid (pole at 39.25°N, 162°W)"; the same words for the same mapping.
    virtual std::string describe() const = 0;

    /// The mapping that a variable's grid_mapping names; null for none and for latitude_longitude. Throws base::Refusal for a mapping of
    /// another name, and numbers that are missing or out of range.
    static std::shared_ptr<const GridMapping> read(const netcdf::Reader& file,
                                                   const netcdf::Reader::Variable& variable);
};

}  // namespace groundswell::gridded
