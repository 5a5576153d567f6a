#include "groundswell/sea/output_schema.hpp"

#include <utility>

#include "groundswell/sea/fields.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::sea {

namespace {

using output::Attribute;
using output::Schema;
using output::Type;
using output::Variable;
using simulation::coordinate;
using simulation::time_variable;

std::vector<Attribute> global_attributes(const Case& run, const Extent& extent,
                                         const std::string& conventions, const std::string& feature) {
    std::vector<Attribute> attributes = simulation::global_attributes(
        run,
        {"Groundswell wave simulation",
         "Sea state simulated by the Groundswell spectral wave model on a Voronoi mesh",
         "ocean waves, significant wave height, wave spectrum, unstructured mesh",
         "third-generation spectral wave model"},
        conventions);
    const std::vector<Attribute> place{
        {"geospatial_lon_min", extent.west},      {"geospatial_lon_max", extent.east},
        {"geospatial_lon_units", "degrees_east"}, {"geospatial_lat_min", extent.south},
        {"geospatial_lat_max", extent.north},     {"geospatial_lat_units", "degrees_north"},
    };
    attributes.insert(attributes.end(), place.begin(), place.end());
    if (!feature.empty()) attributes.emplace_back("featureType", feature);
    return attributes;
}

// Name and unit of a field, shared by maps and series.
Variable field_variable(const std::string& name, std::vector<std::string> dimensions) {
    const Field& field = find_field(name);
    return simulation::field_variable({field.name, field.standard_name, field.long_name, field.unit},
                                      std::move(dimensions));
}

Variable with_bounds(Variable coordinate) {
    coordinate.attributes.emplace_back("bounds", coordinate.name + "_bounds");
    return coordinate;
}

void add_stations(Schema& schema, const Case& run, const PointsSection& points) {
    simulation::add_stations(schema, run.time, points.at.size());
    const std::vector<Variable> more = {
        coordinate("longitude", "station", true, "the nearest sea cell's centre"),
        coordinate("latitude", "station", false, "the nearest sea cell's centre"),
        {"station_distance",
         Type::float64,
         {"station"},
         {{"long_name", "distance of the cell's centre from the point asked for"}, {"units", "m"}}},
        {"mesh_cell",
         Type::int64,
         {"station"},
         {{"long_name", "index of the cell in the mesh file, from 1"}, {"units", "1"}}},
    };
    schema.variables.insert(schema.variables.end(), more.begin(), more.end());
}

}  // namespace

Schema map_schema(const Case& run, const simulation::MapSection& map, const voronoi::LocalMesh& mesh,
                  const Extent& extent) {
    Schema schema;
    schema.dimensions = {{"time", 0, true},
                         {"nFace", mesh.global_cells, false},
                         {"nNode", mesh.global_nodes, false},
                         {"nMaxFaceNodes", mesh.max_edges, false}};
    schema.variables = {
        {"mesh",
         Type::int32,
         {},
         {{"cf_role", "mesh_topology"},
          {"long_name", "topology of the Voronoi mesh"},
          {"topology_dimension", std::int32_t{2}},
          {"node_coordinates", "mesh_node_lon mesh_node_lat"},
          {"face_coordinates", "mesh_face_lon mesh_face_lat"},
          {"face_node_connectivity", "mesh_face_nodes"},
          {"face_dimension", "nFace"}}},
        coordinate("mesh_node_lon", "nNode", true, "mesh nodes"),
        coordinate("mesh_node_lat", "nNode", false, "mesh nodes"),
        with_bounds(coordinate("mesh_face_lon", "nFace", true, "cell centres")),
        with_bounds(coordinate("mesh_face_lat", "nFace", false, "cell centres")),
        // The corners once more, as CF wants them: for readers that do not know UGRID, or of it only
        // triangles and quadrilaterals (VTK, and so ParaView). To a metre, for drawing; nodes have all
        // digits.
        {"mesh_face_lon_bounds", Type::float32, {"nFace", "nMaxFaceNodes"}, {}},
        {"mesh_face_lat_bounds", Type::float32, {"nFace", "nMaxFaceNodes"}, {}},
        {"mesh_face_nodes",
         Type::int32,
         {"nFace", "nMaxFaceNodes"},
         {{"cf_role", "face_node_connectivity"},
          {"long_name", "corner nodes of every cell, anticlockwise"},
          {"start_index", std::int32_t{0}},
          {"_FillValue", std::int32_t{-1}}}},
        {"mesh_cell",
         Type::int64,
         {"nFace"},
         {{"long_name", "index of the cell in the mesh file, from 1"},
          {"units", "1"},
          {"mesh", "mesh"},
          {"location", "face"},
          {"coordinates", "mesh_face_lon mesh_face_lat"}}},
        time_variable(run.time),
    };
    for (const std::string& name : map.fields) {
        Variable variable = field_variable(name, {"time", "nFace"});
        variable.attributes.emplace_back("mesh", "mesh");
        variable.attributes.emplace_back("location", "face");
        variable.attributes.emplace_back("coordinates", "mesh_face_lon mesh_face_lat");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes = global_attributes(run, extent, "CF-1.11 UGRID-1.0 ACDD-1.3", "");
    return schema;
}

Schema series_schema(const Case& run, const PointsSection& points, const Extent& extent) {
    Schema schema;
    add_stations(schema, run, points);
    for (const std::string& name : points.fields) {
        Variable variable = field_variable(name, {"time", "station"});
        variable.attributes.emplace_back("coordinates", "longitude latitude station_name");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes = global_attributes(run, extent, "CF-1.11 ACDD-1.3", "timeSeries");
    return schema;
}

Schema spectra_schema(const Case& run, const PointsSection& points, const SpectralGrid& grid,
                      const Extent& extent) {
    Schema schema;
    add_stations(schema, run, points);
    schema.dimensions.push_back({"frequency", grid.frequencies, false});
    schema.dimensions.push_back({"direction", grid.directions, false});
    const std::string coordinates = "longitude latitude station_name";
    const std::vector<Variable> more = {
        {"frequency",
         Type::float64,
         {"frequency"},
         {{"standard_name", "wave_frequency"}, {"long_name", "frequency"}, {"units", "s-1"}}},
        {"direction",
         Type::float64,
         {"direction"},
         {{"standard_name", "sea_surface_wave_to_direction"},
          {"long_name", "bearing that waves go to, clockwise from north"},
          {"units", "degree"}}},
        {"efth",
         Type::float32,
         {"time", "station", "frequency", "direction"},
         {{"standard_name", "sea_surface_wave_directional_variance_spectral_density"},
          {"long_name", "sea surface wave directional variance spectral density"},
          {"units", "m2 s rad-1"},
          {"cell_methods", "time: point"},
          {"coordinates", coordinates}}},
        {"dpt",
         Type::float32,
         {"time", "station"},
         {{"standard_name", "sea_floor_depth_below_geoid"},
          {"long_name", "water depth"},
          {"units", "m"},
          {"cell_methods", "time: point"},
          {"coordinates", coordinates}}},
        {"wnd",
         Type::float32,
         {"time", "station"},
         {{"standard_name", "wind_speed"},
          {"long_name", "wind speed at 10 m"},
          {"units", "m s-1"},
          {"cell_methods", "time: point"},
          {"coordinates", coordinates}}},
        {"wnddir",
         Type::float32,
         {"time", "station"},
         {{"standard_name", "wind_from_direction"},
          {"long_name", "wind bearing, coming from, clockwise from north"},
          {"units", "degree"},
          {"cell_methods", "time: point"},
          {"coordinates", coordinates}}},
    };
    schema.variables.insert(schema.variables.end(), more.begin(), more.end());
    schema.attributes = global_attributes(run, extent, "CF-1.11 ACDD-1.3", "timeSeries");
    return schema;
}

}  // namespace groundswell::sea
