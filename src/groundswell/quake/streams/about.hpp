#pragma once

#include <string>
#include <vector>

#include "groundswell/output/dataset.hpp"
#include "groundswell/quake/case.hpp"

/// What the output files of the earthquake model have in common.
namespace groundswell::quake {

/// Global attributes; with the projection, if the case has one.
std::vector<output::Attribute> global_attributes(const Case& run, const std::string& title,
                                                 const std::string& summary,
                                                 const std::string& conventions = "CF-1.11 ACDD-1.3");

/// Adds longitude and latitude along a dimension where the case has a projection. `what`: of what, for people.
void add_degrees(output::Schema& schema, const Case& run, const std::string& dimension,
                 const std::string& what);
/// The values of these: of places in m.
struct Degrees {
    std::vector<double> longitude, latitude;
};
Degrees degrees_of(const tetra::Projection& projection, const std::vector<tetra::Point>& places);

}  // namespace groundswell::quake
