#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/time.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::sea {

// Directions on the sphere that belong to a place as a vector, for a storm that may stand anywhere: nothing
// special happens at the poles or the date line. The rest is mesh/voronoi/sphere.hpp.

using voronoi::Vector3;

/// Unit vector to the east of a place; at a pole, that of longitude 0.
inline Vector3 east_at(const Vector3& p) {
    const double radius = std::hypot(p.x, p.y);
    return radius > 0.0 ? Vector3{-p.y / radius, p.x / radius, 0.0} : Vector3{0.0, 1.0, 0.0};
}
inline Vector3 north_at(const Vector3& p) {
    return cross(p, east_at(p));
}
/// Angle between two places, rad; exact for near and for opposite ones.
inline double angle_between(const Vector3& a, const Vector3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

/// The winds whose reach a best track gives by quadrant: 34, 50 and 64 knots, m s⁻¹, as the track averages.
inline constexpr std::array<double, 3> radius_winds = {34.0 * base::knot, 50.0 * base::knot,
                                                       64.0 * base::knot};
/// Radii of these winds, m: [wind][north-east, south-east, south-west, north-west]. 0: that quadrant has no
/// such wind. NaN: not known.
using WindRadii = std::array<std::array<double, 4>, 3>;
WindRadii unknown_radii();

/// Fix of a best track: a storm at one time. SI units; NaN where the track is silent.
struct StormFix {
    base::Instant time;
    double longitude = 0.0, latitude = 0.0;  ///< rad
    double max_wind = 0.0;                   ///< m s⁻¹, as the track averages it
    double central_pressure = 0.0;           ///< Pa
    double ambient_pressure = 0.0;           ///< Pa, of the last closed isobar
    double radius_max_wind = 0.0;            ///< m
    WindRadii radii = unknown_radii();
    bool is_tropical = true;  ///< not a wave, a low or an extratropical storm, whose winds no vortex has
};

/// Choice of a track in a file that holds more than one.
struct TrackChoice {
    std::string storm{};                   ///< number or name, or "NAME YEAR"; empty: the file has one
    std::string technique{};               ///< of forecasts, such as OFCL; empty: the best track
    std::optional<base::Instant> cycle{};  ///< when the forecast began; none: the newest one
};

/// Reads the fixes of a track, times increasing. A file may be compressed by gzip. Its form shows in its first line:
///
/// A table: comment lines begin with '#'; the first other line names the columns, in any order, others are
/// ignored.
///   time (or time_utc)     ISO 8601, UTC                                                  required
///   lat, lon               degrees north and east                                         required
///   vmax_kt or vmax_ms     maximum sustained wind                                         required
///   pmin_hpa, poci_hpa     pressure at the centre and of the last closed isobar           optional
///   rmw_nm or rmw_km       radius of maximum wind                                         optional
///   r34_nm or r34_km       radius of 34 kt winds, all round; or by quadrant, 0 where no
///                          such wind is: r34_ne_nm, r34_se_nm, r34_sw_nm, r34_nw_nm      optional
///   r50_…, r64_…           the same for 50 and 64 kt                                      optional
///   stage                  that of is_tropical(), TS for one                              optional
///   An empty field, and a radius or pressure of 0, mean "not known"; so do four quadrants of 0. A quadrant
///   left empty beside others is their mean.
///
/// IBTrACS and HURDAT2: the storm that is chosen. Of IBTrACS the columns USA_….
///
/// ATCF decks, one or more files of one storm (the first line of each time also gives wind, pressure and radius of
/// maximum wind, all lines of it the radii of 34, 50 and 64 kt): the BEST lines; with a technique, its forecast after the
/// last of them. That is the chosen cycle, or the newest that begins no later than the best track ends.
///
/// Throws base::Refusal with file and line: columns missing, numbers that cannot be read or are out of range, a time that
/// does not come after the one before, a choice that the file does not have, fewer than two fixes.
std::vector<StormFix> read_track(const std::vector<std::string>& paths, const TrackChoice& choice = {});
inline std::vector<StormFix> read_track(const std::string& path) {
    return read_track(std::vector<std::string>{path});
}

/// A storm at any time, but for its radii: nothing is NaN.
struct StormState {
    Vector3 centre;    ///< on the unit sphere
    Vector3 velocity;  ///< m s⁻¹, tangent to the sphere at the centre
    double max_wind, central_pressure, ambient_pressure, radius_max_wind;
};

/// A storm between its fixes and beyond: along great circles at even speed, parameters linear in time. The
/// velocity is linear in time too, through the mean of both neighbouring legs at each fix, so it does not
/// jump there. Beyond the ends the storm keeps its motion and its strength.
class Track {
public:
    /// Fills what the fixes do not say: linear in time between fixes that do, constant beyond them; if none
    /// does: `ambient_pressure` as given (else the last closed isobar + 2 hPa, Courtney & Knaff 2009);
    /// central pressure by Atkinson & Holliday (1977), v[kt] = 6.7 (1010 − p[hPa])^0.644; radius of maximum
    /// wind by Willoughby et al. (2006) eq. 7a, 46.4 km exp(−0.0155 v + 0.0169 φ). The radii of a wind are
    /// filled where the storm is that strong, and are 0 where it is not. At least two fixes, times
    /// increasing.
    Track(std::vector<StormFix> fixes, double ambient_pressure);

    base::Instant first() const { return fixes_.front().time; }
    base::Instant last() const { return fixes_.back().time; }
    StormState at(base::Instant time) const;

    /// The fixes around a time, `share` of the way from one to the other; beyond the ends both are the last.
    struct Between {
        std::size_t earlier, later;
        double share;
    };
    Between around(base::Instant time) const;

    /// As given, and filled. Radii that no fix knows remain NaN.
    const std::vector<StormFix>& fixes() const { return fixes_; }

private:
    std::vector<StormFix> fixes_;
    std::vector<Vector3> places_, velocities_;  // [fixes]
};

}  // namespace groundswell::sea
