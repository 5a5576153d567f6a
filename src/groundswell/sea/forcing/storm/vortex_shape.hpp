#pragma once

#include <array>
#include <complex>
#include <vector>

#include "groundswell/sea/forcing/storm/options.hpp"
#include "groundswell/sea/forcing/storm/track.hpp"
#include "groundswell/sea/forcing/storm/vortex_profile.hpp"

namespace groundswell::sea {

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
