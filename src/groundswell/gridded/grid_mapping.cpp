#include "groundswell/gridded/grid_mapping.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

// Numbers of equations: Snyder, J. P. (1987): Map Projections, a Working Manual. USGS Professional Paper 1395.
namespace groundswell::gridded {

namespace {

using base::degree, base::pi;

// An angle brought into ±π.
double centred(double angle) {
    return std::remainder(angle, 2.0 * pi);
}

struct Ellipsoid {
    double axis, eccentricity;  // m, 1
    bool known = true;          // from the file

    // (14-15): radius of a parallel over the semi-major axis.
    double m(double latitude) const {
        const double sine = eccentricity * std::sin(latitude);
        return std::cos(latitude) / std::sqrt(1.0 - sine * sine);
    }
    // (15-9): tangent of half the distance from the north pole, of the conformal sphere.
    double t(double latitude) const {
        const double sine = eccentricity * std::sin(latitude);
        return std::tan(0.25 * pi - 0.5 * latitude) /
               std::pow((1.0 - sine) / (1.0 + sine), 0.5 * eccentricity);
    }
};

// The rotation of the sphere that brings `pole` to the north: as COSMO and CF's appendix F have it, the meridian of the
// true north pole is number `north_pole_longitude` of the grid.
class RotatedPole final : public GridMapping {
public:
    RotatedPole(double pole_longitude, double pole_latitude, double north_pole_longitude)
        : pole_longitude_(pole_longitude),
          sine_(std::sin(pole_latitude)),
          cosine_(std::cos(pole_latitude)),
          origin_(north_pole_longitude),
          words_(fmt::format("a rotated grid (pole at {:.6g}°N, {:.6g}°E)", pole_latitude / degree,
                             pole_longitude / degree)) {}

    Place place(double longitude, double latitude) const override {
        const double east = centred(longitude - pole_longitude_);
        const double up = sine_ * std::sin(latitude) + cosine_ * std::cos(latitude) * std::cos(east);
        const double x = -std::sin(east) * std::cos(latitude);
        const double y = cosine_ * std::sin(latitude) - sine_ * std::cos(latitude) * std::cos(east);
        return {centred(std::atan2(x, y) + origin_) / degree, std::atan2(up, std::hypot(x, y)) / degree};
    }
    // The bearing of the grid's pole from there is that of the grid's north.
    double turn(double longitude, double latitude) const override {
        const double east = centred(pole_longitude_ - longitude);
        return std::atan2(std::sin(east) * cosine_,
                          std::cos(latitude) * sine_ - std::sin(latitude) * cosine_ * std::cos(east));
    }
    bool in_degrees() const override { return true; }
    std::string describe() const override { return words_; }

private:
    double pole_longitude_, sine_, cosine_, origin_;
    std::string words_;
};

// Lambert's conformal conic, and the polar stereographic as its limit n = ±1: (14-1), (14-2), (14-4), (15-7); (21-30),
// (21-31) and what the text says of the south.
class Cone final : public GridMapping {
public:
    Cone(const Ellipsoid& earth, double n, double radius, double central, double origin, Place shift,
         std::string words)
        : earth_(earth),
          n_(n),
          radius_(radius),
          central_(central),
          origin_(origin),
          shift_(shift),
          words_(std::move(words)) {}

    Place place(double longitude, double latitude) const override {
        const double rho = radius_ * std::pow(earth_.t(latitude), n_);  // n < 0: negative
        const double theta = turn(longitude, latitude);
        return {shift_.x + rho * std::sin(theta), shift_.y + origin_ - rho * std::cos(theta)};
    }
    double turn(double longitude, double /*latitude*/) const override {
        return n_ * centred(longitude - central_);
    }
    bool in_degrees() const override { return false; }
    bool figure_is_known() const override { return earth_.known; }
    std::string describe() const override { return words_; }

private:
    Ellipsoid earth_;
    double n_, radius_, central_, origin_;
    Place shift_;
    std::string words_;
};

// (7-6) and (7-7).
class Mercator final : public GridMapping {
public:
    Mercator(const Ellipsoid& earth, double radius, double central, Place shift, std::string words)
        : earth_(earth), radius_(radius), central_(central), shift_(shift), words_(std::move(words)) {}

    Place place(double longitude, double latitude) const override {
        return {shift_.x + radius_ * centred(longitude - central_),
                shift_.y - radius_ * std::log(earth_.t(latitude))};
    }
    double turn(double /*longitude*/, double /*latitude*/) const override { return 0.0; }
    bool in_degrees() const override { return false; }
    bool figure_is_known() const override { return earth_.known; }
    std::string describe() const override { return words_; }

private:
    Ellipsoid earth_;
    double radius_, central_;
    Place shift_;
    std::string words_;
};

// Reads the attributes of a grid mapping variable.
class Attributes {
public:
    Attributes(const netcdf::Reader& file, const netcdf::Reader::Variable& variable)
        : file_(file), variable_(variable) {}

    std::string text(const char* name) const { return file_.text(variable_, name); }
    std::vector<double> list(const char* name) const { return file_.numbers(variable_, name); }
    bool has(const char* name) const { return !list(name).empty(); }

    double number(const char* name, double low, double high, double otherwise) const {
        const std::vector<double> found = list(name);
        if (found.empty() && !std::isnan(otherwise)) return otherwise;
        base::require(found.size() == 1 && found[0] >= low && found[0] <= high, file_.path(),
                      fmt::format("{}:{}", variable_.name, name),
                      found.empty() ? "(none)" : fmt::format("{}", fmt::join(found, ", ")),
                      fmt::format("a number within {}…{}", low, high));
        return found[0];
    }
    double latitude(const char* name, double otherwise = none) const {
        return degree * number(name, -90.0, 90.0, otherwise);
    }
    double longitude(const char* name, double otherwise = none) const {
        return degree * number(name, -720.0, 720.0, otherwise);
    }

    Ellipsoid earth() const {
        if (!has("earth_radius") && !has("semi_major_axis"))
            return {6378137.0, 0.0818191908426, false};  // WGS 84
        if (!has("semi_major_axis")) return {number("earth_radius", 6e6, 7e6, none), 0.0};
        const double axis = number("semi_major_axis", 6e6, 7e6, none);
        const double inverse = number("inverse_flattening", 0.0, 1e12, 0.0);
        const double flattening =
            inverse > 0.0 ? 1.0 / inverse : 1.0 - number("semi_minor_axis", 6e6, axis, axis) / axis;
        return {axis, std::sqrt(flattening * (2.0 - flattening))};
    }
    GridMapping::Place shift() const {
        return {number("false_easting", -1e9, 1e9, 0.0), number("false_northing", -1e9, 1e9, 0.0)};
    }
    [[noreturn]] void refuse(const char* name, std::string_view value, std::string_view expected) const {
        base::refuse(file_.path(), fmt::format("{}:{}", variable_.name, name), value, expected);
    }

    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

private:
    const netcdf::Reader& file_;
    const netcdf::Reader::Variable& variable_;
};

std::shared_ptr<const GridMapping> lambert(const Attributes& given) {
    const Ellipsoid earth = given.earth();
    const std::vector<double> parallels = given.list("standard_parallel");
    if (parallels.empty() || parallels.size() > 2 || !(std::abs(parallels.front()) < 90.0) ||
        !(std::abs(parallels.back()) < 90.0) || parallels.front() + parallels.back() == 0.0)
        given.refuse("standard_parallel", fmt::format("{}", fmt::join(parallels, ", ")),
                     "one or two latitudes on one side of the equator");
    const double first = parallels.front() * degree, second = parallels.back() * degree;
    const double n = std::abs(second - first) < 1e-12
                         ? std::sin(first)
                         : (std::log(earth.m(first)) - std::log(earth.m(second))) /
                               (std::log(earth.t(first)) - std::log(earth.t(second)));      // (15-8)
    const double radius = earth.axis * earth.m(first) / (n * std::pow(earth.t(first), n));  // a F, (15-10)
    const double central = given.longitude("longitude_of_central_meridian");
    const double of_origin = given.latitude("latitude_of_projection_origin");
    return std::make_shared<Cone>(
        earth, n, radius, central, radius * std::pow(earth.t(of_origin), n), given.shift(),
        fmt::format("a Lambert conformal grid (parallels {:.6g}°N, middle {:.6g}°E)",
                    fmt::join(parallels, ", "), central / degree));
}

std::shared_ptr<const GridMapping> polar_stereographic(const Attributes& given) {
    const Ellipsoid earth = given.earth();
    const double pole = given.latitude("latitude_of_projection_origin") / degree;
    if (std::abs(std::abs(pole) - 90.0) > 1e-6)
        given.refuse("latitude_of_projection_origin", fmt::format("{}", pole), "90 or -90");
    const double n = pole > 0.0 ? 1.0 : -1.0;
    const char* const meridian = given.has("straight_vertical_longitude_from_pole")
                                     ? "straight_vertical_longitude_from_pole"
                                     : "longitude_of_projection_origin";
    const double central = given.longitude(meridian);
    const double parallel = given.latitude("standard_parallel", pole);
    double radius = 0.0;
    if (std::abs(parallel) > 89.9999 * degree) {  // (21-33)
        const double e = earth.eccentricity;
        radius = 2.0 * earth.axis * given.number("scale_factor_at_projection_origin", 0.1, 10.0, 1.0) /
                 std::sqrt(std::pow(1.0 + e, 1.0 + e) * std::pow(1.0 - e, 1.0 - e));
    } else {
        radius = earth.axis * earth.m(parallel) / std::pow(earth.t(parallel), n);  // (21-34)
    }
    return std::make_shared<Cone>(earth, n, n * radius, central, 0.0, given.shift(),
                                  fmt::format("a polar stereographic grid ({} pole, upright at {:.6g}°E)",
                                              n > 0.0 ? "north" : "south", central / degree));
}

std::shared_ptr<const GridMapping> mercator(const Attributes& given) {
    const Ellipsoid earth = given.earth();
    const double central = given.longitude("longitude_of_projection_origin", 0.0);
    const double scale = given.has("standard_parallel")
                             ? earth.m(given.latitude("standard_parallel"))
                             : given.number("scale_factor_at_projection_origin", 0.1, 10.0, 1.0);
    return std::make_shared<Mercator>(earth, earth.axis * scale, central, given.shift(),
                                      fmt::format("a Mercator grid (middle {:.6g}°E)", central / degree));
}

}  // namespace

std::shared_ptr<const GridMapping> GridMapping::read(const netcdf::Reader& file,
                                                     const netcdf::Reader::Variable& variable) {
    const std::string words = file.text(variable, "grid_mapping");
    if (words.empty()) return nullptr;
    // "crs" or "crs: x y"
    const std::string name = words.substr(0, words.find_first_of(": "));
    const auto* holder = file.find_near(variable, name);
    if (holder == nullptr) return nullptr;
    const Attributes given(file, *holder);
    const std::string kind = given.text("grid_mapping_name");
    if (kind == "latitude_longitude" || kind.empty()) return nullptr;
    if (kind == "rotated_latitude_longitude")
        return std::make_shared<RotatedPole>(given.longitude("grid_north_pole_longitude"),
                                             given.latitude("grid_north_pole_latitude"),
                                             given.longitude("north_pole_grid_longitude", 0.0));
    if (kind == "lambert_conformal_conic") return lambert(given);
    if (kind == "polar_stereographic") return polar_stereographic(given);
    if (kind == "mercator") return mercator(given);
    given.refuse(
        "grid_mapping_name", kind,
        "latitude_longitude, rotated_latitude_longitude, lambert_conformal_conic, polar_stereographic or "
        "mercator; `cdo remapbil` brings others onto longitudes and latitudes, components towards true east "
        "and north first");
}

}  // namespace groundswell::gridded
