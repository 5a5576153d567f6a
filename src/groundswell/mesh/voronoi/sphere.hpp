// Geometry on the unit sphere, in double: the one place where directions between points come from, so that
// every mesh gets the same angles from the same coordinates. Angles are radians; bearings are anticlockwise
// from local east.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "groundswell/base/constants.hpp"

namespace groundswell::voronoi {

struct Vector3 {
    double x = 0.0, y = 0.0, z = 0.0;
};

inline Vector3 operator+(Vector3 a, Vector3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector3 operator-(Vector3 a, Vector3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector3 operator*(double s, Vector3 a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline double dot(Vector3 a, Vector3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vector3 cross(Vector3 a, Vector3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(Vector3 a) {
    return std::sqrt(dot(a, a));
}
inline Vector3 unit(Vector3 a) {
    return (1.0 / norm(a)) * a;
}

/// Longitude in [-pi, pi).
inline double wrap_longitude(double longitude) {
    const double turns = std::floor((longitude + base::pi) / base::two_pi);
    const double wrapped = turns == 0.0 ? longitude : longitude - turns * base::two_pi;
    return wrapped >= base::pi ? wrapped - base::two_pi : wrapped;
}

inline Vector3 point_at(double longitude, double latitude) {
    return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
            std::sin(latitude)};
}
/// Points of many places at once: a place that several cells and edges share is worth keeping.
inline std::vector<Vector3> points_at(std::span<const double> longitude, std::span<const double> latitude) {
    std::vector<Vector3> points;
    points.reserve(longitude.size());
    for (std::size_t i = 0; i < longitude.size(); ++i) points.push_back(point_at(longitude[i], latitude[i]));
    return points;
}
inline double longitude_of(Vector3 p) {
    return wrap_longitude(std::atan2(p.y, p.x));
}
inline double latitude_of(Vector3 p) {
    return std::atan2(p.z, std::hypot(p.x, p.y));
}

/// East and north are defined by longitude and latitude also at a pole, where the longitude given fixes the
/// frame.
inline Vector3 east_at(double longitude) {
    return {-std::sin(longitude), std::cos(longitude), 0.0};
}
inline Vector3 north_at(double longitude, double latitude) {
    return {-std::sin(latitude) * std::cos(longitude), -std::sin(latitude) * std::sin(longitude),
            std::cos(latitude)};
}

/// Bearing of vector `direction` at the place (longitude, latitude); its radial part does not matter.
inline double bearing_of(Vector3 direction, double longitude, double latitude) {
    return std::atan2(dot(direction, north_at(longitude, latitude)), dot(direction, east_at(longitude)));
}

/// Angle between two points of the unit sphere, accurate for near points.
inline double arc(Vector3 a, Vector3 b) {
    return 2.0 * std::asin(std::fmin(1.0, 0.5 * norm(a - b)));
}

/// Area on the unit sphere of the triangle a, b, c, positive if anticlockwise seen from outside.
/// Van Oosterom and Strackee 1983 (doi:10.1109/TBME.1983.325207), eq. 8: tan(E/2) = a·(b×c) / (1 + a·b + b·c
/// + c·a); the triple product is taken of differences, a·((b−a)×(c−a)), which is the same and keeps its
/// digits for small triangles.
inline double triangle_area(Vector3 a, Vector3 b, Vector3 c) {
    return 2.0 * std::atan2(dot(a, cross(b - a, c - a)), 1.0 + dot(a, b) + dot(b, c) + dot(c, a));
}

/// Turning of the frame (east, north) from one place to another along their great circle: a direction
/// with bearing θ at `from`, carried along without turning, has bearing θ + frame_turn at `to`. In [-pi, pi].
inline double frame_turn(double from_longitude, double from_latitude, double to_longitude,
                         double to_latitude) {
    const Vector3 a = point_at(from_longitude, from_latitude);
    const Vector3 b = point_at(to_longitude, to_latitude);
    // Rotation by the great circle's own motion a -> b, applied to the east of `from` (Rodrigues' formula
    // rearranged: v - (a+b) (b·v) / (1 + a·b) for v perpendicular to a).
    const Vector3 east = east_at(from_longitude);
    const Vector3 carried = east - (dot(b, east) / (1.0 + dot(a, b))) * (a + b);
    return bearing_of(carried, to_longitude, to_latitude);
}

/// Middle of an edge: half way between its two ends on their great circle.
inline Vector3 edge_middle(Vector3 end1, Vector3 end2) {
    return unit(end1 + end2);
}

/// Bearing at (longitude, latitude) = the edge's middle of the normal that points away from the cell centred
/// at `centre`. The normal is the horizontal direction perpendicular to the chord end1-end2, not the
/// direction between the two cells' centres: so the edges' vectors (length × normal) of a cell form a closed
/// polygon, up to the sphere's curvature, on any mesh, also where faces are not halved by the line between
/// the centres. On a Voronoi mesh both agree.
inline double outward_bearing(Vector3 end1, Vector3 end2, Vector3 centre, double longitude, double latitude) {
    const Vector3 middle = edge_middle(end1, end2);
    Vector3 normal = cross(end2 - end1, middle);
    if (dot(normal, middle - centre) < 0.0) normal = -1.0 * normal;
    return bearing_of(normal, longitude, latitude);
}

}  // namespace groundswell::voronoi
