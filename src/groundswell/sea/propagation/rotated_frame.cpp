#include "groundswell/sea/propagation/rotated_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/propagation/rotated_formulas.hpp"

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

SpectrumRotation::SpectrumRotation(double angle, int directions) {
    const double turns = angle / base::two_pi;
    const double bins = (turns - std::floor(turns)) * directions;
    const double whole = std::floor(bins);
    shift = static_cast<int>(whole) % directions;
    part = static_cast<Real>(bins - whole);
}

TurningRows::TurningRows(int directions)
    : directions_(directions),
      circle_(lanes::padded(2 * directions) + 2 * lanes::table_width),
      half_(lanes::padded(directions) + 2 * lanes::table_width),
      rotation_(0.0, directions) {
    const auto zeros = [](int pitch) {
        exec::Array<Real> array(static_cast<std::size_t>(at_once * pitch + lanes::table_width));
        std::fill_n(array.data(), array.size(), Real(0));
        return array;
    };
    values_ = zeros(circle_);
    tilts_ = zeros(half_);
    turned_ = zeros(circle_);
}

void TurningRows::begin(const SpectrumRotation& rotation, int first, int count) {
    rotation_ = rotation;
    first_ = first;
    count_ = count;
    std::fill_n(turned_.data(), turned_.size(), Real(0));
}

void TurningRows::set(int i, const Real* a, const Real* b, Real factor) {
    const int n = directions_;
    Real* const row = values(i);
    // Backwards: what the last register writes behind the row is the next round's.
    for (int d = (n - 1) / lanes::width * lanes::width; d >= 0; d -= lanes::width) {
        const lanes::Lane value = lanes::within(d, n, factor * lanes::load(a + d) * lanes::load(b + d));
        lanes::store(row + d, value);
        lanes::store(row + n + d, value);
    }
}

void TurningRows::add(Real* to, int rows) {
    // All rows by one stage after the other: what was just written is slow to read at another place. What lies beside the window
    // is empty: no loop has to look for the end of the circle.
    const TurnShares shares(rotation_.part);
    const int n = directions_, arrive = count_ + 1, arrived = (first_ + rotation_.shift) % n;
    for (int i = 0; i < rows; ++i) {
        const Real* const value = values(i) + first_;
        Real* const tilt = tilts(i);
        for (int p = 0; p < arrive; p += lanes::width) {
            const Real* const v = value + p;
            lanes::store(tilt + p, shares.tilt(lanes::load(v - 1), lanes::load(v), lanes::load(v + 1)));
        }
    }
    for (int i = 0; i < rows; ++i) {
        const Real* const value = values(i) + first_;
        const Real* const tilt = tilts(i);
        Real* const row = turned(i) + arrived;
        for (int p = 0; p < arrive; p += lanes::width) {
            const lanes::Lane all = shares.arriving(lanes::load(value + p), lanes::load(tilt + p),
                                                    lanes::load(value + p - 1), lanes::load(tilt + p - 1));
            lanes::store(row + p, lanes::within(p, arrive, all));
        }
    }
    for (int i = 0; i < rows; ++i) {
        const Real* const row = turned(i);
        Real* const sum = to + i * n;
        for (int q = 0; q < n; q += lanes::width) {
            const lanes::Lane arrives = lanes::load(row + q) + lanes::load(row + q + n);
            lanes::store(sum + q, lanes::load(sum + q) + lanes::within(q, n, arrives));
        }
    }
}

void TurningRows::turn(const SpectrumRotation& rotation, const Real* from, Real* to) {
    const TurnShares shares(rotation.part);
    const int n = directions_;
    // Bin q comes from `source + q`, the one below it and those beside these. What stands there, begin() takes away.
    Real* const source = turned_.data() + lanes::table_width;
    int at = (2 * n - rotation.shift - 2) % n;
    for (int q = -2; q < n + 1; ++q) {
        source[q] = from[at];
        if (++at == n) at = 0;
    }
    for (int q = 0; q < n; q += lanes::width) {
        const Real* const v = source + q;
        const lanes::Lane lowest = lanes::load(v - 2), below = lanes::load(v - 1), here = lanes::load(v);
        lanes::store(to + q, shares.arriving(here, shares.tilt(below, here, lanes::load(v + 1)), below,
                                             shares.tilt(lowest, below, here)));
    }
}

}  // namespace groundswell::sea
