#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/physics_options.hpp"

namespace groundswell::sea {

/// The air over the waves: friction velocity and roughness from wind and wave-supported stress, and the
/// stress of the waves too short for the spectrum. Quasi-linear theory of Janssen (1989, 1991,
/// doi:10.1175/1520-0485(1991)021<1631:QLTOWW>2.0.CO;2; manual of WAVEWATCH III 7.14, eqs. 2.113 to 2.119 and, for sheltering, 2.124).
class AirSea {
public:
    static constexpr std::string_view ardhuin = "Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1";
    static constexpr auto growth =
        Coefficient("wind_growth", 1.20, 0, 10, "", "beta_max of the wind input", ardhuin);
    static constexpr auto wave_age_shift = Coefficient(
        "wave_age_shift", 0.008, 0, 1, "", "z_alpha, shift of the growth curve with wave age", ardhuin);
    static constexpr auto minimum_charnock =
        Coefficient("minimum_charnock", 0.006, 1e-4, 0.1, "",
                    "alpha_0, Charnock coefficient of a sea without wave stress",
                    "Janssen 1991, doi:10.1175/1520-0485(1991)021<1631:QLTOWW>2.0.CO;2");
    static constexpr auto stress_limit =
        Coefficient("wave_stress_limit", 5.0, 0, 1e3, "m2 s-2",
                    "largest kinematic stress of the waves that roughens the sea",
                    "end of WAM's table of stresses; WAVEWATCH III 7.14, ST4: TAUWMAX, 2.2361");
    static constexpr auto roughness_limit = Coefficient(
        "roughness_limit", 0.00673, 0, 0.1, "m", "largest roughness length z0; 0: none",
        "bounds the drag at 0.003: Zhou et al. 2022, doi:10.1175/JPO-D-21-0246.1; 0.00335 at 0.0025: "
        "Donelan et al. 2004, doi:10.1029/2004GL019460");
    static constexpr auto tail_sheltering =
        Coefficient("tail_sheltering", 0.0, 0, 1, "", "s_u of the waves beyond the spectrum",
                    "WAVEWATCH III 7.14, ST4: 1");
    static constexpr std::array coefficients{growth,       wave_age_shift,  minimum_charnock,
                                             stress_limit, roughness_limit, tail_sheltering};

    constexpr AirSea() = default;
    explicit AirSea(const PhysicsOptions& options);

    /// Wind below this is taken as this, m s⁻¹, so that logarithms stay finite.
    static constexpr double minimum_wind = 0.1;

    struct Result {
        double friction_velocity;  ///< u*, m s⁻¹
        double roughness;          ///< z0, m
        double charnock;           ///< g z0/u*²
    };

    /// Solves U10 = u*/κ ln(z/(z0 + 0.11 ν/u*)), z0 = α u*²/(g √(1 - τw/u*²)), z = 10 m (Janssen 1991),
    /// for the wave-supported kinematic stress `wave_stress` (m² s⁻²) along the wind. `first_guess`
    /// of u* may be 0. The stress that roughens the sea is at most `wave_stress_limit`: with τw → u*² the
    /// roughness would grow without end, up to the height of the wind, in a young sea under a strong wind.
    /// A roughness beyond `roughness_limit` is that, and u* follows from the profile alone.
    constexpr Result solve(std::same_as<double> auto wind_speed, double wave_stress,
                           double first_guess) const;

    /// The spectrum beyond a frequency.
    struct Tail {
        double level = 0;  ///< L = f⁵ ∫E(f, θ) max(cos, 0)³ dθ, m² s⁻⁴, the same at every frequency
        double highest = 0;  ///< ω where it ends, rad s⁻¹; 0: where waves no longer grow
        /// Growth is (1 + across n)/(1 + all n) of what it would be, n = ω u* Z⁴ e^Z (GravityCapillary).
        double across = 0, all = 0;
    };
    /// Kinematic stress (m² s⁻²) of waves beyond frequency `cutoff` (Hz), whose spectrum continues as f⁻⁵:
    /// (2π)⁴ L/g² · u*² ∫ βmax/κ² Z⁴ e^Z d ln ω (Janssen 1991, section on the wave-induced stress). With
    /// sheltering u* falls along the integral.
    template <class Team>
    constexpr double short_wave_stress(const Team& team, double friction_velocity, double roughness,
                                       double cutoff, const Tail& tail) const;

    /// Largest share of the total stress that waves may support.
    static constexpr double largest_share = 1.0 / (1.0 + 1e-5);

private:
    static constexpr double height = 10.0;  // m, of the wind
    static constexpr double viscous_length =
        0.11 * 1.5e-5;                 // m² s⁻¹; 0.11 ν: roughness of a smooth wall times u*
    static constexpr int points = 19;  // of Simpson's rule, odd

    double minimum_charnock_ = 0, wind_growth_ = 0, wave_age_shift_ = 0, sheltering_ = 0;
    double stress_limit_ = 0, roughness_limit_ = 0;
    double lowest_omega_ = 0;  ///< x0 of Janssen (1991): the integral starts at x0 g/u* at the earliest
};

constexpr AirSea::Result AirSea::solve(std::same_as<double> auto wind_speed, double wave_stress,
                                       double first_guess) const {
    const double least = minimum_wind;  // a device has its value, but not where it lies
    const double wind = std::max(wind_speed, least);
    // Not std::clamp(), by whose references a device would keep them in memory.
    const double positive = wave_stress < 0.0 ? 0.0 : wave_stress;
    const double stress = stress_limit_ < positive ? stress_limit_ : positive;
    const double floor = stress / largest_share;
    const double charnock_over_g = minimum_charnock_ / base::gravity;
    const double log_height = exec::lanes::log(height);

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
        const double inverse_log = 1.0 / (log_height - exec::lanes::log(length));
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
        friction = base::von_karman * wind / exec::lanes::log(height / roughness);
    }
    return {friction, roughness, base::gravity * roughness / (friction * friction)};
}

template <class Team>
constexpr double AirSea::short_wave_stress(const Team& team, double friction_velocity, double roughness,
                                           double cutoff, const Tail& tail) const {
    // With y = ω √(z0/g) and z = ln y the parameter of growth is Z = ln(k z0) + κ/(u*/c + zα)
    // = 2z + κ/(u*ω/g + zα), and the integral runs from y of the cutoff to y = 1.
    const double per_omega = std::sqrt(roughness / base::gravity);
    const double start = std::max(base::two_pi * cutoff, lowest_omega_ * base::gravity / friction_velocity);
    const double first = exec::lanes::log(start * per_omega);
    const double last = tail.highest > 0.0 ? std::min(exec::lanes::log(tail.highest * per_omega), 0.0) : 0.0;
    const double spacing = std::max((last - first) / (points - 1), 0.0);
    constexpr double two_pi_4 = base::two_pi * base::two_pi * base::two_pi * base::two_pi;
    const double strength =
        two_pi_4 / (base::gravity * base::gravity) * tail.level * wind_growth_ / 3.0 * spacing;
    const auto part = [&](int j, double u, double remaining) {
        const double weight = j == 0 || j == points - 1 ? 1.0 : (j % 2 == 1 ? 4.0 : 2.0);
        const double z = first + j * spacing;
        const double y = exec::lanes::exp(z);
        const double age = u * y / (per_omega * base::gravity) + wave_age_shift_;
        const double exponent = std::min(2.0 * z + base::von_karman / age, 0.0);
        const double square = exponent * exponent;
        const double grown = square * square * exec::lanes::exp(exponent);
        const double taken = strength * weight * grown * remaining;
        if (!(tail.all > 0.0)) return taken;
        const double n = grown * u * y / per_omega;
        return taken * (1.0 + tail.across * n) / (1.0 + tail.all * n);
    };
    double remaining = friction_velocity * friction_velocity;
    if (!(sheltering_ > 0.0))
        return team.add_up(std::array{0.0}, points,
                           [&](int j) { return std::array{part(j, friction_velocity, remaining)}; })[0];
    double u = friction_velocity;
    double sum = 0.0;
    for (int j = 0; j < points; ++j) {
        const double here = part(j, u, remaining);
        sum += here;
        remaining = std::max(remaining - sheltering_ * here, 0.0);
        u = std::sqrt(remaining);
    }
    return sum;
}

}  // namespace groundswell::sea
