#pragma once

#include <span>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/streams/sections.hpp"
#include "groundswell/simulation/cf.hpp"

/// Attributes that all output files of the earthquake model share.
namespace groundswell::quake {

/// Global attributes; with the projection, if the case has one.
std::vector<output::Attribute> global_attributes(const ProjectedCase& run, const std::string& title,
                                                 const std::string& summary,
                                                 const std::string& conventions = "CF-1.11 ACDD-1.3");

/// A file of numbers in time, of type double.
output::Schema series_schema(const ProjectedCase& run, std::span<const simulation::FieldNames> numbers,
                             const std::string& title, const std::string& summary);

/// Adds longitude and latitude along a dimension where the case has a projection. `what`: of what, for people.
void add_degrees(output::Schema& schema, const ProjectedCase& run, const std::string& dimension,
                 const std::string& what);
/// Writes them: of places in m. Collective.
void write_degrees(output::Dataset& file, const tetra::Projection& projection,
                   const output::Decomposition& rows, const std::vector<tetra::Point>& places,
                   const std::string& longitude = "longitude", const std::string& latitude = "latitude");

/// Adds PREFIXx, PREFIXy and PREFIXz along a dimension, m. `what`: of what, for people.
void add_places(output::Schema& schema, const std::string& prefix, const std::string& dimension,
                const std::string& what);
/// Writes them. Collective.
void write_places(output::Dataset& file, const std::string& prefix, const output::Decomposition& rows,
                  const std::vector<tetra::Point>& places);

/// The coordinates of places along an axis.
std::vector<double> along(const std::vector<tetra::Point>& places, std::size_t axis);

/// Writes names and places of receivers, which all ranks know, with degrees where the case has a projection. Collective.
void write_receivers(output::Dataset& file, const ProjectedCase& run, const std::vector<std::string>& names,
                     const std::vector<tetra::Point>& at);

/// Adds where the values of a field stand on a mesh after the UGRID conventions. `location`: face or volume.
void place_on_mesh(output::Variable& variable, const std::string& location);

}  // namespace groundswell::quake
