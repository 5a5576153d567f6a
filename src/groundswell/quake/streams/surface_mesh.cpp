#include "groundswell/quake/streams/surface_mesh.hpp"

#include <fmt/format.h>

#include <limits>
#include <span>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/places_among_all.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

using tetra::Point;

Point middle_of(const std::array<Point, 3>& corner) {
    Point middle{};
    for (int axis = 0; axis < 3; ++axis)
        middle[axis] = (corner[0][axis] + corner[1][axis] + corner[2][axis]) / 3.0;
    return middle;
}

// A part of a face, in the face's coordinates (χ, τ).
using Part = std::array<Point2, 3>;

Point2 between(const Point2& a, const Point2& b) {
    return {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
}

// A part in 4^times, one after the other.
void cut(const Part& part, int times, std::vector<Part>& parts) {
    if (times == 0) {
        parts.push_back(part);
        return;
    }
    const auto& [a, b, c] = part;
    const Point2 ab = between(a, b), bc = between(b, c), ca = between(c, a);
    for (const Part& smaller : {Part{a, ab, ca}, Part{ab, b, bc}, Part{ca, bc, c}, Part{ab, bc, ca}})
        cut(smaller, times - 1, parts);
}

// Faces that share an edge have its corners in the same order, so that they cut it at the same places, bit by bit.
Point place_of(const std::array<Point, 3>& corner, const Point2& at) {
    Point place{};
    for (int axis = 0; axis < 3; ++axis)
        place[axis] =
            corner[0][axis] * (1.0 - at[0] - at[1]) + corner[1][axis] * at[0] + corner[2][axis] * at[1];
    return place;
}

bool is_clockwise(const tetra::Tetrahedron& cell, int face) {
    const auto& corners = face_corners[face];
    const Point &a = cell.place[corners[0]], &b = cell.place[corners[1]], &c = cell.place[corners[2]];
    const Point normal = tetra::geometry_of(cell.place).normal[face];
    double outward = 0.0;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        outward += normal[i] * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]));
    }
    return outward < 0.0;
}

void add_face(const tetra::LocalMesh& mesh, std::int32_t number, std::int32_t cell, int face,
              std::span<const Part> parts, std::vector<SurfaceMesh::Triangle>& triangles) {
    std::array<Point, 3> corner{};
    for (int i = 0; i < 3; ++i) corner[i] = mesh.cell[cell].place[face_corners[face][i]];
    const bool turned = is_clockwise(mesh.cell[cell], face);
    for (const auto& [a, b, c] : parts) {
        SurfaceMesh::Triangle triangle;
        triangle.cell = cell;
        triangle.corner = {place_of(corner, a), place_of(corner, b), place_of(corner, c)};
        triangle.face = number;
        triangle.in_face = {(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0};
        triangle.reference = on_face(face, triangle.in_face);
        if (turned) std::swap(triangle.corner[1], triangle.corner[2]);
        triangle.centre = middle_of(triangle.corner);
        triangles.push_back(triangle);
    }
}

std::vector<SurfaceMesh::Face> free_faces(const tetra::LocalMesh& mesh) {
    std::vector<SurfaceMesh::Face> faces;
    for (const std::int32_t cell : mesh.owned_by_id()) {
        for (int face = 0; face < 4; ++face) {
            if (tetra::is_surface(mesh.cell[cell].boundary[face])) faces.push_back({cell, face});
        }
    }
    return faces;
}

}  // namespace

SurfaceMesh::SurfaceMesh(MPI_Comm comm, const ProjectedCase& run, const SurfaceSection& section,
                         const tetra::LocalMesh& mesh)
    : SurfaceMesh(comm, run, mesh, free_faces(mesh),
                  {"output.surface[]", section.file, "the free surface", section.refine}) {}

SurfaceMesh::SurfaceMesh(MPI_Comm comm, const ProjectedCase& run, const tetra::LocalMesh& mesh,
                         const std::vector<Face>& faces, About about)
    : about_(std::move(about)) {
    const std::int64_t parts_of_face = std::int64_t{1} << (2 * about_.refine);
    const std::int64_t mine = parts_of_face * static_cast<std::int64_t>(faces.size());
    const std::int64_t all = parallel::sum(comm, mine);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 3;
    parallel::agree(comm, [&] {
        base::require(
            all > 0, run.file, about_.key + ".file", about_.file,
            fmt::format("a mesh with {}", about_.name == "the free surface" ? "a free surface" : "a fault"));
        base::require(all <= most, run.file, about_.key + ".refine", std::to_string(about_.refine),
                      fmt::format("at most {} triangles of {}, not {}", most, about_.name, all));
    });
    std::vector<Part> parts;
    cut({{{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}}, about_.refine, parts);
    std::vector<std::int64_t> ids;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        ids.push_back(4 * mesh.id[faces[f].cell] + faces[f].face);
        add_face(mesh, static_cast<std::int32_t>(f), faces[f].cell, faces[f].face, parts, triangles_);
        mesh_cell_.resize(triangles_.size(), mesh.row[faces[f].cell]);
    }
    std::vector<std::int64_t> rows, nodes;
    for (const std::int64_t place : mesh::places_among_all(comm, 4 * mesh.global_cells, ids)) {
        for (std::int64_t i = 0; i < parts_of_face; ++i) rows.push_back(place * parts_of_face + i);
        for (std::int64_t i = 0; i < 3 * parts_of_face; ++i) nodes.push_back(3 * place * parts_of_face + i);
    }
    rows_ = std::make_unique<const output::Decomposition>(comm, all, rows);
    nodes_ = std::make_unique<const output::Decomposition>(comm, 3 * all, nodes);
}

void SurfaceMesh::add_to(output::Schema& schema, const ProjectedCase& run) const {
    using output::Type;
    schema.dimensions.push_back({"nFace", rows_->rows(), false});
    schema.dimensions.push_back({"nNode", nodes_->rows(), false});
    schema.dimensions.push_back({"nMaxFaceNodes", 3, false});
    schema.variables.push_back({"mesh",
                                Type::int32,
                                {},
                                {{"cf_role", "mesh_topology"},
                                 {"long_name", "triangles of " + about_.name},
                                 {"topology_dimension", std::int32_t{2}},
                                 {"node_coordinates", "mesh_node_x mesh_node_y"},
                                 {"face_coordinates", "mesh_face_x mesh_face_y"},
                                 {"face_node_connectivity", "mesh_face_nodes"},
                                 {"face_dimension", "nFace"}}});
    for (const auto& [dimension, prefix, what] :
         {std::array{"nNode", "mesh_node_", "corners of the triangles"},
          {"nFace", "mesh_face_", "centres of the triangles"}}) {
        add_places(schema, prefix, dimension, what);
        if (!run.projection) continue;
        schema.variables.push_back(
            simulation::coordinate(std::string(prefix) + "lon", dimension, true, what));
        schema.variables.push_back(
            simulation::coordinate(std::string(prefix) + "lat", dimension, false, what));
    }
    schema.variables.push_back(
        {"mesh_face_nodes",
         Type::int32,
         {"nFace", "nMaxFaceNodes"},
         {{"cf_role", "face_node_connectivity"},
          {"long_name",
           "corners of each triangle, anticlockwise seen from outside; no two have one in common"},
          {"start_index", std::int32_t{0}}}});
    schema.variables.push_back({"mesh_cell",
                                Type::int64,
                                {"nFace"},
                                {{"long_name", "row of the tetrahedron in the mesh, from 0"},
                                 {"units", "1"},
                                 {"mesh", "mesh"},
                                 {"location", "face"}}});
}

void SurfaceMesh::write(output::Dataset& file, const ProjectedCase& run) const {
    const std::int32_t topology = 0;
    file.write_fixed(output::replicated<std::int32_t>("mesh", {&topology, 1}));
    std::vector<Point> corners, centres;
    for (const Triangle& triangle : triangles_) {
        corners.insert(corners.end(), triangle.corner.begin(), triangle.corner.end());
        centres.push_back(triangle.centre);
    }
    const auto write_both = [&](const std::string& prefix, const output::Decomposition& rows,
                                const std::vector<Point>& places) {
        write_places(file, prefix, rows, places);
        if (run.projection)
            write_degrees(file, *run.projection, rows, places, prefix + "lon", prefix + "lat");
    };
    write_both("mesh_node_", *nodes_, corners);
    write_both("mesh_face_", *rows_, centres);
    std::vector<std::int32_t> face_nodes;
    for (const std::int64_t node : nodes_->owned_rows())
        face_nodes.push_back(static_cast<std::int32_t>(node));
    file.write_fixed(output::distributed<std::int32_t>("mesh_face_nodes", *rows_, face_nodes));
    file.write_fixed(output::distributed<std::int64_t>("mesh_cell", *rows_, mesh_cell_));
}

}  // namespace groundswell::quake
