#include "groundswell/simulation/stations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/simulation/cf.hpp"

namespace groundswell::simulation {

std::vector<std::string> read_station_names(const Section& entry, std::size_t points) {
    std::vector<std::string> names =
        entry.words("names", {}, {}, {"a name for each point, of at most 40 bytes; if not given, P1, P2, …"});
    if (!names.empty() && names.size() != points)
        entry.refuse("names", fmt::format("as many different names as there are points: {}", points));
    for (const std::string& name : names)
        if (name.empty() || static_cast<std::int64_t>(name.size()) > station_name_length)
            entry.refuse("names", fmt::format("names of 1 to {} bytes, unlike \"{:.60}\": files hold no more",
                                              station_name_length, name));
    for (std::size_t i = names.size(); i < points; ++i) names.push_back(fmt::format("P{}", i + 1));
    return names;
}

void add_stations(output::Schema& schema, const TimeSection& time, std::size_t stations) {
    using output::Type;
    schema.dimensions = {{"time", 0, true},
                         {"station", static_cast<std::int64_t>(stations), false},
                         {"string40", station_name_length, false}};
    schema.variables = {
        time_variable(time),
        {"station", Type::int32, {"station"}, {{"long_name", "station number"}, {"units", "1"}}},
        {"station_name",
         Type::character,
         {"station", "string40"},
         {{"long_name", "station name"}, {"cf_role", "timeseries_id"}}},
    };
}

void write_stations(output::Dataset& file, std::span<const std::string> names) {
    std::vector<std::int32_t> number;
    std::vector<char> rows(names.size() * station_name_length, '\0');
    for (std::size_t s = 0; s < names.size(); ++s) {
        number.push_back(static_cast<std::int32_t>(s + 1));
        const std::size_t length = std::min<std::size_t>(names[s].size(), station_name_length);
        std::copy_n(names[s].begin(), length,
                    rows.begin() + static_cast<std::ptrdiff_t>(s) * station_name_length);
    }
    file.write_fixed(output::replicated<std::int32_t>("station", number));
    file.write_fixed(output::replicated<char>("station_name", rows));
}

}  // namespace groundswell::simulation
