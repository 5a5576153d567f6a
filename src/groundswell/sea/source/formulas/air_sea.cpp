#include "groundswell/sea/source/formulas/air_sea.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"

namespace groundswell::sea {

namespace {

constexpr double height = 10.0;                   // m, of the wind
constexpr double viscous_length = 0.11 * 1.5e-5;  // m² s⁻¹; 0.11 ν: roughness of a smooth wall times u*
constexpr int points = 19;                        // of Simpson's rule, odd

}  // namespace

AirSea::AirSea(const PhysicsOptions& options)
    : minimum_charnock_(options[minimum_charnock]),
      wind_growth_(options[growth] / (base::von_karman * base::von_karman)),
      wave_age_shift_(options[wave_age_shift]),
      sheltering_(options[tail_sheltering]),
      stress_limit_(options[stress_limit]),
      roughness_limit_(options[roughness_limit]) {
    // Below x0 waves do not grow: α x0² exp(κ/(x0 + zα)) = 1; Newton on its logarithm.
    double x = 0.005;
    for (int iteration = 0; iteration < 30; ++iteration) {
        const double shifted = x + wave_age_shift_;
        const double value = std::log(minimum_charnock_ * x * x) + base::von_karman / shifted;
        x -= value / (2.0 / x - base::von_karman / (shifted * shifted));
    }
    lowest_omega_ = x;
}

AirSea::Result AirSea::solve(double wind_speed, double wave_stress, double first_guess) const {
    const double wind = std::max(wind_speed, minimum_wind);
    const double stress = std::clamp(wave_stress, 0.0, stress_limit_);
    const double floor = stress / largest_share;
    const double charnock_over_g = minimum_charnock_ / base::gravity;
    const double log_height = std::log(height);

    double friction = first_guess > 0.0 ? first_guess : wind * std::sqrt(std::min(8e-4 + 8e-5 * wind, 3e-3));
    double total = std::max({friction * friction, floor, 1e-10});
    friction = std::sqrt(total);
    double roughness = 0.0;
    // Newton on u* - κU/ln(z/(z0 + zv)); d z0/d u* follows from z0 ∝ u*² (1 - τw/u*²)^-½.
    for (int iteration = 0; iteration < 30; ++iteration) {
        const double share = stress / total;
        roughness = charnock_over_g * total / std::sqrt(1.0 - share);
        const double viscous = viscous_length / friction;
        const double length = roughness + viscous;
        const double inverse_log = 1.0 / (log_height - std::log(length));
        const double residual = friction - base::von_karman * wind * inverse_log;
        const double relative_slope =
            (roughness * (2.0 - 3.0 * share) / (1.0 - share) - viscous) / (length * friction);
        const double slope = 1.0 - base::von_karman * wind * inverse_log * inverse_log * relative_slope;
        friction -= slope != 0.0 ? residual / slope : 0.0;
        const double renewed = std::max({friction * friction, floor, 1e-10});
        friction = std::sqrt(renewed);
        const bool converged = std::abs(renewed - total) <= 1e-6 * renewed;
        total = renewed;
        if (converged) break;
    }
    if (roughness_limit_ > 0.0 && roughness > roughness_limit_) {
        roughness = roughness_limit_;
        friction = base::von_karman * wind / std::log(height / roughness);
    }
    return {friction, roughness, base::gravity * roughness / (friction * friction)};
}

double AirSea::short_wave_stress(double friction_velocity, double roughness, double cutoff,
                                 double level) const {
    // With y = ω √(z0/g) and z = ln y the parameter of growth is Z = ln(k z0) + κ/(u*/c + zα)
    // = 2z + κ/(u*ω/g + zα), and the integral runs from y of the cutoff to y = 1.
    const double per_omega = std::sqrt(roughness / base::gravity);
    const double start = std::max(base::two_pi * cutoff, lowest_omega_ * base::gravity / friction_velocity);
    const double first = std::log(start * per_omega);
    const double spacing = std::max(-first / (points - 1), 0.0);
    constexpr double two_pi_4 = base::two_pi * base::two_pi * base::two_pi * base::two_pi;
    const double strength = two_pi_4 / (base::gravity * base::gravity) * level * wind_growth_ / 3.0 * spacing;
    double remaining = friction_velocity * friction_velocity;
    double u = friction_velocity;
    double sum = 0.0;
    for (int j = 0; j < points; ++j) {
        const double weight = j == 0 || j == points - 1 ? 1.0 : (j % 2 == 1 ? 4.0 : 2.0);
        const double z = first + j * spacing;
        const double y = exec::lanes::exp(z);
        const double age = u * y / (per_omega * base::gravity) + wave_age_shift_;
        const double exponent = std::min(2.0 * z + base::von_karman / age, 0.0);
        const double square = exponent * exponent;
        const double grown = square * square * exec::lanes::exp(exponent);
        const double part = strength * weight * grown * remaining;
        sum += part;
        if (sheltering_ > 0.0) {
            remaining = std::max(remaining - sheltering_ * part, 0.0);
            u = std::sqrt(remaining);
        }
    }
    return sum;
}

}  // namespace groundswell::sea
