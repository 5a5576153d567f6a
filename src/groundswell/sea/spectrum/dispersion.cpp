#include "groundswell/sea/spectrum/dispersion.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

double wave_number(double sigma, double depth) {
    GS_ASSERT(sigma > 0.0 && depth > 0.0);
    // x = kd solves x tanh x = a. Start from Fenton & McKee (1990, eq. 3), within 1.5 % everywhere.
    const double a = sigma * sigma * depth / base::gravity;
    if (a > 20.0) return a / depth;  // tanh 20 is 1 to rounding
    double x = a / std::pow(std::tanh(std::pow(a, 0.75)), 2.0 / 3.0);
    for (int iteration = 0; iteration < 20; ++iteration) {
        const double t = std::tanh(x);
        const double residual = x * t - a;
        const double slope = t + x * (1.0 - t * t);
        const double change = residual / slope;
        x -= change;
        if (std::abs(change) <= 1e-8 * x) break;  // what is left is its square
    }
    return x / depth;
}

double group_speed(double sigma, double k, double depth) {
    const double x = 2.0 * k * depth;
    const double ratio = x > 50.0 ? 0.0 : x / std::sinh(x);
    return 0.5 * sigma / k * (1.0 + ratio);
}

}  // namespace groundswell::sea
