#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::sea {

/// A station and its share of a value between stations.
struct Weighed {
    std::size_t station;
    double weight;
};

/// Interpolation to (lon, lat) (rad) between `stations` (points of the unit sphere, at least one). Where ten stations lie around the
/// place well spread, by the quadratic that fits them best, near ones above all: weights may be below 0 then. Elsewhere linear and of
/// weights ≥ 0: in the smallest triangle of near stations that has the place in it; where none has it, as beyond stations in a line,
/// on the way from the nearest station to the next one, and no farther. The first one is the nearest; weights sum up to 1.
std::vector<Weighed> weigh_stations(std::span<const voronoi::Vector3> stations, double lon, double lat);

}  // namespace groundswell::sea
