#include <fmt/format.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {
namespace {

/// Lengths and areas may come from another formula (chord, plane, single precision), not from another unit.
constexpr double length_tolerance = 0.05;
/// Areas of flat polygons are a sixth smaller than those on the sphere where twelve cells cover it.
constexpr double area_tolerance = 0.25;
/// Radians. Generators round the angle of the edge in ways that differ by up to 0.025 on coarse meshes.
constexpr double angle_tolerance = 0.1;
constexpr double highest_land = 9000.0;  // m
constexpr double deepest_sea = 12000.0;  // m

/// Refuses one value of a variable. Rows are given as the arrays count them and shown from 1, as the file
/// counts.
class Complaint {
public:
    explicit Complaint(const MpasArrays& arrays) : file_(arrays.file) {}

    template <class Value>
    [[noreturn]] void operator()(const char* variable, const HeldRows& rows, std::int64_t row, Value value,
                                 const std::string& expected) const {
        base::refuse(file_, fmt::format("{}({})", variable, rows.in_file(row) + 1), fmt::to_string(value),
                     expected);
    }
    template <class Value>
    [[noreturn]] void operator()(const char* variable, const HeldRows& rows, std::int64_t row,
                                 std::int64_t side, Value value, const std::string& expected) const {
        base::refuse(file_, fmt::format("{}({}, {})", variable, rows.in_file(row) + 1, side + 1),
                     fmt::to_string(value), expected);
    }

private:
    const std::string& file_;
};

void check_place(const Complaint& complain, const HeldRows& rows, const char* lon_name,
                 const std::vector<double>& lon, const char* lat_name, const std::vector<double>& lat) {
    constexpr double slack = 1e-6;  // single precision
    for (std::int64_t i = 0; i < rows.own; ++i) {
        if (!(std::fabs(lon[i]) <= base::two_pi + slack))
            complain(lon_name, rows, i, lon[i], "radians from -2 pi to 2 pi");
        if (!(std::fabs(lat[i]) <= base::pi / 2.0 + slack)) {
            complain(lat_name, rows, i, lat[i], "radians from -pi/2 to pi/2");
        }
    }
}

void check_positive(const Complaint& complain, const HeldRows& rows, const char* name,
                    const std::vector<double>& values, const char* what) {
    for (std::int64_t i = 0; i < rows.own; ++i) {
        if (!(values[i] > 0.0 && std::isfinite(values[i]))) complain(name, rows, i, values[i], what);
    }
}

void check_depth(const MpasArrays& a, const Complaint& complain) {
    if (!a.bottom_depth) return;
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const double depth = (*a.bottom_depth)[c];
        if (!(depth >= -highest_land && depth <= deepest_sea)) {
            complain("bottomDepth", a.held_cells, c, depth, "metres, positive down, from -9000 to 12000");
        }
    }
}

void check_ranges(const MpasArrays& a, const Complaint& complain) {
    const auto check_index = [&](const char* name, const HeldRows& rows, std::int64_t i, std::int64_t side,
                                 std::int32_t value, std::int32_t least, std::int32_t most) {
        if (value < least || value > most) {
            complain(name, rows, i, side, value, fmt::format("an index from {} to {}", least, most));
        }
    };
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const std::int32_t count = a.edges_on_cell_count[c];
        if (count < 3 || count > a.max_edges) {
            complain("nEdgesOnCell", a.held_cells, c, count,
                     fmt::format("from 3 to maxEdges = {}", a.max_edges));
        }
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int64_t j = c * a.max_edges + k;
            check_index("cellsOnCell", a.held_cells, c, k, a.cells_on_cell[j], 0, a.cells);
            check_index("edgesOnCell", a.held_cells, c, k, a.edges_on_cell[j], 1, a.edges);
            check_index("verticesOnCell", a.held_cells, c, k, a.vertices_on_cell[j], 1, a.vertices);
        }
    }
    for (std::int64_t e = 0; e < a.held_edges.own; ++e) {
        for (std::int64_t side = 0; side < 2; ++side) {
            check_index("cellsOnEdge", a.held_edges, e, side, a.cells_on_edge[2 * e + side], 0, a.cells);
            check_index("verticesOnEdge", a.held_edges, e, side, a.vertices_on_edge[2 * e + side], 1,
                        a.vertices);
        }
    }
}

bool lists_cell(const MpasArrays& a, std::int64_t row, std::int32_t wanted) {
    for (std::int64_t k = 0; k < a.edges_on_cell_count[row]; ++k) {
        if (a.cells_on_cell[row * a.max_edges + k] == wanted) return true;
    }
    return false;
}

/// Where each cell lists each of its edges once, between itself and its neighbour, and each edge is listed by
/// as many cells as it names, neighbours name each other: so no cell of another rank need be looked into.
/// Among own cells they are, because that tells better what is wrong.
void check_connections(const MpasArrays& a, const Complaint& complain) {
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const auto self = static_cast<std::int32_t>(a.held_cells.in_file(c) + 1);
        for (std::int64_t k = 0; k < a.edges_on_cell_count[c]; ++k) {
            const std::int64_t j = c * a.max_edges + k;
            const std::int32_t other = a.cells_on_cell[j];
            if (other == self) {
                complain("cellsOnCell", a.held_cells, c, k, other, "another cell, or 0 where there is none");
            }
            if (other != 0 && a.held_cells.is_own(other - 1) &&
                !lists_cell(a, a.held_cells.here(other - 1), self)) {
                complain("cellsOnCell", a.held_cells, c, k, other,
                         fmt::format("cell {} to have cell {} among its neighbours too", other, self));
            }
            const std::int32_t edge = a.edges_on_cell[j];
            const std::int64_t e = a.held_edges.here(edge - 1);
            const std::int32_t first = a.cells_on_edge[2 * e], second = a.cells_on_edge[2 * e + 1];
            if (!((first == self && second == other) || (first == other && second == self))) {
                complain("edgesOnCell", a.held_cells, c, k, edge,
                         fmt::format("the edge between cells {} and {}, but cellsOnEdge has {} and {} there",
                                     self, other, first, second));
            }
            for (std::int64_t before = 0; before < k; ++before) {
                if (a.edges_on_cell[c * a.max_edges + before] == edge)
                    complain("edgesOnCell", a.held_cells, c, k, edge, "each edge of the cell once");
            }
        }
    }
}

/// The corners of a cell must be the ends of its edges: edge k joins corners k-1 and k, or k and k+1.
void check_corners(const MpasArrays& a, const Complaint& complain) {
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const std::int64_t count = a.edges_on_cell_count[c], start = c * a.max_edges;
        const auto joins = [&](std::int64_t k, std::int64_t from, std::int64_t to) {
            const std::int64_t e = a.held_edges.here(a.edges_on_cell[start + k] - 1);
            const std::int32_t v1 = a.vertices_on_cell[start + from], v2 = a.vertices_on_cell[start + to];
            const std::int32_t e1 = a.vertices_on_edge[2 * e], e2 = a.vertices_on_edge[2 * e + 1];
            return (v1 == e1 && v2 == e2) || (v1 == e2 && v2 == e1);
        };
        const bool before = joins(0, count - 1, 0);
        for (std::int64_t k = 0; k < count; ++k) {
            const bool fits = before ? joins(k, (k + count - 1) % count, k) : joins(k, k, (k + 1) % count);
            if (!fits) {
                complain("verticesOnCell", a.held_cells, c, k, a.vertices_on_cell[start + k],
                         fmt::format("an end of edge {} (verticesOnEdge), corners and edges in the same turn",
                                     a.edges_on_cell[start + k]));
            }
        }
    }
}

/// Places of the held cells and vertices.
struct Points {
    std::vector<Vector3> cell, vertex;
};

/// Lengths in the unit of sphere_radius, and angles against the coordinates, of one held edge.
void check_edge(const MpasArrays& a, const Points& points, const Complaint& complain, std::int64_t e) {
    const auto near = [&](const char* name, double value, double arc_length, double slack) {
        const double expected = arc_length * a.sphere_radius;
        if (!(std::fabs(value - expected) <= length_tolerance * expected + slack)) {
            complain(name, a.held_edges, e, value,
                     fmt::format("{:.6g} by its coordinates and sphere_radius = {:.6g}", expected,
                                 a.sphere_radius));
        }
    };
    const auto vertex_point = [&](std::int32_t number) {
        return points.vertex[a.held_vertices.here(number - 1)];
    };
    const auto cell_point = [&](std::int32_t number) { return points.cell[a.held_cells.here(number - 1)]; };
    // Faces may be very short next to the distance of the cells, and then rounded by their generator.
    near("dvEdge", a.dv_edge[e],
         arc(vertex_point(a.vertices_on_edge[2 * e]), vertex_point(a.vertices_on_edge[2 * e + 1])),
         1e-3 * std::fabs(a.dc_edge[e]));
    const std::int32_t c1 = a.cells_on_edge[2 * e], c2 = a.cells_on_edge[2 * e + 1];
    if (c1 == 0 || c2 == 0) return;  // some generators leave dcEdge 0 at the rim
    if (!(a.dc_edge[e] > 0.0)) complain("dcEdge", a.held_edges, e, a.dc_edge[e], "a positive length");
    const Vector3 p1 = cell_point(c1), p2 = cell_point(c2);
    near("dcEdge", a.dc_edge[e], arc(p1, p2), 0.0);
    if (!a.angle_edge) return;
    const Vector3 middle = edge_middle(p1, p2);
    const bool given = a.lon_edge && a.lat_edge;
    const double lon = given ? (*a.lon_edge)[e] : longitude_of(middle);
    const double lat = given ? (*a.lat_edge)[e] : latitude_of(middle);
    const double expected = bearing_of(p2 - p1, lon, lat);
    if (!(std::fabs(wrap_longitude((*a.angle_edge)[e] - expected)) <= angle_tolerance)) {
        complain("angleEdge", a.held_edges, e, (*a.angle_edge)[e],
                 fmt::format("{:.4f}, anticlockwise from east to the direction from cell {} to cell {}",
                             expected, c1, c2));
    }
}

/// The area of an own cell in the unit of sphere_radius, against that between its corners.
void check_area(const MpasArrays& a, const Points& points, const Complaint& complain, std::int64_t c) {
    const std::int64_t count = a.edges_on_cell_count[c], start = c * a.max_edges;
    const auto corner = [&](std::int64_t k) {
        return points.vertex[a.held_vertices.here(a.vertices_on_cell[start + k % count] - 1)];
    };
    double area = 0.0;
    for (std::int64_t k = 0; k < count; ++k) area += triangle_area(points.cell[c], corner(k), corner(k + 1));
    const double expected = std::fabs(area) * a.sphere_radius * a.sphere_radius;
    if (!(std::fabs(a.area_cell[c] - expected) <= area_tolerance * expected)) {
        complain("areaCell", a.held_cells, c, a.area_cell[c],
                 fmt::format("{:.6g} by its corners and sphere_radius = {:.6g}", expected, a.sphere_radius));
    }
}

/// Each edge is checked where the lower of its cells is.
void check_geometry(const MpasArrays& a, const Complaint& complain) {
    const Points points{points_at(a.lon_cell, a.lat_cell), points_at(a.lon_vertex, a.lat_vertex)};
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const std::int64_t self = a.held_cells.in_file(c) + 1;
        for (std::int64_t k = 0; k < a.edges_on_cell_count[c]; ++k) {
            const std::int64_t j = c * a.max_edges + k;
            if (a.cells_on_cell[j] != 0 && a.cells_on_cell[j] < self) continue;
            check_edge(a, points, complain, a.held_edges.here(a.edges_on_cell[j] - 1));
        }
        check_area(a, points, complain, c);
    }
}

}  // namespace

void check_values(const MpasArrays& a) {
    const Complaint complain(a);
    base::require(a.sphere_radius > 0.0 && std::isfinite(a.sphere_radius), a.file, "sphere_radius",
                  fmt::to_string(a.sphere_radius), "a positive length");
    check_place(complain, a.held_cells, "lonCell", a.lon_cell, "latCell", a.lat_cell);
    check_place(complain, a.held_vertices, "lonVertex", a.lon_vertex, "latVertex", a.lat_vertex);
    if (a.lon_edge && a.lat_edge)
        check_place(complain, a.held_edges, "lonEdge", *a.lon_edge, "latEdge", *a.lat_edge);
    check_positive(complain, a.held_cells, "areaCell", a.area_cell, "a positive area");
    check_positive(complain, a.held_edges, "dvEdge", a.dv_edge, "a positive length");
    for (std::int64_t e = 0; e < a.held_edges.own; ++e) {
        if (!std::isfinite(a.dc_edge[e]))
            complain("dcEdge", a.held_edges, e, a.dc_edge[e], "a length, or 0 at the rim of the mesh");
    }
    for (std::int64_t e = 0; a.angle_edge && e < a.held_edges.own; ++e) {
        const double angle = (*a.angle_edge)[e];
        if (!std::isfinite(angle)) complain("angleEdge", a.held_edges, e, angle, "an angle in radians");
    }
    check_depth(a, complain);
    check_ranges(a, complain);
}

void check_structure(const MpasArrays& a) {
    const Complaint complain(a);
    check_connections(a, complain);
    check_corners(a, complain);
    check_geometry(a, complain);
}

void check_listings(const MpasArrays& a) {
    const Complaint complain(a);
    for (std::int64_t e = 0; e < a.held_edges.own; ++e) {
        const int cells = (a.cells_on_edge[2 * e] != 0) + (a.cells_on_edge[2 * e + 1] != 0);
        if (a.listings[e] != cells) {
            complain("cellsOnEdge", a.held_edges, e, a.cells_on_edge[2 * e],
                     fmt::format("{} cell(s) with this edge in edgesOnCell, found {}", cells, a.listings[e]));
        }
        if (a.vertices_on_edge[2 * e] == a.vertices_on_edge[2 * e + 1]) {
            complain("verticesOnEdge", a.held_edges, e, 1, a.vertices_on_edge[2 * e + 1],
                     "two different vertices");
        }
    }
}

}  // namespace groundswell::voronoi
