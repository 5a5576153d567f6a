#include "groundswell/sea/boundary/open_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::sea {

namespace {

using voronoi::Vector3;

OpenFace face_at(const voronoi::LocalMesh& mesh, std::int32_t cell, std::int32_t e) {
    const double lon = mesh.edge_lon[e], lat = mesh.edge_lat[e], bearing = mesh.edge_bearing[e];
    const Vector3 normal =
        std::cos(bearing) * voronoi::east_at(lon) + std::sin(bearing) * voronoi::north_at(lon, lat);
    const Vector3 centre = voronoi::point_at(mesh.lon[cell], mesh.lat[cell]);
    const Vector3 beyond = centre - 2.0 * voronoi::dot(centre, normal) * normal;
    return {cell, e, voronoi::longitude_of(beyond), voronoi::latitude_of(beyond)};
}

struct Listed {
    std::vector<std::int64_t> cell, side;
};

// Read by one rank for all; empty where the file lists none.
Listed read_list(MPI_Comm comm, const std::string& mesh_file) {
    Listed listed;
    std::int64_t faces = 0;
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) != 0) return;
        const netcdf::Reader file(mesh_file, "mesh");
        const auto *cells = file.find("openFaceCell"), *sides = file.find("openFaceSide");
        if (cells == nullptr || sides == nullptr) return;
        for (const auto* one : {cells, sides})
            base::require(
                one->dimensions.size() == 1 && one->dimensions[0].length == cells->dimensions[0].length,
                mesh_file, one->name, "", "one number for each open face");
        faces = static_cast<std::int64_t>(cells->dimensions[0].length);
        listed.cell.resize(static_cast<std::size_t>(faces));
        listed.side.resize(listed.cell.size());
        file.read(*cells, {0}, {listed.cell.size()}, listed.cell.data());
        file.read(*sides, {0}, {listed.side.size()}, listed.side.data());
    });
    parallel::check(MPI_Bcast(&faces, 1, MPI_INT64_T, 0, comm), "tell how many faces are open");
    for (auto* values : {&listed.cell, &listed.side}) {
        values->resize(static_cast<std::size_t>(faces));
        parallel::check(MPI_Bcast(values->data(), static_cast<int>(faces), MPI_INT64_T, 0, comm),
                        "tell which faces are open");
    }
    return listed;
}

std::vector<OpenFace> faces_of_list(const std::string& mesh_file, const Listed& listed,
                                    const voronoi::LocalMesh& mesh) {
    std::unordered_map<std::int64_t, std::int32_t> local;
    for (std::int32_t cell = 0; cell < mesh.total; ++cell)
        if (mesh.edge_offset[cell + 1] > mesh.edge_offset[cell]) local[mesh.mesh_cell[cell]] = cell;
    std::vector<OpenFace> faces;
    for (std::size_t i = 0; i < listed.cell.size(); ++i) {
        const auto found = local.find(listed.cell[i]);
        if (found == local.end()) continue;  // of another rank, or left out
        const std::int32_t cell = found->second, first = mesh.edge_offset[cell];
        const std::int64_t sides = mesh.edge_offset[cell + 1] - first, side = listed.side[i];
        base::require(
            side >= 1 && side <= sides && mesh.neighbour[first + side - 1] == voronoi::coast, mesh_file,
            fmt::format("openFaceSide({})", i + 1), fmt::to_string(side),
            fmt::format("a side of cell {}, which has {}, with no sea cell beyond", listed.cell[i], sides));
        faces.push_back(face_at(mesh, cell, first + static_cast<std::int32_t>(side) - 1));
    }
    return faces;
}

std::vector<OpenFace> faces_beyond(const std::vector<double>& region, const voronoi::LocalMesh& mesh) {
    std::vector<OpenFace> faces;
    for (std::int32_t cell = 0; cell < mesh.total; ++cell)
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            if (mesh.neighbour[e] != voronoi::coast) continue;
            const OpenFace face = face_at(mesh, cell, e);
            if (!is_inside(region, face.lon, face.lat)) faces.push_back(face);
        }
    return faces;
}

}  // namespace

bool is_inside(const std::vector<double>& region, double lon, double lat) {
    const double east_of_west = std::fmod(std::fmod(lon / base::degree - region[0], 360.0) + 360.0, 360.0);
    return east_of_west <= region[1] - region[0] && lat >= region[2] * base::degree &&
           lat <= region[3] * base::degree;
}

std::vector<OpenFace> find_open_faces(MPI_Comm comm, const std::string& case_file,
                                      const std::string& mesh_file, const std::vector<double>& beyond,
                                      const voronoi::LocalMesh& mesh) {
    if (!beyond.empty()) return faces_beyond(beyond, mesh);
    const Listed listed = read_list(comm, mesh_file);
    return parallel::agree(comm, [&] {
        base::require(
            !listed.cell.empty(), case_file, "mesh.open_beyond", "",
            fmt::format("[west, east, south, north] with a [[boundary]]: {} does not list which of its "
                        "faces are open, and which are coast",
                        mesh_file));
        std::vector<OpenFace> faces = faces_of_list(mesh_file, listed, mesh);
        std::ranges::sort(faces, {}, &OpenFace::edge);
        return faces;
    });
}

}  // namespace groundswell::sea
