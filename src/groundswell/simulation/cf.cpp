#include "groundswell/simulation/cf.hpp"

#include <fmt/format.h>

#include <chrono>

#include "groundswell/base/time.hpp"
#include "groundswell/base/version.hpp"
#include "groundswell/simulation/build_report.hpp"

namespace groundswell::simulation {

using output::Attribute;
using output::Type;
using output::Variable;

namespace {

std::string now_text() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return base::format_instant(base::Instant{} +
                                base::seconds(std::chrono::duration_cast<std::chrono::seconds>(now).count()));
}

}  // namespace

Variable time_variable(const TimeSection& time) {
    if (!time.has_date)
        return {"time",
                Type::float64,
                {"time"},
                {{"long_name", "time since the start of the simulation"}, {"units", "s"}, {"axis", "T"}}};
    return {"time",
            Type::float64,
            {"time"},
            {{"standard_name", "time"},
             {"long_name", "time"},
             {"units", time_units},
             {"calendar", "proleptic_gregorian"},
             {"axis", "T"}}};
}

Variable coordinate(const std::string& name, const std::string& dimension, bool longitude,
                    const std::string& what) {
    return {name,
            Type::float64,
            {dimension},
            {{"standard_name", longitude ? "longitude" : "latitude"},
             {"long_name", fmt::format("{} of {}", longitude ? "longitude" : "latitude", what)},
             {"units", longitude ? "degrees_east" : "degrees_north"}}};
}

Variable field_variable(const FieldNames& field, std::vector<std::string> dimensions,
                        const std::string& statistic) {
    Variable variable{std::string(field.name), Type::float32, std::move(dimensions), {}};
    if (!field.standard_name.empty())
        variable.attributes.emplace_back("standard_name", std::string(field.standard_name));
    variable.attributes.emplace_back("long_name", std::string(field.long_name));
    variable.attributes.emplace_back("units", std::string(field.unit));
    variable.attributes.emplace_back("_FillValue", fill_value);
    variable.attributes.emplace_back("cell_methods", "time: " + statistic);
    return variable;
}

void add_time_bounds(output::Schema& schema) {
    for (Variable& variable : schema.variables)
        if (variable.name == "time") variable.attributes.emplace_back("bounds", time_bounds);
    schema.dimensions.push_back({"bounds", 2, false});
    schema.variables.push_back({time_bounds, Type::float64, {"time", "bounds"}, {}});
}

std::vector<Attribute> global_attributes(const Case& run, const About& about,
                                         const std::string& conventions) {
    const std::string title = run.title.empty() ? about.title : run.title;
    std::vector<Attribute> attributes{
        {"Conventions", conventions},
        {"title", title},
        {"summary", about.summary + ": " + title},
        {"keywords", about.keywords},
        {"source", "Groundswell " + base::version() + ", " + about.source},
        {"history", now_text() + ": groundswell run " + run.file},
        {"date_created", now_text()},
        {"groundswell_version", base::version()},
        {build_attribute, build_text()},
        {"groundswell_case", run.text},
    };
    if (run.time.has_date) {
        attributes.emplace_back("time_coverage_start", base::format_instant(run.time.start));
        attributes.emplace_back("time_coverage_end", base::format_instant(run.time.end));
    }
    return attributes;
}

}  // namespace groundswell::simulation
