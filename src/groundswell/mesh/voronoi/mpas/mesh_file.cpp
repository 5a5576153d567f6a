#include "groundswell/mesh/voronoi/mesh_file.hpp"

#include <fmt/format.h>
#include <netcdf.h>

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
#include "groundswell/netcdf/library_call.hpp"

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

class Writer {
public:
    explicit Writer(const std::string& path) : path_(path) {
        check(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_DATA, &id_));
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
        if (id_ >= 0) nc_close(id_);
    }

    int dimension(const char* name, std::size_t length) {
        int dimension = 0;
        check(nc_def_dim(id_, name, length, &dimension));
        return dimension;
    }
    void attribute(const char* name, const std::string& text) {
        check(nc_put_att_text(id_, NC_GLOBAL, name, text.size(), text.data()));
    }
    void attribute(const char* name, double value) {
        check(nc_put_att_double(id_, NC_GLOBAL, name, NC_DOUBLE, 1, &value));
    }
    void put(const char* name, std::vector<int> dimensions, const std::vector<double>& values) {
        check(nc_put_var_double(id_, define(name, NC_DOUBLE, dimensions), values.data()));
    }
    void put(const char* name, std::vector<int> dimensions, const std::vector<std::int32_t>& values) {
        check(nc_put_var_int(id_, define(name, NC_INT, dimensions), values.data()));
    }
    void close() {
        const int id = id_;
        id_ = -1;
        check(nc_close(id));
    }

private:
    int define(const char* name, nc_type type, const std::vector<int>& dimensions) {
        int variable = 0;
        nc_redef(id_);  // already in define mode the first time
        check(nc_def_var(id_, name, type, static_cast<int>(dimensions.size()), dimensions.data(), &variable));
        check(nc_enddef(id_));
        return variable;
    }
    void check(int status) const {
        if (status != NC_NOERR) throw base::RunFailure(fmt::format("{}: {}", path_, nc_strerror(status)));
    }

    std::string path_;
    int id_ = -1;
};

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

void write_mesh(const GlobalMesh& mesh, const std::string& path) {
    const std::vector<std::int32_t> edge_number = compact_numbering(mesh.edge, mesh.edges());
    const std::vector<std::int32_t> vertex_number = compact_numbering(mesh.corner, mesh.vertices());
    std::int64_t sides = 0;
    for (std::size_t c = 0; c + 1 < mesh.offset.size(); ++c)
        sides = std::max(sides, mesh.offset[c + 1] - mesh.offset[c]);

    const std::size_t cells = mesh.lon.size();
    std::vector<std::int32_t> count(cells), cells_on_cell(cells * sides), edges_on_cell(cells * sides),
        vertices_on_cell(cells * sides);
    std::vector<std::int32_t> cells_on_edge, vertices_on_edge;
    std::vector<double> dv, dc, angle, lon_edge, lat_edge, lon_vertex, lat_vertex;
    for (std::size_t v = 0; v < mesh.vertex_lon.size(); ++v) {
        if (vertex_number[v] < 0) continue;
        lon_vertex.push_back(mesh.vertex_lon[v]);
        lat_vertex.push_back(mesh.vertex_lat[v]);
    }
    for (std::int32_t e = 0; e < mesh.edges(); ++e) {
        if (edge_number[e] < 0) continue;
        vertices_on_edge.push_back(vertex_number[mesh.edge_end1[e]] + 1);
        vertices_on_edge.push_back(vertex_number[mesh.edge_end2[e]] + 1);
        dv.push_back(mesh.edge_length[e]);
        dc.push_back(mesh.edge_distance[e]);
    }
    cells_on_edge.assign(2 * dv.size(), 0);
    angle.assign(dv.size(), 0.0);
    lon_edge.assign(dv.size(), 0.0);
    lat_edge.assign(dv.size(), 0.0);
    for (std::size_t c = 0; c < cells; ++c) {
        count[c] = static_cast<std::int32_t>(mesh.offset[c + 1] - mesh.offset[c]);
        for (std::int32_t k = 0; k < count[c]; ++k) {
            const std::int64_t j = mesh.offset[c] + k;
            const std::int32_t e = edge_number[mesh.edge[j]];
            cells_on_cell[c * sides + k] = mesh.neighbour[j] + 1;  // coast = -1 becomes 0
            edges_on_cell[c * sides + k] = e + 1;
            vertices_on_cell[c * sides + k] = vertex_number[mesh.corner[j]] + 1;
            if (cells_on_edge[2 * e] != 0) continue;
            cells_on_edge[2 * e] = static_cast<std::int32_t>(c + 1);
            cells_on_edge[2 * e + 1] = mesh.neighbour[j] + 1;
            const auto end = [&](std::int32_t v) { return point_at(mesh.vertex_lon[v], mesh.vertex_lat[v]); };
            const Vector3 end1 = end(mesh.edge_end1[mesh.edge[j]]), end2 = end(mesh.edge_end2[mesh.edge[j]]);
            const Vector3 middle = edge_middle(end1, end2);
            lon_edge[e] = longitude_of(middle);
            lat_edge[e] = latitude_of(middle);
            angle[e] =
                outward_bearing(end1, end2, point_at(mesh.lon[c], mesh.lat[c]), lon_edge[e], lat_edge[e]);
        }
    }

    const auto lock = netcdf::own_library();
    Writer file(path);
    const int n_cells = file.dimension("nCells", cells), n_edges = file.dimension("nEdges", dv.size()),
              n_vertices = file.dimension("nVertices", lon_vertex.size()),
              max_edges = file.dimension("maxEdges", static_cast<std::size_t>(sides)),
              two = file.dimension("TWO", 2);
    file.attribute("on_a_sphere", "YES");
    file.attribute("sphere_radius", mesh.radius);
    file.attribute("mesh_spec", "1.0");
    file.attribute("Conventions", "MPAS");
    file.put("lonCell", {n_cells}, mesh.lon);
    file.put("latCell", {n_cells}, mesh.lat);
    file.put("areaCell", {n_cells}, mesh.area);
    file.put("bottomDepth", {n_cells}, mesh.depth);
    file.put("nEdgesOnCell", {n_cells}, count);
    file.put("cellsOnCell", {n_cells, max_edges}, cells_on_cell);
    file.put("edgesOnCell", {n_cells, max_edges}, edges_on_cell);
    file.put("verticesOnCell", {n_cells, max_edges}, vertices_on_cell);
    file.put("dvEdge", {n_edges}, dv);
    file.put("dcEdge", {n_edges}, dc);
    file.put("angleEdge", {n_edges}, angle);
    file.put("lonEdge", {n_edges}, lon_edge);
    file.put("latEdge", {n_edges}, lat_edge);
    file.put("cellsOnEdge", {n_edges, two}, cells_on_edge);
    file.put("verticesOnEdge", {n_edges, two}, vertices_on_edge);
    file.put("lonVertex", {n_vertices}, lon_vertex);
    file.put("latVertex", {n_vertices}, lat_vertex);
    file.close();
}

}  // namespace groundswell::voronoi
