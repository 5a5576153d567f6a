#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "groundswell/output/schema.hpp"
#include "groundswell/simulation/case.hpp"

/// Shared parts of the output files of all models: names and attributes after CF-1.11 and ACDD-1.3.
namespace groundswell::simulation {

/// Value of an output field where it has no meaning: netCDF's own default fill value of type float.
inline constexpr float fill_value = 9.9692099683868690e+36f;

/// Units of every time coordinate of a simulation with dates.
inline constexpr const char* time_units = "seconds since 1970-01-01 00:00:00";

/// The record coordinate: seconds since 1970, or since the start for a simulation without dates.
output::Variable time_variable(const TimeSection& time);

/// A longitude or latitude in degrees along a dimension. `what`: of what, for people.
output::Variable coordinate(const std::string& name, const std::string& dimension, bool longitude,
                            const std::string& what);

/// Name and unit of an output field; standard_name is empty where CF has none.
struct FieldNames {
    std::string_view name, standard_name, long_name, unit;
};
/// Its variable, of type float, which holds fill_value where the field has no meaning. `statistic`: of the time before a record, in CF's
/// words for cell_methods.
output::Variable field_variable(const FieldNames& field, std::vector<std::string> dimensions,
                                const std::string& statistic = "point");

/// Name of the variable (time, bounds) with the beginning and the end of what a record is of.
inline constexpr const char* time_bounds = "time_bounds";
/// Adds it to a schema whose records are of intervals.
void add_time_bounds(output::Schema& schema);

/// Description of the contents of a model's files.
struct About {
    std::string title;     ///< where the case has none
    std::string summary;   ///< followed by the title
    std::string keywords;  ///< separated by commas
    std::string source;    ///< kind of model: "third-generation spectral wave model"
};
/// Global attributes. `conventions`: "CF-1.11 ACDD-1.3" and more.
std::vector<output::Attribute> global_attributes(const Case& run, const About& about,
                                                 const std::string& conventions);

}  // namespace groundswell::simulation
