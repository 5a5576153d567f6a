#include "groundswell/sea/ice/boundary_layer.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

namespace {

constexpr double ice_density = 922.5, water_density = 1025.0;  // kg m⁻³
constexpr double youngs_modulus = 6e9, poissons_ratio = 0.3;   // Pa, 1
constexpr double highest_wave_number = 1e3;                    // rad m⁻¹

double inertia(double thickness) {
    return ice_density * thickness / water_density;
}
double stiffness(double thickness) {
    return youngs_modulus * thickness * thickness * thickness /
           (12.0 * (1.0 - poissons_ratio * poissons_ratio) * water_density);
}

}  // namespace

double wave_number_under_ice(double sigma, double depth, double thickness) {
    const double m = inertia(thickness), b = stiffness(thickness), square = sigma * sigma;
    // Below its root negative, above positive.
    const auto excess = [&](double k) {
        return base::gravity * k + b * k * k * k * k * k - square * (1.0 / std::tanh(k * depth) + k * m);
    };
    double low = 0.0, high = highest_wave_number, k = square / base::gravity;
    for (int i = 0; i < 100; ++i) {
        const double value = excess(k);
        (value < 0.0 ? low : high) = k;
        const double sine = std::sinh(std::min(k * depth, 300.0));
        const double slope = base::gravity + 5.0 * b * k * k * k * k + square * (depth / (sine * sine) - m);
        double next = k - value / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - k) <= 1e-12 * k) return next;
        k = next;
    }
    return k;
}

double ice_decay_boundary_layer(double sigma, double depth, double thickness, double eddy_viscosity) {
    if (!(thickness > 0.0)) return 0.0;
    const double k = wave_number_under_ice(sigma, depth, thickness), km = k * inertia(thickness);
    const double speed = (base::gravity + (5.0 + 4.0 * km) * stiffness(thickness) * k * k * k * k) /
                         (2.0 * sigma * (1.0 + km) * (1.0 + km));
    return std::sqrt(0.5 * eddy_viscosity * sigma) * k / (speed * (1.0 + km));
}

}  // namespace groundswell::sea
