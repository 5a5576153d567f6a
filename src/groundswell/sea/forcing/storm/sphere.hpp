#pragma once

#include <cmath>

#include "groundswell/mesh/voronoi/sphere.hpp"

/// Directions on the sphere that belong to a place as a vector, for a storm that may stand anywhere: nothing
/// special happens at the poles or the date line. The rest is mesh/sphere.hpp.
namespace groundswell::sea {

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

}  // namespace groundswell::sea
