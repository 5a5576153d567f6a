#pragma once

namespace groundswell::sea {

/// Bearing in degrees, coming from, clockwise from north, in [0, 360), of a direction of travel in radians
/// counter-clockwise from east.
double bearing_from(double direction_to);
/// The inverse of bearing_from: radians in [0, 2π).
double direction_to(double bearing_from_degrees);

}  // namespace groundswell::sea
