#pragma once

#include <array>
#include <string>

namespace groundswell::tetra {

/// Metres east and north of a place, and back to longitude and latitude: the transverse Mercator projection of the WGS 84
/// ellipsoid about the meridian of the origin, without scaling there. Krüger's series to the sixth order (C. F. F. Karney
/// 2011, doi:10.1007/s00190-011-0445-3): 5 nm within 3900 km of the meridian; beyond 80 degrees of longitude it is not to be
/// used.
class Projection {
public:
    /// Degrees.
    Projection(double longitude, double latitude);

    struct Degrees {
        double longitude = 0.0, latitude = 0.0;
    };
    struct Metres {
        double east = 0.0, north = 0.0;
    };
    Metres metres(const Degrees& place) const;
    Degrees degrees(const Metres& place) const;

    const Degrees& origin() const { return origin_; }
    /// For people and for files, as in "transverse Mercator on WGS 84 about 13.4° E, 42.3° N".
    std::string name() const;
    /// As the PROJ library and those who know its words have it.
    std::string proj() const;

private:
    Degrees origin_;
    double north_ = 0.0;  // of the origin, from the equator
};

/// What a mesh of Gmsh says of the projection of its metres, in the words of the PROJ library: the line of a section
/// `$Projection` before its nodes, as `groundswell mesh make` writes it. Empty for a mesh that says nothing, and for what cannot
/// be read. Not collective.
std::string stated_projection(const std::string& path);

}  // namespace groundswell::tetra
