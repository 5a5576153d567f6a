#include "groundswell/mesh/voronoi/mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/formats/list.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {
namespace {

void wrap_all(std::vector<double>& longitudes) {
    for (double& lon : longitudes) lon = wrap_longitude(lon);
}

/// At the rim of a mesh there is no second cell; where the file has no distance either, the cell's mirror
/// image counts.
void mend_rim_distances(GlobalMesh& mesh) {
    for (std::size_t c = 0; c + 1 < mesh.offset.size(); ++c) {
        for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
            const std::int32_t e = mesh.edge[j];
            if (mesh.neighbour[j] != coast || mesh.edge_distance[e] > 0.0) continue;
            const std::int32_t v1 = mesh.edge_end1[e], v2 = mesh.edge_end2[e];
            const Vector3 middle = edge_middle(point_at(mesh.vertex_lon[v1], mesh.vertex_lat[v1]),
                                               point_at(mesh.vertex_lon[v2], mesh.vertex_lat[v2]));
            mesh.edge_distance[e] = 2.0 * mesh.radius * arc(point_at(mesh.lon[c], mesh.lat[c]), middle);
        }
    }
}

/// Copies edges, neighbours and corners of each cell, with corners turned and shifted to the order of
/// GlobalMesh.
void copy_sides(const MpasArrays& a, GlobalMesh& mesh) {
    const auto vertex = [&](std::int64_t j) {
        return static_cast<std::int32_t>(a.held_vertices.here(a.vertices_on_cell[j] - 1));
    };
    const auto edge = [&](std::int64_t j) {
        return static_cast<std::int32_t>(a.held_edges.here(a.edges_on_cell[j] - 1));
    };
    const std::vector<Vector3> corner_point = points_at(mesh.vertex_lon, mesh.vertex_lat);
    const auto sides = static_cast<std::size_t>(
        std::accumulate(a.edges_on_cell_count.begin(), a.edges_on_cell_count.end(), std::int64_t{0}));
    mesh.edge.reserve(sides);
    mesh.neighbour.reserve(sides);
    mesh.corner.reserve(sides);
    mesh.offset.reserve(a.edges_on_cell_count.size() + 1);
    mesh.offset.push_back(0);
    for (std::int64_t c = 0; c < a.held_cells.own; ++c) {
        const std::int64_t count = a.edges_on_cell_count[c], start = c * a.max_edges;
        const Vector3 centre = point_at(mesh.lon[c], mesh.lat[c]);
        double area = 0.0;
        for (std::int64_t k = 0; k < count; ++k) {
            area += triangle_area(centre, corner_point[vertex(start + k)],
                                  corner_point[vertex(start + (k + 1) % count)]);
        }
        // Side order is the file's; corners follow it anticlockwise. check_structure() has seen that corner
        // k-1, k or k, k+1 are the ends of edge k; clockwise files are walked backwards.
        const bool anticlockwise = area > 0.0;
        const std::int64_t e0 = edge(start);
        const auto is_end = [&](std::int32_t v) {
            return a.vertices_on_edge[2 * e0] == v || a.vertices_on_edge[2 * e0 + 1] == v;
        };
        const std::int64_t shift = is_end(a.vertices_on_cell[start + count - 1]) ? 0 : 1;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t k = anticlockwise ? i : (count - i) % count;
            const std::int64_t corner = anticlockwise ? (k + shift) % count : (k + count - 1 + shift) % count;
            mesh.edge.push_back(edge(start + k));
            mesh.neighbour.push_back(a.cells_on_cell[start + k] == 0 ? coast
                                                                     : a.cells_on_cell[start + k] - 1);
            mesh.corner.push_back(vertex(start + corner));
        }
        mesh.offset.push_back(static_cast<std::int64_t>(mesh.edge.size()));
    }
}

/// The ends of those edges that a cell lists: of others the vertices may not be held.
void copy_ends(const MpasArrays& a, GlobalMesh& mesh) {
    mesh.edge_end1.assign(mesh.edge_length.size(), -1);
    mesh.edge_end2.assign(mesh.edge_length.size(), -1);
    for (const std::int32_t e : mesh.edge) {
        const auto end = [&](int side) {
            return static_cast<std::int32_t>(a.held_vertices.here(a.vertices_on_edge[2 * e + side] - 1));
        };
        mesh.edge_end1[e] = end(0);
        mesh.edge_end2[e] = end(1);
    }
}

bool is_in(const formats::MeshFormat& format, const std::string& path) {
    std::string beginning(16, '\0');
    if (std::filesystem::is_regular_file(path))
        std::ifstream(path, std::ios::binary)
            .read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    return format.begins(beginning);
}

}  // namespace

bool has_other_format(const std::string& path) {
    return std::ranges::any_of(formats::list(),
                               [&](const formats::MeshFormat& format) { return is_in(format, path); });
}

GlobalMesh read_mesh(const std::string& path, const ReadOptions& options) {
    for (const formats::MeshFormat& format : formats::list())
        if (is_in(format, path)) return format.read(path, options);
    MpasArrays arrays = read_arrays(path);
    require_depth(arrays, options);
    check_values(arrays);
    check_structure(arrays);
    arrays.listings = count_listings(arrays);
    check_listings(arrays);
    return mesh_of(std::move(arrays), options);
}

void require_depth(const MpasArrays& arrays, const ReadOptions& options) {
    if (arrays.bottom_depth || options.uniform_depth) return;
    base::refuse(
        arrays.file, "bottomDepth", "",
        "a variable of this name (m, positive down), or one depth for all cells (mesh.uniform_depth)");
}

GlobalMesh mesh_of(MpasArrays a, const ReadOptions& options) {
    GlobalMesh mesh;
    mesh.source = a.file;
    const bool earth = std::fabs(a.sphere_radius / base::earth_radius - 1.0) <= 0.01;
    mesh.radius = earth ? a.sphere_radius : base::earth_radius;
    const double scale = mesh.radius / a.sphere_radius;
    if (scale != 1.0) {
        for (double& area : a.area_cell) area *= scale * scale;
        for (double& length : a.dv_edge) length *= scale;
        for (double& length : a.dc_edge) length *= scale;
    }
    const auto cells = static_cast<std::size_t>(a.held_cells.own);
    a.lon_cell.resize(cells);
    a.lat_cell.resize(cells);
    mesh.lon = std::move(a.lon_cell);
    mesh.lat = std::move(a.lat_cell);
    mesh.area = std::move(a.area_cell);
    if (options.uniform_depth) {
        mesh.depth.assign(cells, *options.uniform_depth);
    } else {
        mesh.depth = std::move(*a.bottom_depth);
    }
    mesh.mesh_cell.resize(cells);
    for (std::size_t c = 0; c < cells; ++c)
        mesh.mesh_cell[c] = a.held_cells.in_file(static_cast<std::int64_t>(c)) + 1;
    mesh.vertex_lon = std::move(a.lon_vertex);
    mesh.vertex_lat = std::move(a.lat_vertex);
    wrap_all(mesh.lon);
    wrap_all(mesh.vertex_lon);
    mesh.edge_length = std::move(a.dv_edge);
    mesh.edge_distance = std::move(a.dc_edge);
    copy_sides(a, mesh);
    copy_ends(a, mesh);
    mend_rim_distances(mesh);
    return mesh;
}

}  // namespace groundswell::voronoi
