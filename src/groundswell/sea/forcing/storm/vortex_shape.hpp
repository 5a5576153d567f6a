#pragma once

#include <array>
#include <complex>
#include <span>
#include <vector>

#include "groundswell/sea/forcing/storm/options.hpp"
#include "groundswell/sea/forcing/storm/track.hpp"

namespace groundswell::sea {

/// A storm that is round. SI units, all > 0.
struct RoundStorm {
    double max_wind;          ///< m s⁻¹, 10 m, 10-minute mean
    double radius_max_wind;   ///< m
    double pressure_deficit;  ///< Pa, ambient less central
    double coriolis;          ///< rad s⁻¹, 2Ω|sin φ|; 0 allowed
};

/// A wind known at a radius beyond that of maximum wind.
struct WindAtRadius {
    double radius;  ///< m
    double speed;   ///< m s⁻¹
};

/// Wind speed against radius of a storm that is round. Immutable; 0 at the centre, `max_wind` at the radius
/// of maximum wind R, and falling from there on.
///
/// holland2010: Holland, Belanger & Fritz (2010), doi 10.1175/2010MWR3317.1. Their eqs. (5)–(7), surface wind
///   v = [b Δp (R/r)^b exp(−(R/r)^b) / ρ]^x with b = ρ e v_m²/Δp, are written here as
///   v = v_m exp(−x L), L = (R/r)^b − 1 − ln (R/r)^b: the same where b is not limited, and v(R) = v_m also
///   where it is (0.8 ≤ b ≤ 2.5). x = 1/2 inside R. Outside, they let x go linearly in r to the value that
///   fits one observed wind (eq. 10), which need not fall outward; here x L is piecewise linear in L through
///   all winds that are known, so that the wind always falls. Beyond the last of them x L goes on with the
///   slope before it, held so that the wind falls like r^−0.75 … r^−1.25: steeper than the inner core's
///   r^−1/2, and about as fast as where air keeps its angular momentum. Without a known wind x is 1/2, the
///   profile of 1980.
///
/// holland1980: gradient wind of Holland (1980), doi 10.1175/1520-0493(1980)108<1212:AAMOTW>2.0.CO;2, eq.
/// (5),
///   V = √(B Δp (R/r)^B exp(−(R/r)^B)/ρ + (r f/2)²) − r f/2, times 0.9 for 10 m (Powell et al. 2003). B is
///   such that 0.9 V(R) = v_m; where it is limited (0.8…2.5), Δp gives way. Known winds are not used.
class VortexWind {
public:
    /// `known`: at most three, radii rising from beyond R, speeds falling from below the maximum.
    VortexWind(VortexProfile profile, const RoundStorm& storm, std::span<const WindAtRadius> known);

    double speed(double radius) const;  ///< m s⁻¹, 10 m
    /// The same over max_wind, where ln(radius/R) = `distance`.
    double relative(double distance) const;

    double shape() const { return shape_; }                        ///< b or B
    double pressure_deficit() const { return pressure_deficit_; }  ///< Pa, consistent with the profile (1980)

private:
    double holland2010(double distance) const;
    double holland1980(double distance) const;

    VortexProfile profile_;
    RoundStorm storm_;
    double shape_ = 0.0;
    double pressure_deficit_ = 0.0;
    // x L against L: knots, and the slope behind each.
    struct Knot {
        double at, value, slope;
    };
    std::array<Knot, 4> knots_ = {};
    std::size_t knot_count_ = 1;
};

/// Surface wind over gradient wind over the sea, outside the eye wall (Powell, Vickery & Reinhold 2003).
inline constexpr double surface_wind_ratio = 0.9;
/// kg m⁻³, of the warm moist air near a storm's centre (Holland 1980).
inline constexpr double storm_air_density = 1.15;

/// Angle from the tangent towards the centre, rad, at `ratio` radii of maximum wind: Bretschneider (1972), as
/// given by Phadke et al. (2003), doi 10.1016/S0029-8018(02)00062-1, eqs. 11a–c: from 0.4 of the outer value,
/// reached at the radius of maximum wind, to the outer value at 1.2 of it. They have 10° and 25°.
double inflow_angle(double ratio, double outer_angle);

/// m s⁻¹: a storm that has died still has a shape.
inline constexpr double least_storm_wind = 1.0;

/// Each quadrant's share in the wind at an azimuth: all of it in the quadrant's middle. From there to the
/// next middle it goes over like cos², so that neither the wind nor its slope jumps.
std::array<double, 4> quadrant_shares(double azimuth);  // rad, anticlockwise from east

/// The share of the storm's motion that is felt at `ratio` radii of maximum wind, over that at 1: 2x/(1 +
/// x²), after Jelesnianski (1966), Mon. Weather Rev. 94, 379–394, as given by Phadke et al. (2003), eq. 12.
double motion_felt(double ratio);

/// A storm as one fix of its track describes it, fitted so that the *total* wind, motion included, is that of
/// the track's radii, times `radii_factor`, in the middle of each quadrant.
///
/// 34, 50 and 64 knots are taken times `wind_factor`, like the maximum. Where a quadrant's radii do not fit
/// the rest, they hold and the rest gives way:
///   - a radius not inside the one of the next weaker wind is left out; so are the radii of a wind that the
///     storm does not reach;
///   - the radius of maximum wind shrinks until the wind falls no faster than 1/r to the innermost radius;
///   - the motion's part shrinks until each quadrant reaches the strongest wind that it has a radius for;
///   - a quadrant without a wind (radius 0) that the storm has elsewhere has a maximum below that wind.
class VortexShape {
public:
    VortexShape(const VortexOptions& options, const StormState& state, const WindRadii& radii);

    struct Quadrant {
        double radius_max_wind;  ///< m
        double size;             ///< m, what blending is measured by: the 34 kt radius, or three of the above
        double strength;         ///< its strongest round wind over that of all quadrants
        VortexWind wind;
    };
    const Quadrant& quadrant(std::size_t i) const { return quadrants_[i]; }
    /// Wind added by the motion at the radius of maximum wind, over the storm's speed.
    double motion_share() const { return motion_share_; }
    double round_strongest() const { return round_strongest_; }  ///< m s⁻¹

private:
    using Vector = std::complex<double>;  // east, north

    void limit_motion(const WindRadii& radii);
    void limit_strength(const WindRadii& radii);
    Quadrant fit(std::size_t quadrant, const WindRadii& radii, const RoundStorm& storm) const;
    Vector direction(std::size_t quadrant, double ratio) const;
    double round_wind(double total, std::size_t quadrant, double ratio) const;

    VortexOptions options_;
    double strongest_, rotation_, outer_inflow_, motion_share_ = 0.0;
    Vector motion_;                 // m s⁻¹, what it adds at the radius of maximum wind
    double round_strongest_ = 0.0;  // m s⁻¹
    std::array<double, 4> strengths_ = {1.0, 1.0, 1.0, 1.0};
    std::vector<Quadrant> quadrants_;  // [4]
};

/// The strongest round wind with which the strongest total is `strongest`: `strengths` by quadrant, `motion`
/// (east, north) at the radius of maximum wind, where the wind turns in by 0.4 `outer_inflow`.
double strongest_round_wind(double strongest, const std::array<double, 4>& strengths,
                            std::complex<double> motion, double rotation, double outer_inflow);

}  // namespace groundswell::sea
