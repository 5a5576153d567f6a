#include "groundswell/mesh/tetra/projection.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

// Equations are Karney's.
#include "groundswell/base/constants.hpp"

namespace groundswell::tetra {

namespace {

constexpr double semi_major_axis = 6378137.0, flattening = 1.0 / 298.257223563;
constexpr double n = flattening / (2.0 - flattening);
using base::degree;
const double eccentricity = std::sqrt(flattening * (2.0 - flattening));

// Eq. 14: the length of a meridian over 2π.
constexpr double radius =
    semi_major_axis / (1.0 + n) * (1.0 + n * n / 4.0 + n * n * n * n / 64.0 + n * n * n * n * n * n / 256.0);

constexpr double polynomial(const std::array<double, 6>& coefficient) {
    double value = 0.0;
    for (int k = 5; k >= 0; --k) value = n * (coefficient[k] + value);
    return value;
}

// Eq. 35 and 36: coefficients of n, n², …, n⁶.
constexpr std::array<double, 6> alpha{
    polynomial({1.0 / 2, -2.0 / 3, 5.0 / 16, 41.0 / 180, -127.0 / 288, 7891.0 / 37800}),
    polynomial({0, 13.0 / 48, -3.0 / 5, 557.0 / 1440, 281.0 / 630, -1983433.0 / 1935360}),
    polynomial({0, 0, 61.0 / 240, -103.0 / 140, 15061.0 / 26880, 167603.0 / 181440}),
    polynomial({0, 0, 0, 49561.0 / 161280, -179.0 / 168, 6601661.0 / 7257600}),
    polynomial({0, 0, 0, 0, 34729.0 / 80640, -3418889.0 / 1995840}),
    polynomial({0, 0, 0, 0, 0, 212378941.0 / 319334400})};
constexpr std::array<double, 6> beta{
    polynomial({1.0 / 2, -2.0 / 3, 37.0 / 96, -1.0 / 360, -81.0 / 512, 96199.0 / 604800}),
    polynomial({0, 1.0 / 48, 1.0 / 15, -437.0 / 1440, 46.0 / 105, -1118711.0 / 3870720}),
    polynomial({0, 0, 17.0 / 480, -37.0 / 840, -209.0 / 4480, 5569.0 / 90720}),
    polynomial({0, 0, 0, 4397.0 / 161280, -11.0 / 504, -830251.0 / 7257600}),
    polynomial({0, 0, 0, 0, 4583.0 / 161280, -108847.0 / 3991680}),
    polynomial({0, 0, 0, 0, 0, 20648693.0 / 638668800})};

using Complex = std::complex<double>;

// Of northing + i easting, over the radius: what the series adds (eq. 11).
Complex series(const std::array<double, 6>& coefficient, Complex at) {
    Complex sum = 0.0;
    for (int j = 6; j >= 1; --j) sum += coefficient[j - 1] * std::sin(2.0 * j * at);
    return sum;
}

// Eq. 7 to 9: the tangent of the conformal latitude.
double conformal(double tangent) {
    const double secant = std::hypot(1.0, tangent);
    const double sigma = std::sinh(eccentricity * std::atanh(eccentricity * tangent / secant));
    return tangent * std::hypot(1.0, sigma) - sigma * secant;
}

// Eq. 19 to 21: Newton's method, from a conformal latitude.
double geographic(double wanted) {
    constexpr double share = 1.0 - flattening * (2.0 - flattening);  // 1 - e²
    double tangent = wanted / share;
    for (int i = 0; i < 8; ++i) {
        const double found = conformal(tangent);
        const double change = (wanted - found) / std::hypot(1.0, found) * (1.0 + share * tangent * tangent) /
                              (share * std::hypot(1.0, tangent));
        tangent += change;
        if (!(std::abs(change) > 1e-16 * std::hypot(1.0, tangent))) break;
    }
    return tangent;
}

// Northing + i easting from the equator, over the radius.
Complex project(double longitude, double latitude) {
    const double tangent = conformal(std::tan(latitude * degree));
    const double east = longitude * degree;
    const Complex at(std::atan2(tangent, std::cos(east)),
                     std::asinh(std::sin(east) / std::hypot(tangent, std::cos(east))));  // eq. 10
    return at + series(alpha, at);
}

std::string side(double degrees, const char* positive, const char* negative) {
    return fmt::format("{}° {}", std::abs(degrees), degrees < 0.0 ? negative : positive);
}

}  // namespace

Projection::Projection(double longitude, double latitude)
    : origin_{longitude, latitude}, north_(project(0.0, latitude).real()) {}

Projection::Metres Projection::metres(const Degrees& place) const {
    const double longitude = std::remainder(place.longitude - origin_.longitude, 360.0);
    const Complex at = project(longitude, place.latitude);
    return {radius * at.imag(), radius * (at.real() - north_)};
}

Projection::Degrees Projection::degrees(const Metres& place) const {
    const Complex on_plane(place.north / radius + north_, place.east / radius);
    const Complex at = on_plane - series(beta, on_plane);
    const double east = std::sinh(at.imag()), cosine = std::cos(at.real());
    const double tangent = std::sin(at.real()) / std::hypot(east, cosine);  // eq. 18
    const double longitude = origin_.longitude + std::atan2(east, cosine) / degree;
    return {std::remainder(longitude, 360.0), std::atan(geographic(tangent)) / degree};
}

std::string Projection::name() const {
    return fmt::format("transverse Mercator on WGS 84 about {}, {}", side(origin_.longitude, "E", "W"),
                       side(origin_.latitude, "N", "S"));
}

std::string Projection::proj() const {
    return fmt::format("+proj=tmerc +lat_0={} +lon_0={} +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m",
                       origin_.latitude, origin_.longitude);
}

}  // namespace groundswell::tetra
