#include "groundswell/sea/wind/wind_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

/// Metres per second in one unit of a speed; 0 for anything else.
double speed_unit(std::string_view text) {
    std::string unit(text);
    std::ranges::transform(unit, unit.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::erase_if(unit, [](char c) { return c == ' ' || c == '.' || c == '_' || c == '*' || c == '^'; });
    for (const char* name :
         {"ms-1", "m/s", "m/sec", "msec-1", "meters/second", "metres/second", "meter/second", "metre/second",
          "metersecond-1", "metresecond-1", "meterspersecond", "metrespersecond", "meters/sec"})
        if (unit == name) return 1.0;
    for (const char* name : {"knot", "knots", "kt", "kts"})
        if (unit == name) return base::knot;
    return 0.0;
}

gridded::Quantity wind_component(std::string standard_name, std::vector<std::string> common_names,
                                 const std::string& explicit_name) {
    gridded::Quantity quantity;
    quantity.standard_name = std::move(standard_name);
    quantity.common_names = std::move(common_names);
    quantity.explicit_name = explicit_name;
    quantity.noun = "a wind";
    quantity.unit = "m/s";
    quantity.factor = speed_unit;
    quantity.units_expected = "m s-1, m/s or knots";
    quantity.units_key = "wind[].units";
    quantity.time_units_key = "wind[].time_units";
    quantity.largest = 150.0;
    return quantity;
}

}  // namespace

WindFile::WindFile(const WindFileOptions& options, std::span<const double> longitude,
                   std::span<const double> latitude, base::Instant start, base::Instant end)
    : check_mebibytes_(options.check_mebibytes) {
    // Names in files of ECMWF, NCEP, CFSR/CFSv2, MERRA, NAVGEM, CMIP and Ferret.
    const gridded::Quantity components[2] = {
        wind_component("eastward_wind",
                       {"u10", "u10m", "10u", "u_10m", "ugrd_10maboveground", "ugrd10m", "uwnd", "uas",
                        "wndewd", "uwind"},
                       options.eastward),
        wind_component("northward_wind",
                       {"v10", "v10m", "10v", "v_10m", "vgrd_10maboveground", "vgrd10m", "vwnd", "vas",
                        "wndnwd", "vwind"},
                       options.northward)};
    std::vector<gridded::GridSeries::Source> sources[2];
    for (const std::string& path : options.files) {
        const netcdf::Reader file(path);
        bool found = false;
        for (int i = 0; i < 2; ++i) {
            const auto* variable = gridded::find_variable(file, components[i]);
            if (variable == nullptr) continue;
            sources[i].push_back({path, variable->name, options.units});
            found = true;
        }
        if (found) continue;
        std::vector<std::string> names;
        for (const auto& variable : file.variables()) names.push_back(variable.name);
        base::refuse(path, "variables", fmt::format("{}", fmt::join(names, ", ")),
                     "a wind: standard_name eastward_wind and northward_wind, or names such as u10 and v10");
    }
    for (int i = 0; i < 2; ++i)
        base::require(!sources[i].empty(), options.files.front(), components[i].standard_name,
                      components[i].explicit_name.empty() ? "(none)" : components[i].explicit_name,
                      "a variable of this name or standard_name in one of the files");
    eastward_.emplace(components[0], sources[0], options.climatology, longitude, latitude, start, end);
    northward_.emplace(components[1], sources[1], options.climatology, longitude, latitude, start, end);
}

void WindFile::open(MPI_Comm group, base::Instant start) {
    eastward_->open(group, check_mebibytes_, start);
    northward_->open(group, check_mebibytes_, start);
}

parallel::ReadCost WindFile::cost() const {
    parallel::ReadCost cost = eastward_->cost();
    return cost += northward_->cost();
}

void WindFile::apply(base::Instant time, std::span<double> eastward, std::span<double> northward) {
    eastward_->at(time, eastward);
    northward_->at(time, northward);
}

}  // namespace groundswell::sea
