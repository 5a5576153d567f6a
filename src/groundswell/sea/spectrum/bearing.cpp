#include "groundswell/sea/spectrum/bearing.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

double bearing_from(double direction) {
    const double bearing = std::fmod(270.0 - direction / base::degree, 360.0);
    const double positive = bearing < 0.0 ? bearing + 360.0 : bearing;
    return positive >= 360.0 ? 0.0 : positive;
}

double direction_to(double bearing) {
    const double direction = std::fmod((270.0 - bearing) * base::degree, base::two_pi);
    return direction < 0.0 ? direction + base::two_pi : direction;
}

}  // namespace groundswell::sea
