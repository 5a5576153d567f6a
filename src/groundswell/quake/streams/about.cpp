#include "groundswell/quake/streams/about.hpp"

#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

std::vector<output::Attribute> global_attributes(const Case& run, const std::string& title,
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

void add_degrees(output::Schema& schema, const Case& run, const std::string& dimension,
                 const std::string& what) {
    if (!run.projection) return;
    schema.variables.push_back(simulation::coordinate("longitude", dimension, true, what));
    schema.variables.push_back(simulation::coordinate("latitude", dimension, false, what));
}

Degrees degrees_of(const tetra::Projection& projection, const std::vector<tetra::Point>& places) {
    Degrees all;
    for (const tetra::Point& place : places) {
        const auto degrees = projection.degrees({place[0], place[1]});
        all.longitude.push_back(degrees.longitude);
        all.latitude.push_back(degrees.latitude);
    }
    return all;
}

}  // namespace groundswell::quake
