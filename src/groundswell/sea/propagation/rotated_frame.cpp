#include "groundswell/sea/propagation/rotated_frame.hpp"

#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {
namespace {

using exec::Real;
using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct Place {
    Vector up, east, north;
    Place(double lon, double lat)
        : up{std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)},
          east{-std::sin(lon), std::cos(lon), 0.0},
          north{-std::sin(lat) * std::cos(lon), -std::sin(lat) * std::sin(lon), std::cos(lat)} {}

    double bearing(const Vector& v) const { return std::atan2(dot(v, north), dot(v, east)); }
};

// Slope of a bin, per bin width; at most twice the bin's own value for positive values.
Real limited_slope(Real below, Real value, Real above) {
    const Real down = value - below, up = above - value;
    if (down * up <= Real(0)) return Real(0);
    const Real central = Real(0.5) * (above - below);
    const Real bound = Real(2) * (std::abs(down) < std::abs(up) ? down : up);
    return std::abs(central) < std::abs(bound) ? central : bound;
}

}  // namespace

double carried_east(double centre_lon, double centre_lat, double lon, double lat) {
    const Place centre(centre_lon, centre_lat), place(lon, lat);
    const double along = dot(centre.up, place.up);
    Vector leaving, arriving;
    for (int i = 0; i < 3; ++i) {
        leaving[i] = place.up[i] - along * centre.up[i];
        arriving[i] = along * place.up[i] - centre.up[i];
    }
    return place.bearing(arriving) - centre.bearing(leaving);
}

SpectrumRotation::SpectrumRotation(double angle, int directions) : directions_(directions) {
    const double turns = angle / base::two_pi;
    const double bins = (turns - std::floor(turns)) * directions;
    const double whole = std::floor(bins);
    shift_ = static_cast<int>(whole) % directions;
    part_ = static_cast<Real>(bins - whole);
}

void SpectrumRotation::add(Real* to, const Real* from) const {
    const Real stays = Real(1) - part_;
    for (int p = 0; p < directions_; ++p) {
        const Real value = from[p];
        const Real below = from[p == 0 ? directions_ - 1 : p - 1];
        const Real above = from[p + 1 == directions_ ? 0 : p + 1];
        const Real tilt = Real(0.5) * part_ * stays * limited_slope(below, value, above);
        int q = p + shift_;
        if (q >= directions_) q -= directions_;
        to[q] += stays * value - tilt;
        if (++q == directions_) q = 0;
        to[q] += part_ * value + tilt;
    }
}

}  // namespace groundswell::sea
