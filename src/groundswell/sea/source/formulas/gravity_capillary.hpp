#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/formulas/air_sea.hpp"

namespace groundswell::sea {

/// The air over the waves where gravity-capillary waves are the sea's background roughness, in place of a Charnock coefficient, and
/// where growth is renormalised: ecWAM with LLGCBZ0, LLNORMAGAM and LLCAPCHNK (ECMWF, Apache licence; Janssen & Bidlot 2023, J. Phys.
/// Oceanogr. 53, 779-804). The waves' spectrum goes on as k⁻⁴ √vg/c² beyond the wave number where that of the model ends, and takes up
/// momentum by the same law of growth. Equations are those of ecWAM's code: the paper was not at hand.
class GravityCapillary {
public:
    static constexpr std::string_view ecwam =
        "ecWAM, LLGCBZ0 and LLNORMAGAM; Janssen & Bidlot 2023, J. Phys. Oceanogr. 53, 779";
    static constexpr auto switched = Coefficient(
        "gravity_capillary", 0.0, 0, 1, "",
        "1: the background roughness is that of gravity-capillary waves; 0: minimum_charnock", ecwam);
    static constexpr auto renormalisation = Coefficient(
        "growth_renormalisation", 0.0, 0, 10, "",
        "factor of N, by whose (1 + N sin2)/(1 + N) steep waves grow more slowly; 0: none", ecwam);
    static constexpr std::array coefficients{switched, renormalisation};

    constexpr GravityCapillary() = default;
    /// `directions` of the grid: ecWAM has two sets of constants for the spreading of short waves, up to 24 and beyond.
    GravityCapillary(const PhysicsOptions& options, int directions);

    constexpr bool used() const { return used_; }
    constexpr bool renormalises() const { return renormalisation_ > 0.0; }

    /// The factor of N by the wind, m s⁻¹: 1 below 30 m s⁻¹, 2.2 beyond 36 (DTHRN_A, DTHRN_U). 0 without renormalisation.
    constexpr double strength(double wind_speed) const {
        return renormalises() ? renormalisation_ * (1.0 + 1.2 * ramp(wind_speed - 33.0)) : 0.0;
    }
    /// (1 + N across)/(1 + N) of the tail beyond the spectrum has N = tail_factor() · strength · f⁵∫E dθ · ω u* Z⁴ e^Z, with u* in
    /// m s⁻¹ and ω in rad s⁻¹ (GAMNCONST).
    constexpr double tail_factor() const {
        constexpr double two_pi_2 = base::two_pi * base::two_pi;
        return spreading * growth_ / base::von_karman * 0.5 * two_pi_2 * two_pi_2 /
               (base::gravity * base::gravity * base::gravity);
    }

    /// Wave number (rad m⁻¹) from which on waves are gravity-capillary ones, by friction velocity (NS_GC).
    constexpr double first_wave_number(std::same_as<double> auto friction_velocity) const {
        return std::sqrt(base::gravity / tension) / (1.48 + 2.05 * friction_velocity);
    }
    static constexpr double frequency(
        std::same_as<double> auto wave_number) {  ///< ω, rad s⁻¹: ω² = g k + T k³
        return std::sqrt(wave_number * (base::gravity + tension * wave_number * wave_number));
    }

    /// Kinematic stress (m² s⁻²) of the waves from first_wave_number() to 20 000 rad m⁻¹ (STRESS_GC), for half of Phillips' parameter
    /// and `strength()`.
    constexpr double stress(std::same_as<double> auto friction_velocity, double roughness,
                            double half_phillips, double strength) const;

    /// Solves u*² = τw + 0.04 ν u*/(κ z0) + stress of gravity-capillary waves, U10 = u*/κ ln(1 + z/z0), z = 10 m (TAUT_Z0), for the
    /// wave-supported kinematic stress `wave_stress` (m² s⁻²) along the wind. That is at most what ecWAM holds possible for the wind;
    /// the background roughness is at least that of Charnock with `minimum_charnock`, 10⁻⁴ beyond 30 m s⁻¹ (CHNKMIN).
    /// `first_guess` of u* may be 0.
    constexpr AirSea::Result solve(std::same_as<double> auto wind_speed, double wave_stress,
                                   double half_phillips, double first_guess) const;

    static constexpr double most_phillips = 0.03;  ///< ALPHAPMAX

private:
    static constexpr double height = 10.0;        // m, of the wind
    static constexpr double viscosity = 1.5e-5;   // m² s⁻¹, of air
    static constexpr double tension = 0.0717e-3;  // T, m³ s⁻²: 0.0717 N m⁻¹ over 1000 kg m⁻³
    static constexpr double least_roughness = 1e-6;
    static constexpr double spreading = 0.75;  // DELTA_THETA_RN
    static constexpr double across = 0.25;     // RN1_RN
    static constexpr double least_charnock = 1e-4, most_charnock = 0.11;
    static constexpr double last_wave_number = 2e4;
    static constexpr int points = 25;  // of Simpson's rule, odd

    // 0 far below 0, 1 far above it: (1 + tanh x)/2.
    static constexpr double ramp(double x) {
        return 1.0 / (1.0 + exec::lanes::exp(std::min(std::max(-2.0 * x, -60.0), 60.0)));
    }

    bool used_ = false;
    double growth_ = 0, wave_age_shift_ = 0, charnock_ = 0, renormalisation_ = 0;  // βmax/κ², zα, α, factor
    double narrow_ = 0;                                                            // ANG_GC_A
};

constexpr double GravityCapillary::stress(std::same_as<double> auto friction_velocity, double roughness,
                                          double half_phillips, double strength) const {
    const double u = friction_velocity, first = first_wave_number(u);
    const double log_first = exec::lanes::log(first);
    const double spacing = (exec::lanes::log(last_wave_number) - log_first) / (points - 1);
    const double ratio = exec::lanes::exp(spacing), log_roughness = exec::lanes::log(roughness);
    // λ of Janssen: growth is ln⁴(μ/λ) μ.
    const double u2 = u * u, raised = exec::lanes::exp(-std::min(8.0 * u2 * u2, 60.0));
    const double log_lambda = exec::lanes::log(1.0 + 0.25 * (1.0 - raised) / (1.0 + raised));
    const double renormal = strength * spreading * growth_ / base::von_karman * half_phillips / u;
    double level = 0.0, sum = 0.0, k = first;
    for (int i = 0; i < points; ++i, k *= ratio) {
        const double omega = frequency(k), c = omega / k;
        const double group = 0.5 / omega * (base::gravity + 3.0 * tension * k * k);
        const double bend = std::sqrt(group) / (c * c);  // of the spectrum k⁴ F(k)
        if (i == 0) level = 1.0 / bend;
        const double age = u / c;
        const double log_mu =
            log_first + i * spacing + log_roughness + base::von_karman / (age + wave_age_shift_);
        const double z = std::min(log_mu - log_lambda, 0.0);
        const double grown = z * z * age;
        const double rate = grown * grown * exec::lanes::exp(std::min(log_mu, log_lambda)) * omega * omega *
                            omega / (base::gravity * k);
        const double n = renormal * level * bend / k * rate;
        const double weight = i == 0 || i == points - 1 ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
        sum += weight * rate * bend * omega / (k * k) * (1.0 + across * n) / (1.0 + n);
    }
    const double turned = exec::lanes::exp(-std::min(6.0 * u2, 60.0));
    const double spread = narrow_ + (1.0 - narrow_) * (1.0 - turned) / (1.0 + turned);  // tanh(3 u*²)
    const double least = u * least_roughness / roughness;
    return std::max(spread * growth_ * half_phillips * level * sum * spacing / 3.0, least * least);
}

constexpr AirSea::Result GravityCapillary::solve(std::same_as<double> auto wind_speed, double wave_stress,
                                                 double half_phillips, double first_guess) const {
    const double lowest = AirSea::minimum_wind;
    const double wind = std::max(wind_speed, lowest);
    const double renormal = strength(wind);
    // The largest friction velocity of the waves' stress that ecWAM holds possible.
    const double most = std::max(-0.21339 + wind * (0.093698 + wind * (-0.0020944 + wind * 5.5091e-5)), 0.03);
    const double supported = std::min(std::max(wave_stress, 0.0) / AirSea::largest_share, most * most);
    const double charnock = least_charnock + (charnock_ - least_charnock) * ramp(28.0 - wind);
    const auto roughness_of = [&](double u) {
        const double exponent = std::min(base::von_karman * wind / u, 50.0);
        return std::max(height / (exec::lanes::exp(exponent) - 1.0), double{least_roughness});
    };
    // 1 - (τw + τv + τb)/u*², which rises with u*.
    const auto surplus = [&](double u) {
        const double z0 = roughness_of(u), total = u * u;
        const double short_waves = stress(u, z0, half_phillips, renormal);
        const double low = charnock * total / base::gravity / z0,
                     high = most_charnock * total / base::gravity / z0;
        const double background = std::min(std::max(short_waves, low * low * total), high * high * total);
        return 1.0 - (supported + 0.04 * viscosity * u / (base::von_karman * z0) + background) / total;
    };
    // Illinois' rule, between a sea as smooth as can be and one as rough as 1 m; from the guess on, whose sea is near.
    const double least = std::max(std::sqrt(supported), base::von_karman * wind / 20.0);
    const double greatest = std::max(base::von_karman * wind / 2.4, 1.05 * least);
    double friction = std::min(std::max(first_guess, least), greatest), here = surplus(friction);
    double below = friction, at_below = here, above = friction, at_above = here;
    for (double factor = 1.02; at_below > 0.0 && below > least; factor *= factor) {
        above = below;
        at_above = at_below;
        below = std::max(below / factor, least);
        at_below = surplus(below);
    }
    for (double factor = 1.02; at_above < 0.0 && above < greatest; factor *= factor) {
        below = above;
        at_below = at_above;
        above = std::min(above * factor, greatest);
        at_above = surplus(above);
    }
    int side = 0;
    for (int iteration = 0; iteration < 60 && at_below < 0.0 && at_above > 0.0; ++iteration) {
        friction = (below * at_above - above * at_below) / (at_above - at_below);
        here = surplus(friction);
        if (std::abs(here) < 1e-6 || above - below < 1e-7 * above) break;
        if (here > 0.0) {
            above = friction;
            at_above = here;
            if (side == 1) at_below *= 0.5;
            side = 1;
        } else {
            below = friction;
            at_below = here;
            if (side == -1) at_above *= 0.5;
            side = -1;
        }
    }
    const double roughness = roughness_of(friction);
    return {friction, roughness, base::gravity * roughness / (friction * friction)};
}

}  // namespace groundswell::sea
