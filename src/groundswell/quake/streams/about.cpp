#include "groundswell/quake/streams/about.hpp"

#include <array>
#include <utility>

#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

constexpr std::array axes{std::pair{"x", "east"}, std::pair{"y", "north"}, std::pair{"z", "up"}};

}  // namespace

std::vector<double> along(const std::vector<tetra::Point>& places, std::size_t axis) {
    std::vector<double> values;
    for (const tetra::Point& place : places) values.push_back(place[axis]);
    return values;
}

std::vector<output::Attribute> global_attributes(const ProjectedCase& run, const std::string& title,
                                                 const std::string& summary, const std::string& conventions) {
    auto attributes =
        simulation::global_attributes(run,
                                      {title, summary, "earthquake, seismic waves, ground motion",
                                       "ADER discontinuous Galerkin model of elastic waves"},
                                      conventions);
    if (run.projection) {
        attributes.emplace_back("projection", run.projection->name());
        attributes.emplace_back("projection_proj", run.projection->proj());
    }
    return attributes;
}

output::Schema series_schema(const ProjectedCase& run, std::span<const simulation::FieldNames> numbers,
                             const std::string& title, const std::string& summary) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const simulation::FieldNames& names : numbers)
        schema.variables.push_back(
            {std::string(names.name),
             output::Type::float64,
             {"time"},
             {{"long_name", std::string(names.long_name)}, {"units", std::string(names.unit)}}});
    schema.attributes = global_attributes(run, title, summary);
    return schema;
}

void add_degrees(output::Schema& schema, const ProjectedCase& run, const std::string& dimension,
                 const std::string& what) {
    if (!run.projection) return;
    schema.variables.push_back(simulation::coordinate("longitude", dimension, true, what));
    schema.variables.push_back(simulation::coordinate("latitude", dimension, false, what));
}

namespace {

struct Degrees {
    std::vector<double> longitude, latitude;
};

Degrees degrees_of(const tetra::Projection& projection, const std::vector<tetra::Point>& places) {
    Degrees all;
    for (const tetra::Point& place : places) {
        const auto degrees = projection.degrees({place[0], place[1]});
        all.longitude.push_back(degrees.longitude);
        all.latitude.push_back(degrees.latitude);
    }
    return all;
}

}  // namespace

void write_degrees(output::Dataset& file, const tetra::Projection& projection,
                   const output::Decomposition& rows, const std::vector<tetra::Point>& places,
                   const std::string& longitude, const std::string& latitude) {
    const Degrees degrees = degrees_of(projection, places);
    file.write_fixed(output::distributed<double>(longitude, rows, degrees.longitude));
    file.write_fixed(output::distributed<double>(latitude, rows, degrees.latitude));
}

void add_places(output::Schema& schema, const std::string& prefix, const std::string& dimension,
                const std::string& what) {
    for (const auto& [axis, direction] : axes)
        schema.variables.push_back({prefix + axis,
                                    output::Type::float64,
                                    {dimension},
                                    {{"long_name", what + ", " + direction}, {"units", "m"}}});
}

void write_places(output::Dataset& file, const std::string& prefix, const output::Decomposition& rows,
                  const std::vector<tetra::Point>& places) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        file.write_fixed(output::distributed<double>(prefix + axes[axis].first, rows, along(places, axis)));
}

void write_receivers(output::Dataset& file, const ProjectedCase& run, const std::vector<std::string>& names,
                     const std::vector<tetra::Point>& at) {
    simulation::write_stations(file, names);
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        file.write_fixed(output::replicated<double>(axes[axis].first, along(at, axis)));
    if (!run.projection) return;
    const Degrees degrees = degrees_of(*run.projection, at);
    file.write_fixed(output::replicated<double>("longitude", degrees.longitude));
    file.write_fixed(output::replicated<double>("latitude", degrees.latitude));
}

void place_on_mesh(output::Variable& variable, const std::string& location) {
    const std::string centre = "mesh_" + location + "_";
    variable.attributes.emplace_back("mesh", "mesh");
    variable.attributes.emplace_back("location", location);
    variable.attributes.emplace_back(
        "coordinates", centre + "x " + centre + "y" + (location == "volume" ? " " + centre + "z" : ""));
}

}  // namespace groundswell::quake
