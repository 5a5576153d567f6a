#pragma once

#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

/// Bearing in degrees, coming from, clockwise from north, in [0, 360), of a direction of travel in radians
/// counter-clockwise from east.
inline double bearing_from(double direction_to) {
    const double bearing = std::fmod(270.0 - direction_to / base::degree, 360.0);
    const double positive = bearing < 0.0 ? bearing + 360.0 : bearing;
    return positive >= 360.0 ? 0.0 : positive;
}
/// The inverse of bearing_from: radians in [0, 2π).
inline double direction_to(double bearing_from_degrees) {
    const double direction = std::fmod((270.0 - bearing_from_degrees) * base::degree, base::two_pi);
    return direction < 0.0 ? direction + base::two_pi : direction;
}

}  // namespace groundswell::sea
