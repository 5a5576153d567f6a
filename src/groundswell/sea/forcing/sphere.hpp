#pragma once

#include <cmath>

/// Vectors in space for places and directions on the sphere: nothing special happens at the poles or the date
/// line.
namespace groundswell::sea {

struct Vector3 {
    double x = 0.0, y = 0.0, z = 0.0;
};

inline Vector3 operator+(const Vector3& a, const Vector3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector3 operator*(double s, const Vector3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const Vector3& a, const Vector3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vector3 cross(const Vector3& a, const Vector3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector3& a) {
    return std::sqrt(dot(a, a));
}

/// Place on the unit sphere; longitude and latitude in rad.
inline Vector3 place(double longitude, double latitude) {
    return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
            std::sin(latitude)};
}
/// Unit vector to the east of a place; at a pole, that of longitude 0.
inline Vector3 east_at(const Vector3& p) {
    const double radius = std::hypot(p.x, p.y);
    return radius > 0.0 ? Vector3{-p.y / radius, p.x / radius, 0.0} : Vector3{0.0, 1.0, 0.0};
}
inline Vector3 north_at(const Vector3& p) {
    return cross(p, east_at(p));
}
/// Angle between two places, rad; exact for near ones.
inline double angle_between(const Vector3& a, const Vector3& b) {
    return std::atan2(length(cross(a, b)), dot(a, b));
}

}  // namespace groundswell::sea
