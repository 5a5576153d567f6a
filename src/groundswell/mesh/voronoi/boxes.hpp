// Areas that cells of the sphere have in the boxes of a grid of longitude and latitude: weights of a conservative remapping.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {

/// Boxes of one size: `columns` eastward from `west`, at most once around, `rows` northward from `south`, in degrees of the grid itself.
struct BoxGrid {
    double west = 0.0, south = 0.0, step_x = 0.0, step_y = 0.0;
    int columns = 0, rows = 0;
    /// Longitude and latitude of the grid's north pole, as in CF's rotated_latitude_longitude with a north_pole_grid_longitude of 0;
    /// empty: the Earth's.
    std::optional<std::pair<double, double>> pole = {};

    std::vector<double> x_edges() const;  ///< [columns + 1]
    std::vector<double> y_edges() const;  ///< [rows + 1]
    double area(int row) const;           ///< of a box, on the unit sphere
    Vector3 to_grid(Vector3 earth) const;
    Vector3 to_earth(Vector3 grid) const;
};

/// Area, on the unit sphere, that a cell has in a box, which is number row · columns + column.
struct BoxShare {
    std::int64_t box = 0, cell = 0;  ///< cell: its id
    double area = 0.0;
};

/// Shares of the cells that this rank owns. In longitude and sine of latitude, which keep areas, a cell is a polygon of great circles cut into
/// straight pieces; what these miss of its area is made good by one factor for the cell, so that a cell within the grid gives away
/// its area on the sphere (Jones 1999, Mon. Wea. Rev. 127, 2204, to first order). Not collective.
std::vector<BoxShare> share_out(const LocalMesh& mesh, const BoxGrid& grid);

}  // namespace groundswell::voronoi
