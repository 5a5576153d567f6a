#include "groundswell/sea/streams/map.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/fields.hpp"

namespace groundswell::sea {

namespace {

/// Fields on all faces.
struct Map : Stream {
    std::vector<const Field*> fields;
    const output::Decomposition* faces = nullptr;
    std::unique_ptr<output::Decomposition> nodes;
    std::vector<std::vector<float>> values;  // [field][owned]

    void write_fixed(const Model& model) override {
        const voronoi::LocalMesh& mesh = model.mesh();
        const auto degrees = [](std::span<const double> radians) {
            std::vector<double> result;
            for (const double angle : radians) result.push_back(angle / base::degree);
            return result;
        };
        const auto owned = static_cast<std::size_t>(mesh.owned);
        const std::int32_t topology = 0;
        file->write_fixed(output::replicated<std::int32_t>("mesh", {&topology, 1}));
        file->write_fixed(output::distributed<double>("mesh_node_lon", *nodes, degrees(mesh.node_lon)));
        file->write_fixed(output::distributed<double>("mesh_node_lat", *nodes, degrees(mesh.node_lat)));
        file->write_fixed(
            output::distributed<double>("mesh_face_lon", *faces, degrees({mesh.lon.data(), owned})));
        file->write_fixed(
            output::distributed<double>("mesh_face_lat", *faces, degrees({mesh.lat.data(), owned})));
        file->write_fixed(
            output::distributed<std::int64_t>("mesh_cell", *faces, {mesh.mesh_cell.data(), owned}));
        const auto width = static_cast<std::size_t>(mesh.max_edges);
        std::vector<std::int32_t> corners(owned * width, -1);
        for (std::size_t cell = 0; cell < owned; ++cell)
            for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c)
                corners[cell * width + static_cast<std::size_t>(c - mesh.corner_offset[cell])] =
                    static_cast<std::int32_t>(mesh.corner_node[static_cast<std::size_t>(c)]);
        file->write_fixed(output::distributed<std::int32_t>("mesh_face_nodes", *faces, corners));
        write_bounds("mesh_face_lon_bounds", mesh, mesh.lon, mesh.corner_lon);
        write_bounds("mesh_face_lat_bounds", mesh, mesh.lat, mesh.corner_lat);
    }

    /// Corners of each cell; its last one fills up the row. Longitudes lie within 180° of the cell's centre,
    /// so that a cell across the date line is not drawn around the world.
    void write_bounds(const std::string& name, const voronoi::LocalMesh& mesh, std::span<const double> centre,
                      std::span<const double> corner) {
        const auto width = static_cast<std::size_t>(mesh.max_edges);
        std::vector<float> bounds;
        bounds.reserve(static_cast<std::size_t>(mesh.owned) * width);
        for (std::size_t cell = 0; cell < static_cast<std::size_t>(mesh.owned); ++cell) {
            const double middle = centre[cell] / base::degree;
            for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c) {
                const double place = corner[static_cast<std::size_t>(c)] / base::degree;
                const double round = place - middle > 180.0 ? -360.0 : place - middle < -180.0 ? 360.0 : 0.0;
                bounds.push_back(static_cast<float>(place + round));
            }
            bounds.resize((cell + 1) * width, bounds.back());
        }
        file->write_fixed(output::distributed<float>(name, *faces, bounds));
    }

    std::int64_t record_bytes(const Model& model) const override {
        return static_cast<std::int64_t>(fields.size() * sizeof(float)) * model.mesh().owned;
    }

    std::vector<output::Values> record(const Model& model) override {
        exec::for_each_cell(0, model.mesh().owned, [&](std::int32_t cell) {
            const CellSituation situation = model.situation(cell);
            for (std::size_t f = 0; f < fields.size(); ++f)
                values[f][static_cast<std::size_t>(cell)] = fields[f]->value(situation);
        });
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < fields.size(); ++f)
            record.push_back(output::distributed<float>(std::string(fields[f]->name), *faces, values[f]));
        return record;
    }
};

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

std::unique_ptr<Stream> make_map(MPI_Comm comm, const Case& run, const MapSection& section,
                                 const Model& model, const Extent& extent,
                                 const output::Decomposition& faces) {
    auto map = std::make_unique<Map>();
    const voronoi::LocalMesh& mesh = model.mesh();
    map->path = run.output.folder + "/" + section.file;
    map->every = section.every;
    map->schema = map_schema(run, section, mesh, extent);
    map->faces = &faces;
    map->nodes = std::make_unique<output::Decomposition>(comm, mesh.global_nodes, mesh.node_id);
    for (const std::string& name : section.fields) map->fields.push_back(&find_field(name));
    map->values.assign(map->fields.size(), std::vector<float>(static_cast<std::size_t>(mesh.owned)));
    return map;
}

}  // namespace groundswell::sea
