#pragma once

#include <array>

#include "groundswell/sea/source/physics_options.hpp"

namespace groundswell::sea {

/// The air over the waves: friction velocity and roughness from wind and wave-supported stress, and the
/// stress of the waves too short for the spectrum. Quasi-linear theory of Janssen (1989, 1991,
/// doi:10.1175/1520-0485(1991)021<1631:QLTOWW>2.0.CO;2).
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
        Coefficient("wave_stress_limit", 2.2361, 0, 1e3, "m2 s-2",
                    "largest kinematic stress of the waves that roughens the sea",
                    "WAVEWATCH III 7.14, ST4: TAUWMAX, 2.2361; the table of WAM: 5");
    static constexpr auto roughness_limit = Coefficient(
        "roughness_limit", 0.0, 0, 0.1, "m", "largest roughness length z0 in strong wind; 0: none",
        "0.00335 bounds the drag at 0.0025: Donelan et al. 2004, doi:10.1029/2004GL019460");
    static constexpr auto tail_sheltering =
        Coefficient("tail_sheltering", 0.0, 0, 1, "", "s_u of the waves beyond the spectrum",
                    "WAVEWATCH III 7.14, ST4: 1");
    static constexpr std::array coefficients{growth,       wave_age_shift,  minimum_charnock,
                                             stress_limit, roughness_limit, tail_sheltering};

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
    Result solve(double wind_speed, double wave_stress, double first_guess) const;

    /// Kinematic stress (m² s⁻²) of waves beyond frequency `cutoff` (Hz), whose spectrum continues as f⁻⁵:
    /// (2π)⁴ L/g² · u*² ∫ βmax/κ² Z⁴ e^Z d ln ω (Janssen 1991, section on the wave-induced stress), with the
    /// `level` L = f⁵ ∫E(f, θ) max(cos, 0)³ dθ, m² s⁻⁴, the same at every frequency of the tail. With
    /// sheltering u* falls along the integral.
    double short_wave_stress(double friction_velocity, double roughness, double cutoff, double level) const;

    /// Largest share of the total stress that waves may support.
    static constexpr double largest_share = 1.0 / (1.0 + 1e-5);

private:
    double minimum_charnock_, wind_growth_, wave_age_shift_, sheltering_;
    double stress_limit_, roughness_limit_;
    double lowest_omega_;  ///< x0 of Janssen (1991): the integral starts at x0 g/u* at the earliest
};

}  // namespace groundswell::sea
