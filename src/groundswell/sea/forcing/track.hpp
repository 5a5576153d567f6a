#pragma once

#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/sea/forcing/sphere.hpp"

namespace groundswell::sea {

/// What a best track says of a storm at one time. SI units; NaN where the track is silent.
struct StormFix {
    base::Instant time;
    double longitude = 0.0, latitude = 0.0;  ///< rad
    double max_wind = 0.0;                   ///< m s⁻¹, as the track averages it
    double central_pressure = 0.0;           ///< Pa
    double ambient_pressure = 0.0;           ///< Pa, of the last closed isobar
    double radius_max_wind = 0.0;            ///< m
    double radius_gale = 0.0;  ///< m, of 34 kt winds: the circle of the same area as the four quadrants
};

/// Reads the fixes of a track, times increasing. By the file's ending:
///
/// `.csv`: comment lines begin with '#'; the first other line names the columns, in any order, others are
/// ignored.
///   time (or time_utc)     ISO 8601, UTC                                                  required
///   lat, lon               degrees north and east                                         required
///   vmax_kt or vmax_ms     maximum sustained wind                                         required
///   pmin_hpa, poci_hpa     pressure at the centre and of the last closed isobar           optional
///   rmw_nm or rmw_km       radius of maximum wind                                         optional
///   r34_nm or r34_km       radius of 34 kt winds; or r34_ne_, r34_se_, r34_sw_, r34_nw_   optional
///   An empty field, and a radius or pressure of 0, mean "not known"; so do four quadrants of 0.
///
/// `.dat`: an ATCF b-deck (Sampson & Schrader 2000, BAMS 81, 1231–1240): its BEST lines; several lines of one
/// time
///   give radii of 34, 50 and 64 kt, of which the first is used.
///
/// Throws base::Refusal with file and line: other endings, columns missing, numbers that cannot be read or
/// are out of range, a time that does not come after the one before, fewer than two fixes.
std::vector<StormFix> read_track(const std::string& path);

/// A storm at any time: nothing is NaN.
struct StormState {
    Vector3 centre;    ///< on the unit sphere
    Vector3 velocity;  ///< m s⁻¹, tangent to the sphere at the centre
    double max_wind, central_pressure, ambient_pressure, radius_max_wind;
    double radius_gale;  ///< 0 when the track never gives one
};

/// A storm between its fixes and beyond: along great circles at even speed, parameters linear in time. The
/// velocity is linear in time too, through the mean of both neighbouring legs at each fix, so it does not
/// jump there. Beyond the ends the storm keeps its motion and its strength.
class Track {
public:
    /// Fills what the fixes do not say: linear in time between fixes that do, constant beyond them; if none
    /// does: `ambient_pressure` as given (else the last closed isobar + 2 hPa, Courtney & Knaff 2009);
    /// central pressure by Atkinson & Holliday (1977), v[kt] = 6.7 (1010 − p[hPa])^0.644; radius of maximum
    /// wind by Willoughby et al. (2006) eq. 7a, 46.4 km exp(−0.0155 v + 0.0169 φ). At least two fixes, times
    /// increasing.
    Track(std::vector<StormFix> fixes, double ambient_pressure);

    base::Instant first() const { return fixes_.front().time; }
    base::Instant last() const { return fixes_.back().time; }
    StormState at(base::Instant time) const;

private:
    std::vector<StormFix> fixes_;
    std::vector<Vector3> places_, velocities_;  // [fixes]
};

}  // namespace groundswell::sea
