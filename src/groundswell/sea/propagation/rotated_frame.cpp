#include "groundswell/sea/propagation/rotated_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"

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
inline lanes::Lane limited_slope(lanes::Lane below, lanes::Lane value, lanes::Lane above) {
    const lanes::Lane down = value - below, up = above - value;
    const lanes::Lane central = Real(0.5) * (above - below);
    const lanes::Lane least = lanes::minimum(lanes::absolute(down), lanes::absolute(up));
    const lanes::Lane size = lanes::minimum(lanes::absolute(central), least + least);
    return down * up > 0 ? lanes::with_sign(size, down) : lanes::Lane{};
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

int SpectrumRotation::pitch(int directions) {
    return lanes::padded(directions) + 2 * lanes::table_width;
}

std::size_t SpectrumRotation::work_size(int directions, int rows) {
    return 4 * static_cast<std::size_t>(pitch(directions)) * static_cast<std::size_t>(rows) +
           2 * lanes::table_width;
}

void SpectrumRotation::add(Real* to, int rows, Real* work) const {
    // Rows with the bins before the first and after the last, the turned one twice: then no loop has to look for the end of the
    // circle. All rows by one stage after the other: what was just written is slow to read at another place.
    const int n = directions_, row = pitch(n);
    const std::ptrdiff_t all = static_cast<std::ptrdiff_t>(row) * rows;
    Real* const value = first_row(work);
    Real* const tilt = value + all;
    Real* const turned = tilt + all;
    const Real stays = Real(1) - part_, moves = part_, weight = Real(0.5) * part_ * stays;
    for (Real* v = value; v < tilt; v += row) {
        v[-1] = v[n - 1];
        v[n] = v[0];
    }
    for (std::ptrdiff_t r = 0; r < all; r += row) {
        for (int p = 0; p < n; p += lanes::width) {
            const Real* const v = value + r + p;
            lanes::store(tilt + r + p,
                         weight * limited_slope(lanes::load(v - 1), lanes::load(v), lanes::load(v + 1)));
        }
    }
    for (Real* t = tilt; t < turned; t += row) t[-1] = t[n - 1];
    for (std::ptrdiff_t r = 0; r < all; r += row) {
        Real* const once = turned + 2 * r;
        for (int p = 0; p < n; p += lanes::width) {
            const Real* const v = value + r + p;
            const Real* const t = tilt + r + p;
            const lanes::Lane here =
                (stays * lanes::load(v) - lanes::load(t)) + (moves * lanes::load(v - 1) + lanes::load(t - 1));
            lanes::store(once + p, here);
        }
    }
    for (int r = 0; r < rows; ++r) {
        Real* const once = turned + 2 * r * row;
        for (int p = 0; p < n; p += lanes::width) lanes::store(once + n + p, lanes::load(once + p));
    }
    for (int r = 0; r < rows; ++r) {
        const Real* const from = turned + 2 * r * row + (n - shift_);
        Real* const sum = to + r * n;
        for (int q = 0; q < n; q += lanes::width)
            lanes::store(sum + q, lanes::load(sum + q) + lanes::within(q, n, lanes::load(from + q)));
    }
}

}  // namespace groundswell::sea
