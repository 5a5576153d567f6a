#pragma once

#include "groundswell/sea/forcing/options.hpp"

namespace groundswell::sea {

/// A storm's symmetric part. SI units, all > 0.
struct SymmetricStorm {
    double max_wind;          ///< m s⁻¹, 10 m, 10-minute mean
    double radius_max_wind;   ///< m
    double pressure_deficit;  ///< Pa, ambient less central
    double radius_gale;       ///< m, where the wind is `gale_wind`; 0 when not known
    double gale_wind;         ///< m s⁻¹
    double coriolis;          ///< rad s⁻¹, 2Ω|sin φ|; 0 allowed
};

/// Wind speed against radius of a storm that is round. Immutable; speed() is 0 at the centre, `max_wind` at
/// the radius of maximum wind, and falls outward.
///
/// holland2010: Holland, Belanger & Fritz (2010), doi 10.1175/2010MWR3317.1. Their eqs. (5)–(7), surface wind
///   v = [b Δp (R/r)^b exp(−(R/r)^b) / ρ]^x with b = ρ e v_m²/Δp, are written here as
///   v = v_m [(R/r)^b exp(1 − (R/r)^b)]^x: the same where b is not limited, and v(R) = v_m also where it is
///   (0.8 ≤ b ≤ 2.5). x = 1/2 inside R; outside it goes linearly in r to the value that gives v(radius_gale)
///   = gale_wind (their eq. 10) and stays there. That value is raised where the wind would else grow outward
///   between R and the gale radius (weak storms), kept below 3/2 (nearer to 1/2 where the gale radius is
///   below 2 R), and is 1/2, the profile of 1980, where no gale radius is known.
///
/// holland1980: gradient wind of Holland (1980), doi 10.1175/1520-0493(1980)108<1212:AAMOTW>2.0.CO;2, eq.
/// (5),
///   V = √(B Δp (R/r)^B exp(−(R/r)^B)/ρ + (r f/2)²) − r f/2, times 0.9 for 10 m (Powell et al. 2003). B is
///   such that 0.9 V(R) = v_m; where it is limited (0.8…2.5), Δp gives way.
class VortexWind {
public:
    VortexWind(VortexProfile profile, const SymmetricStorm& storm);

    double speed(double radius) const;  ///< m s⁻¹, 10 m

    double shape() const { return shape_; }                        ///< b or B
    double outer_exponent() const { return outer_exponent_; }      ///< x at the gale radius and beyond
    double pressure_deficit() const { return pressure_deficit_; }  ///< Pa, consistent with the profile (1980)

private:
    void fit_outer_exponent();
    double holland2010(double radius) const;
    double holland1980(double radius) const;

    VortexProfile profile_;
    SymmetricStorm storm_;
    double shape_ = 0.0;
    double outer_exponent_ = 0.5;
    double pressure_deficit_ = 0.0;
};

/// Surface wind over gradient wind over the sea, outside the eye wall (Powell, Vickery & Reinhold 2003).
inline constexpr double surface_wind_ratio = 0.9;
/// kg m⁻³, of the warm moist air near a storm's centre (Holland 1980).
inline constexpr double storm_air_density = 1.15;

/// Angle from the tangent towards the centre, rad: Bretschneider (1972), as given by Phadke et al. (2003),
/// doi 10.1016/S0029-8018(02)00062-1, eqs. 11a–c: from 0.4 of the outer value, reached at the radius of
/// maximum wind, to the outer value at 1.2 of it. They have 10° and 25°.
double inflow_angle(double radius, double radius_max_wind, double outer_angle);

}  // namespace groundswell::sea
