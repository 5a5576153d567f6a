#pragma once

/// Physical and mathematical constants, SI units.
namespace groundswell::base {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double two_pi = 2.0 * pi;
inline constexpr double degree = pi / 180.0;       ///< rad
inline constexpr double gravity = 9.80665;         ///< m s⁻², standard gravity (CGPM 1901)
inline constexpr double earth_radius = 6371229.0;  ///< m, the sphere that MPAS meshes use
inline constexpr double von_karman = 0.4;          ///< dimensionless
inline constexpr double knot = 1852.0 / 3600.0;    ///< m s⁻¹
inline constexpr double nautical_mile = 1852.0;    ///< m

}  // namespace groundswell::base
