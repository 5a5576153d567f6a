#include "groundswell/sea/streams/streams.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/simulation/cell_map.hpp"

namespace groundswell::sea {

namespace {

std::vector<double> degrees(std::span<const double> radians) {
    std::vector<double> result;
    for (const double angle : radians) result.push_back(angle / base::degree);
    return result;
}

/// Corners of each cell; its last one fills up the row. Longitudes lie within 180° of the cell's centre, so that
/// a cell across the date line is not drawn around the world.
std::vector<float> bounds(const voronoi::LocalMesh& mesh, std::span<const double> centre,
                          std::span<const double> corner) {
    const auto width = static_cast<std::size_t>(mesh.max_edges);
    std::vector<float> bounds;
    bounds.reserve(static_cast<std::size_t>(mesh.owned) * width);
    for (std::size_t cell = 0; cell < static_cast<std::size_t>(mesh.owned); ++cell) {
        const double middle = centre[cell] / base::degree;
        for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c) {
            const double place = corner[c] / base::degree;
            const double round = place - middle > 180.0 ? -360.0 : place - middle < -180.0 ? 360.0 : 0.0;
            bounds.push_back(static_cast<float>(place + round));
        }
        bounds.resize((cell + 1) * width, bounds.back());
    }
    return bounds;
}

std::vector<std::int32_t> corner_nodes(const voronoi::LocalMesh& mesh) {
    const auto owned = static_cast<std::size_t>(mesh.owned), width = static_cast<std::size_t>(mesh.max_edges);
    std::vector<std::int32_t> corners(owned * width, -1);
    for (std::size_t cell = 0; cell < owned; ++cell)
        for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c)
            corners[cell * width + static_cast<std::size_t>(c - mesh.corner_offset[cell])] =
                static_cast<std::int32_t>(mesh.corner_node[c]);
    return corners;
}

void write_mesh(output::Dataset& file, const voronoi::LocalMesh& mesh, const output::Decomposition& faces,
                const output::Decomposition& nodes) {
    using output::distributed;
    const auto owned = static_cast<std::size_t>(mesh.owned);
    const std::span<const double> lon(mesh.lon.data(), owned), lat(mesh.lat.data(), owned);
    const std::int32_t topology = 0;
    file.write_fixed(output::replicated<std::int32_t>("mesh", {&topology, 1}));
    file.write_fixed(distributed<double>("mesh_node_lon", nodes, degrees(mesh.node_lon)));
    file.write_fixed(distributed<double>("mesh_node_lat", nodes, degrees(mesh.node_lat)));
    file.write_fixed(distributed<double>("mesh_face_lon", faces, degrees(lon)));
    file.write_fixed(distributed<double>("mesh_face_lat", faces, degrees(lat)));
    file.write_fixed(distributed<std::int64_t>("mesh_cell", faces, {mesh.mesh_cell.data(), owned}));
    file.write_fixed(distributed<std::int32_t>("mesh_face_nodes", faces, corner_nodes(mesh)));
    file.write_fixed(
        distributed<float>("mesh_face_lon_bounds", faces, bounds(mesh, mesh.lon, mesh.corner_lon)));
    file.write_fixed(
        distributed<float>("mesh_face_lat_bounds", faces, bounds(mesh, mesh.lat, mesh.corner_lat)));
}

}  // namespace

Extent find_extent(MPI_Comm comm, const voronoi::LocalMesh& mesh) {
    double west = 1e9, east = -1e9, south = 1e9, north = -1e9;
    for (std::size_t cell = 0; cell < static_cast<std::size_t>(mesh.owned); ++cell) {
        west = std::min(west, mesh.lon[cell]);
        east = std::max(east, mesh.lon[cell]);
        south = std::min(south, mesh.lat[cell]);
        north = std::max(north, mesh.lat[cell]);
    }
    return {parallel::min(comm, west) / base::degree, parallel::max(comm, east) / base::degree,
            parallel::min(comm, south) / base::degree, parallel::max(comm, north) / base::degree};
}

std::unique_ptr<simulation::Stream> make_map(MPI_Comm comm, const Case& run,
                                             const simulation::MapSection& section, const Model& model,
                                             Situations& situations, Statistics& statistics,
                                             const Extent& extent, const output::Decomposition& faces) {
    const voronoi::LocalMesh& mesh = model.mesh();
    std::vector<const Field*> fields;
    for (const std::string& name : section.fields) fields.push_back(&find_field(name));
    const Reads reads = all_read(fields);
    auto nodes = std::make_shared<const output::Decomposition>(comm, mesh.global_nodes, mesh.node_id);
    simulation::CellMap::Parts parts{
        section.file,
        section.every,
        map_schema(run, section, mesh, extent),
        &faces,
        section.fields,
        {},
        [&mesh, &faces, nodes](output::Dataset& file) { write_mesh(file, mesh, faces, *nodes); }};
    if (section.statistic != "point") {
        parts.fill = [&statistics, &section](std::vector<std::vector<float>>& values) {
            for (std::size_t f = 0; f < section.fields.size(); ++f)
                statistics.give(section.fields[f], section.statistic, section.every, values[f]);
        };
        parts.interval = [&statistics, every = section.every] { return statistics.interval(every); };
        return std::make_unique<simulation::CellMap>(std::move(parts));
    }
    parts.fill = [&mesh, &situations, fields, reads](std::vector<std::vector<float>>& values) {
        const std::vector<CellSituation>& all = situations.of_all(reads);
        exec::for_each_cell(0, mesh.owned, [&](std::int32_t cell) {
            const auto c = static_cast<std::size_t>(cell);
            for (std::size_t f = 0; f < fields.size(); ++f) values[f][c] = fields[f]->value(all[c]);
        });
    };
    return std::make_unique<simulation::CellMap>(std::move(parts));
}

}  // namespace groundswell::sea
