#include "groundswell/sea/propagation/rotated_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {
namespace {

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
inline Real limited_slope(Real below, Real value, Real above) {
    const Real down = value - below, up = above - value;
    const Real central = Real(0.5) * (above - below);
    const Real steep_down = Real(2) * std::abs(down), steep_up = Real(2) * std::abs(up);
    const Real bound = steep_down < steep_up ? steep_down : steep_up;
    const Real least = std::abs(central) < bound ? std::abs(central) : bound;
    const Real slope = down > 0 ? least : -least;
    return down * up > 0 ? slope : Real(0);
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

void SpectrumRotation::add(Real* to, const Real* from, Real* work) const {
    // Rows with the bins before the first and after the last, so that the loops below are plain ones.
    const int n = directions_;
    Real* const value = work + 1;
    Real* const tilt = value + n + 2;
    Real* const turned = tilt + n + 2;
    std::copy_n(from, n, value);
    value[-1] = from[n - 1];
    value[n] = from[0];
    const Real stays = Real(1) - part_, moves = part_, weight = Real(0.5) * part_ * stays;
    for (int p = 0; p < n; ++p) tilt[p] = weight * limited_slope(value[p - 1], value[p], value[p + 1]);
    tilt[-1] = tilt[n - 1];
    for (int p = 0; p < n; ++p)
        turned[p] = (stays * value[p] - tilt[p]) + (moves * value[p - 1] + tilt[p - 1]);
    for (int p = 0; p < n - shift_; ++p) to[p + shift_] += turned[p];
    for (int p = n - shift_; p < n; ++p) to[p + shift_ - n] += turned[p];
}

}  // namespace groundswell::sea
