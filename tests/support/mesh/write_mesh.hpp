// Meshes of the sphere written to files in MPAS format, for tests that read them.
#pragma once

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/global_mesh.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/netcdf/library_call.hpp"

namespace groundswell::voronoi {

class MpasWriter {
public:
    explicit MpasWriter(const std::string& path) : path_(path) {
        check(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_DATA, &id_));
    }
    MpasWriter(const MpasWriter&) = delete;
    MpasWriter& operator=(const MpasWriter&) = delete;
    ~MpasWriter() {
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

/// Writes the variables that read_mesh() reads, with cells in the order of `mesh`. Throws base::RunFailure on
/// trouble.
inline void write_mesh(const GlobalMesh& mesh, const std::string& path) {
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
    MpasWriter file(path);
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
