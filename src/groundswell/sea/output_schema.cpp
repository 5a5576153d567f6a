#include "groundswell/sea/output_schema.hpp"

#include <algorithm>

#include "groundswell/base/constants.hpp"
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
Variable field_variable(const std::string& name, std::vector<std::string> dimensions,
                        const std::string& statistic = "point") {
    const Field& field = find_field(name);
    return simulation::field_variable({field.name, field.standard_name, field.long_name, field.unit},
                                      std::move(dimensions), statistic);
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
        Variable variable = field_variable(name, {"time", "nFace"}, map.statistic);
        variable.attributes.emplace_back("mesh", "mesh");
        variable.attributes.emplace_back("location", "face");
        variable.attributes.emplace_back("coordinates", "mesh_face_lon mesh_face_lat");
        schema.variables.push_back(std::move(variable));
    }
    if (map.statistic != "point") simulation::add_time_bounds(schema);
    schema.attributes = global_attributes(run, extent, "CF-1.11 UGRID-1.0 ACDD-1.3", "");
    return schema;
}

std::pair<std::string, std::string> grid_axes(const GridSection& section) {
    return section.grid.pole ? std::pair<std::string, std::string>("rlat", "rlon")
                             : std::pair<std::string, std::string>("latitude", "longitude");
}

Schema grid_schema(const Case& run, const GridSection& section, const std::vector<std::string>& methods) {
    const voronoi::BoxGrid& grid = section.grid;
    const auto [rows, columns] = grid_axes(section);
    Schema schema;
    schema.dimensions = {
        {"time", 0, true}, {rows, grid.rows, false}, {columns, grid.columns, false}, {"bounds", 2, false}};
    const auto add_axis = [&](const std::string& name, const std::string& of_rotated, const char* axis,
                              const char* unit) {
        schema.variables.push_back({name,
                                    Type::float64,
                                    {name},
                                    {{"standard_name", grid.pole ? of_rotated : name},
                                     {"long_name", "centres of boxes"},
                                     {"units", grid.pole ? "degrees" : unit},
                                     {"axis", axis},
                                     {"bounds", name + "_bounds"}}});
        schema.variables.push_back({name + "_bounds", Type::float64, {name, "bounds"}, {}});
    };
    add_axis(rows, "grid_latitude", "Y", "degrees_north");
    add_axis(columns, "grid_longitude", "X", "degrees_east");
    Variable mapping{"crs", Type::int32, {}, {{"earth_radius", base::earth_radius}}};
    mapping.attributes.emplace_back("grid_mapping_name",
                                    grid.pole ? "rotated_latitude_longitude" : "latitude_longitude");
    if (grid.pole) {
        mapping.attributes.emplace_back("grid_north_pole_longitude", grid.pole->first);
        mapping.attributes.emplace_back("grid_north_pole_latitude", grid.pole->second);
        mapping.attributes.emplace_back("north_pole_grid_longitude", 0.0);
        for (const bool longitude : {true, false}) {
            schema.variables.push_back(
                coordinate(longitude ? "longitude" : "latitude", rows, longitude, "centres of boxes"));
            schema.variables.back().dimensions.push_back(columns);
        }
    }
    schema.variables.push_back(mapping);
    const auto place = [&grid](Variable variable) {
        variable.attributes.emplace_back("grid_mapping", "crs");
        if (grid.pole) variable.attributes.emplace_back("coordinates", "latitude longitude");
        return variable;
    };
    schema.variables.push_back(place({"sea_area_fraction",
                                      Type::float64,
                                      {rows, columns},
                                      {{"standard_name", "sea_area_fraction"},
                                       {"long_name", "part of the box that cells of the sea cover"},
                                       {"units", "1"}}}));
    schema.variables.push_back(time_variable(run.time));
    for (std::size_t f = 0; f < section.fields.size(); ++f)
        schema.variables.push_back(
            place(field_variable(section.fields[f], {"time", rows, columns}, "point " + methods[f])));
    const Extent extent = grid.pole ? Extent{-180.0, 180.0, -90.0, 90.0}
                                    : Extent{grid.west, grid.west + grid.step_x * grid.columns, grid.south,
                                             grid.south + grid.step_y * grid.rows};
    schema.attributes = global_attributes(run, extent, "CF-1.11 ACDD-1.3", "");
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

std::string budget_name(std::string_view term) {
    return "budget_" + std::string(term);
}

Schema spectra_schema(const Case& run, const PointsSection& points, const SpectralGrid& grid,
                      const Extent& extent) {
    Schema schema;
    add_stations(schema, run, points);
    const auto has = [&points](const char* name) {
        return std::ranges::find(points.spectra, name) != points.spectra.end();
    };
    const auto add = [&schema](const simulation::FieldNames& names, std::vector<std::string> more) {
        more.insert(more.begin(), {"time", "station"});
        schema.variables.push_back(simulation::field_variable(names, std::move(more)));
        schema.variables.back().attributes.emplace_back("coordinates", "longitude latitude station_name");
    };
    schema.dimensions.push_back({"frequency", grid.frequencies, false});
    schema.variables.push_back(
        {"frequency",
         Type::float64,
         {"frequency"},
         {{"standard_name", "wave_frequency"}, {"long_name", "frequency"}, {"units", "s-1"}}});
    if (has("efth")) {
        schema.dimensions.push_back({"direction", grid.directions, false});
        schema.variables.push_back({"direction",
                                    Type::float64,
                                    {"direction"},
                                    {{"standard_name", "sea_surface_wave_to_direction"},
                                     {"long_name", "bearing that waves go to, clockwise from north"},
                                     {"units", "degree"}}});
        add({"efth", "sea_surface_wave_directional_variance_spectral_density",
             "sea surface wave directional variance spectral density", "m2 s rad-1"},
            {"frequency", "direction"});
    }
    if (has("ef"))
        add({"ef", "sea_surface_wave_variance_spectral_density", "sea surface wave variance spectral density",
             "m2 s"},
            {"frequency"});
    if (has("th1m"))
        add({"th1m", "sea_surface_wave_from_direction",
             "mean bearing of the waves of a frequency, coming from, clockwise from north", "degree"},
            {"frequency"});
    if (has("sth1m"))
        add({"sth1m", "sea_surface_wave_directional_spread",
             "one-sided spread of the bearings of a frequency", "degree"},
            {"frequency"});
    if (has("stokes")) {
        schema.dimensions.push_back({"depth", static_cast<std::int64_t>(points.depths.size()), false});
        schema.variables.push_back({"depth",
                                    Type::float64,
                                    {"depth"},
                                    {{"standard_name", "depth"},
                                     {"long_name", "depth below the surface"},
                                     {"units", "m"},
                                     {"positive", "down"}}});
        add({"ustokes", "sea_surface_wave_stokes_drift_eastward_velocity", "eastward Stokes drift", "m s-1"},
            {"depth"});
        add({"vstokes", "sea_surface_wave_stokes_drift_northward_velocity", "northward Stokes drift",
             "m s-1"},
            {"depth"});
    }
    if (has("budgets"))
        for (const std::string& term : run.physics.terms)
            add({budget_name(term), "", "change of the variance spectral density by the term " + term, "m2"},
                {"frequency"});
    add({"dpt", "sea_floor_depth_below_geoid", "water depth", "m"}, {});
    add({"wnd", "wind_speed", "wind speed at 10 m", "m s-1"}, {});
    add({"wnddir", "wind_from_direction", "wind bearing, coming from, clockwise from north", "degree"}, {});
    schema.attributes = global_attributes(run, extent, "CF-1.11 ACDD-1.3", "timeSeries");
    return schema;
}

}  // namespace groundswell::sea
