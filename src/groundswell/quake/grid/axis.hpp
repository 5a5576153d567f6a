#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/netcdf/reader.hpp"

namespace groundswell::quake {

/// Metres in one unit of length, or 0: m, km.
double length_unit(std::string_view units);

/// An axis of a rectilinear grid, spacing free, in either direction; in m, z up. The axis that a grid does not have is one
/// point that all places lie at.
class Axis {
public:
    enum Direction { x, y, z };

    Axis() = default;
    /// base::Refusal where the axis has fewer than two values, does not go one way, or has no unit of length.
    Axis(const netcdf::Reader& file, const netcdf::Reader::Variable& variable);

    /// The axis that a coordinate variable is, from its standard name, its attribute `axis` or its name; nothing: of no axis. base::Refusal
    /// for longitudes and latitudes.
    static std::optional<Direction> direction_of(const netcdf::Reader& file,
                                                 const netcdf::Reader::Variable& variable);

    /// The points on both sides of a place, as the file counts them, and the weight of the second, 0…1. On a point both are
    /// that point. Nothing: outside the axis.
    struct Between {
        std::size_t point[2] = {0, 0};
        double weight = 0.0;
    };
    std::optional<Between> find(double place) const;
    /// The nearest point of an edge for what lies outside.
    Between find_nearest(double place) const;

    double lowest() const { return value_.front(); }  ///< m
    double highest() const { return value_.back(); }

private:
    std::size_t in_file(std::size_t i) const { return reversed_ ? value_.size() - 1 - i : i; }

    std::vector<double> value_;  // m, increasing; empty: an axis that is not there
    bool reversed_ = false;      // the file counts from the upper end
};

}  // namespace groundswell::quake
