// A storm at one moment, and places around it.
#pragma once

#include <cmath>
#include <string>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/time.hpp"
#include "groundswell/sea/forcing/storm/vortex.hpp"

namespace groundswell::sea {

inline base::Instant at(const std::string& time) {
    return *base::parse_instant(time);
}

/// A storm of 60 m/s at (lon, lat) that moves at `speed` towards `bearing` (degrees, anticlockwise from
/// east).
inline StormState storm_at(double lon, double lat, double speed = 0.0, double bearing = 90.0) {
    const Vector3 centre = voronoi::point_at(lon * base::degree, lat * base::degree);
    const Vector3 velocity = (speed * std::cos(bearing * base::degree)) * east_at(centre) +
                             (speed * std::sin(bearing * base::degree)) * north_at(centre);
    return {centre, velocity, 60.0, 93000.0, 100800.0, 30e3};
}

/// 34 knot winds out to 250 km all round, and no word of the others.
inline WindRadii wide_gale() {
    WindRadii radii = unknown_radii();
    radii[0].fill(250e3);
    return radii;
}

/// Radii in km, quadrants as in a track.
inline WindRadii radii_of(const WindRadii& kilometres) {
    WindRadii radii = kilometres;
    for (auto& quadrants : radii)
        for (double& radius : quadrants) radius *= 1e3;
    return radii;
}

/// The place at a distance (m) and an angle (degrees, anticlockwise from east) from a storm.
inline Vector3 around(const StormState& state, double distance, double angle) {
    const Vector3 way = std::cos(angle * base::degree) * east_at(state.centre) +
                        std::sin(angle * base::degree) * north_at(state.centre);
    const double arc = distance / base::earth_radius;
    return std::cos(arc) * state.centre + std::sin(arc) * way;
}

/// The angle of the middle of a quadrant: north-east, south-east, south-west, north-west.
inline double middle_of_quadrant(std::size_t quadrant) {
    return 45.0 - 90.0 * static_cast<double>(quadrant);
}

inline double speed(const VortexAtTime::Wind& wind) {
    return std::hypot(wind.eastward, wind.northward);
}

/// Radii that hold in the middle of a quadrant.
inline VortexOptions exact_radii() {
    VortexOptions options;
    options.radii_factor = 1.0;
    return options;
}

/// The wind of a storm whose track says the same before and after.
class SteadyStorm {
public:
    explicit SteadyStorm(const StormState& storm, const WindRadii& radii = wide_gale(),
                         const VortexOptions& choices = exact_radii())
        : options(choices),
          state(storm),
          shape(options, state, radii),
          vortex(options, state, shape, shape, 0.0) {}
    SteadyStorm(const SteadyStorm&) = delete;
    SteadyStorm& operator=(const SteadyStorm&) = delete;

    VortexAtTime::Wind at(double distance, double angle) const {
        return vortex.wind(around(state, distance, angle));
    }
    double speed_at(double distance, double angle) const { return speed(at(distance, angle)); }
    double strongest() const {
        double most = 0.0;
        for (double angle = 0.0; angle < 360.0; angle += 3.0)
            for (double r = 2e3; r < 300e3; r *= 1.03) most = std::max(most, speed_at(r, angle));
        return most;
    }

    const VortexOptions options;
    const StormState state;
    const VortexShape shape;
    const VortexAtTime vortex;
};

}  // namespace groundswell::sea
