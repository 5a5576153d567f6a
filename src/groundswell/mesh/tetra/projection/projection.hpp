#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace groundswell::tetra {

/// Metres east and north of a place, and back to longitude and latitude.
///
/// The transverse Mercator projection of the WGS 84 ellipsoid, of which UTM's zones are, follows from formulas: Krüger's series
/// to the sixth order (C. F. F. Karney 2011, doi:10.1007/s00190-011-0445-3): 5 nm within 3900 km of the meridian; beyond 80
/// degrees of longitude it is not to be used. All others are those of the PROJ library, where the program was built with it.
class Projection {
public:
    struct Degrees {
        double longitude = 0.0, latitude = 0.0;
    };
    struct Metres {
        double east = 0.0, north = 0.0;
    };
    /// One kind of projection.
    struct Formula {
        virtual ~Formula() = default;
        virtual Metres metres(const Degrees& place) const = 0;
        virtual Degrees degrees(const Metres& place) const = 0;
    };

    /// Transverse Mercator about the meridian of a place, degrees, without scaling there; the place is at 0, 0.
    Projection(double longitude, double latitude);
    /// By words of the PROJ library ("+proj=utm +zone=11 +datum=WGS84") or a number of the EPSG ("EPSG:32611"), in metres.
    /// base::Refusal of `where` and `key` for what is none.
    static Projection from_words(const std::string& words, std::string_view where, std::string_view key);

    Metres metres(const Degrees& place) const { return formula_->metres(place); }
    Degrees degrees(const Metres& place) const { return formula_->degrees(place); }

    /// The longitude about which it was made, degrees; none where the library knows it.
    const std::optional<double>& meridian() const { return meridian_; }
    /// For people and for files, as in "transverse Mercator on WGS 84 about 13.4° E, 42.3° N".
    const std::string& name() const { return name_; }
    /// As the PROJ library and those who know its words have it.
    const std::string& proj() const { return proj_; }

private:
    Projection() = default;

    std::shared_ptr<const Formula> formula_;
    std::optional<double> meridian_;
    std::string name_, proj_;
};

/// Makes a projection from words by the PROJ library. base::Refusal of `where` and `key` where it knows no such projection, its metres are
/// none, or the program was built without it.
std::shared_ptr<const Projection::Formula> proj_library(const std::string& words, std::string_view where,
                                                        std::string_view key);

/// Projection of the metres that a mesh of Gmsh states, in the words of the PROJ library: the line of a section
/// `$Projection` before its nodes, as `groundswell mesh make` writes it. Empty for a mesh that says nothing, and for what cannot
/// be read. Not collective.
std::string stated_projection(const std::string& path);

}  // namespace groundswell::tetra
