#include <fmt/format.h>

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/mpas_arrays.hpp"
#include "groundswell/mesh/sphere.hpp"

namespace groundswell::mesh {
namespace {

/// Lengths and areas may come from another formula (chord, plane, single precision), not from another unit.
constexpr double length_tolerance = 0.05;
/// Radians. Generators round the angle of the edge in ways that differ by up to 0.025 on coarse meshes.
constexpr double angle_tolerance = 0.1;
constexpr double highest_land = 9000.0;  // m
constexpr double deepest_sea = 12000.0;  // m

/// Refuses one value of a variable. Indices are given from 0 and shown from 1, as the file counts.
class Complaint {
public:
    explicit Complaint(const MpasArrays& arrays) : file_(arrays.file) {}

    template <class Value>
    [[noreturn]] void operator()(const char* variable, std::int64_t index, Value value,
                                 const std::string& expected) const {
        base::refuse(file_, fmt::format("{}({})", variable, index + 1), fmt::to_string(value), expected);
    }
    template <class Value>
    [[noreturn]] void operator()(const char* variable, std::int64_t index, std::int64_t side, Value value,
                                 const std::string& expected) const {
        base::refuse(file_, fmt::format("{}({}, {})", variable, index + 1, side + 1), fmt::to_string(value),
                     expected);
    }

private:
    const std::string& file_;
};

void check_place(const Complaint& complain, const char* lon_name, const std::vector<double>& lon,
                 const char* lat_name, const std::vector<double>& lat) {
    constexpr double slack = 1e-6;  // single precision
    for (std::size_t i = 0; i < lon.size(); ++i) {
        if (!(std::fabs(lon[i]) <= base::two_pi + slack))
            complain(lon_name, i, lon[i], "radians from -2 pi to 2 pi");
        if (!(std::fabs(lat[i]) <= base::pi / 2.0 + slack)) {
            complain(lat_name, i, lat[i], "radians from -pi/2 to pi/2");
        }
    }
}

void check_positive(const Complaint& complain, const char* name, const std::vector<double>& values,
                    const char* what) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(values[i] > 0.0 && std::isfinite(values[i]))) complain(name, i, values[i], what);
    }
}

void check_ranges(const MpasArrays& a, const Complaint& complain) {
    const auto check_index = [&](const char* name, std::int64_t i, std::int64_t side, std::int32_t value,
                                 std::int32_t least, std::int32_t most) {
        if (value < least || value > most) {
            complain(name, i, side, value, fmt::format("an index from {} to {}", least, most));
        }
    };
    for (std::int64_t c = 0; c < a.cells; ++c) {
        const std::int32_t count = a.edges_on_cell_count[c];
        if (count < 3 || count > a.max_edges) {
            complain("nEdgesOnCell", c, count, fmt::format("from 3 to maxEdges = {}", a.max_edges));
        }
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int64_t j = c * a.max_edges + k;
            check_index("cellsOnCell", c, k, a.cells_on_cell[j], 0, a.cells);
            check_index("edgesOnCell", c, k, a.edges_on_cell[j], 1, a.edges);
            check_index("verticesOnCell", c, k, a.vertices_on_cell[j], 1, a.vertices);
        }
    }
    for (std::int64_t e = 0; e < a.edges; ++e) {
        for (std::int64_t side = 0; side < 2; ++side) {
            check_index("cellsOnEdge", e, side, a.cells_on_edge[2 * e + side], 0, a.cells);
            check_index("verticesOnEdge", e, side, a.vertices_on_edge[2 * e + side], 1, a.vertices);
        }
    }
}

bool lists_cell(const MpasArrays& a, std::int64_t cell, std::int32_t wanted) {
    for (std::int64_t k = 0; k < a.edges_on_cell_count[cell]; ++k) {
        if (a.cells_on_cell[cell * a.max_edges + k] == wanted) return true;
    }
    return false;
}

void check_connections(const MpasArrays& a, const Complaint& complain) {
    std::vector<std::int8_t> seen(a.edges, 0);
    for (std::int64_t c = 0; c < a.cells; ++c) {
        const auto self = static_cast<std::int32_t>(c + 1);
        for (std::int64_t k = 0; k < a.edges_on_cell_count[c]; ++k) {
            const std::int64_t j = c * a.max_edges + k;
            const std::int32_t other = a.cells_on_cell[j];
            if (other == self) complain("cellsOnCell", c, k, other, "another cell, or 0 where there is none");
            if (other != 0 && !lists_cell(a, other - 1, self)) {
                complain("cellsOnCell", c, k, other,
                         fmt::format("cell {} to have cell {} among its neighbours too", other, self));
            }
            const std::int32_t edge = a.edges_on_cell[j];
            const std::int32_t first = a.cells_on_edge[2 * (edge - 1)],
                               second = a.cells_on_edge[2 * (edge - 1) + 1];
            if (!((first == self && second == other) || (first == other && second == self))) {
                complain("edgesOnCell", c, k, edge,
                         fmt::format("the edge between cells {} and {}, but cellsOnEdge has {} and {} there",
                                     self, other, first, second));
            }
            ++seen[edge - 1];
        }
    }
    for (std::int64_t e = 0; e < a.edges; ++e) {
        const int cells = (a.cells_on_edge[2 * e] != 0) + (a.cells_on_edge[2 * e + 1] != 0);
        if (seen[e] != cells) {
            complain("cellsOnEdge", e, a.cells_on_edge[2 * e],
                     fmt::format("{} cell(s) with this edge in edgesOnCell, found {}", cells, seen[e]));
        }
        if (a.vertices_on_edge[2 * e] == a.vertices_on_edge[2 * e + 1]) {
            complain("verticesOnEdge", e, 1, a.vertices_on_edge[2 * e + 1], "two different vertices");
        }
    }
}

/// The corners of a cell must be the ends of its edges: edge k joins corners k-1 and k, or k and k+1.
void check_corners(const MpasArrays& a, const Complaint& complain) {
    for (std::int64_t c = 0; c < a.cells; ++c) {
        const std::int64_t count = a.edges_on_cell_count[c], start = c * a.max_edges;
        const auto joins = [&](std::int64_t k, std::int64_t from, std::int64_t to) {
            const std::int64_t e = a.edges_on_cell[start + k] - 1;
            const std::int32_t v1 = a.vertices_on_cell[start + from], v2 = a.vertices_on_cell[start + to];
            const std::int32_t e1 = a.vertices_on_edge[2 * e], e2 = a.vertices_on_edge[2 * e + 1];
            return (v1 == e1 && v2 == e2) || (v1 == e2 && v2 == e1);
        };
        const bool before = joins(0, count - 1, 0);
        for (std::int64_t k = 0; k < count; ++k) {
            const bool fits = before ? joins(k, (k + count - 1) % count, k) : joins(k, k, (k + 1) % count);
            if (!fits) {
                complain("verticesOnCell", c, k, a.vertices_on_cell[start + k],
                         fmt::format("an end of edge {} (verticesOnEdge), corners and edges in the same turn",
                                     a.edges_on_cell[start + k]));
            }
        }
    }
}

void check_depth(const MpasArrays& a, const Complaint& complain) {
    if (!a.bottom_depth) return;
    for (std::int64_t c = 0; c < a.cells; ++c) {
        const double depth = (*a.bottom_depth)[c];
        if (!(depth >= -highest_land && depth <= deepest_sea)) {
            complain("bottomDepth", c, depth, "metres, positive down, from -9000 to 12000");
        }
    }
}

/// Lengths in the unit of sphere_radius, and angles against the coordinates.
void check_geometry(const MpasArrays& a, const Complaint& complain) {
    const auto near = [&](const char* name, std::int64_t e, double value, double arc_length, double slack) {
        const double expected = arc_length * a.sphere_radius;
        if (!(std::fabs(value - expected) <= length_tolerance * expected + slack)) {
            complain(name, e, value,
                     fmt::format("{:.6g} by its coordinates and sphere_radius = {:.6g}", expected,
                                 a.sphere_radius));
        }
    };
    const auto cell_point = [&](std::int32_t c) { return point_at(a.lon_cell[c - 1], a.lat_cell[c - 1]); };
    for (std::int64_t e = 0; e < a.edges; ++e) {
        const std::int32_t v1 = a.vertices_on_edge[2 * e] - 1, v2 = a.vertices_on_edge[2 * e + 1] - 1;
        // Faces may be very short next to the distance of the cells, and then rounded by their generator.
        near("dvEdge", e, a.dv_edge[e],
             arc(point_at(a.lon_vertex[v1], a.lat_vertex[v1]), point_at(a.lon_vertex[v2], a.lat_vertex[v2])),
             1e-3 * std::fabs(a.dc_edge[e]));
        const std::int32_t c1 = a.cells_on_edge[2 * e], c2 = a.cells_on_edge[2 * e + 1];
        if (c1 == 0 || c2 == 0) continue;  // some generators leave dcEdge 0 at the rim
        if (!(a.dc_edge[e] > 0.0)) complain("dcEdge", e, a.dc_edge[e], "a positive length");
        const Vector3 p1 = cell_point(c1), p2 = cell_point(c2);
        near("dcEdge", e, a.dc_edge[e], arc(p1, p2), 0.0);
        if (!a.angle_edge) continue;
        const Vector3 middle = edge_middle(p1, p2);
        const bool given = a.lon_edge && a.lat_edge;
        const double lon = given ? (*a.lon_edge)[e] : longitude_of(middle);
        const double lat = given ? (*a.lat_edge)[e] : latitude_of(middle);
        const double expected = bearing_of(p2 - p1, lon, lat);
        if (!(std::fabs(wrap_longitude((*a.angle_edge)[e] - expected)) <= angle_tolerance)) {
            complain("angleEdge", e, (*a.angle_edge)[e],
                     fmt::format("{:.4f}, anticlockwise from east to the direction from cell {} to cell {}",
                                 expected, c1, c2));
        }
    }
}

}  // namespace

void check_arrays(const MpasArrays& a) {
    const Complaint complain(a);
    base::require(a.sphere_radius > 0.0 && std::isfinite(a.sphere_radius), a.file, "sphere_radius",
                  fmt::to_string(a.sphere_radius), "a positive length");
    check_place(complain, "lonCell", a.lon_cell, "latCell", a.lat_cell);
    check_place(complain, "lonVertex", a.lon_vertex, "latVertex", a.lat_vertex);
    if (a.lon_edge && a.lat_edge) check_place(complain, "lonEdge", *a.lon_edge, "latEdge", *a.lat_edge);
    check_positive(complain, "areaCell", a.area_cell, "a positive area");
    check_positive(complain, "dvEdge", a.dv_edge, "a positive length");
    check_depth(a, complain);
    check_ranges(a, complain);
    check_connections(a, complain);
    check_corners(a, complain);
    check_geometry(a, complain);
}

}  // namespace groundswell::mesh
