#include "groundswell/sea/wind/wind_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

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

gridded::Quantity wind_component(std::string standard_name, std::vector<std::string> along_grid_names,
                                 std::vector<std::string> common_names, const std::string& explicit_name) {
    gridded::Quantity quantity;
    quantity.standard_name = std::move(standard_name);
    quantity.along_grid_names = std::move(along_grid_names);
    quantity.common_names = std::move(common_names);
    quantity.explicit_name = explicit_name;
    quantity.noun = "a wind";
    quantity.unit = "m/s";
    quantity.factor = speed_unit;
    quantity.units_expected = "m s-1, m/s or knots";
    quantity.section = "wind[]";
    // -99 and -99.9 are marks of missing values. The strongest wind on record (one minute's mean, hurricane Patricia 2015)
    // was 95 m/s.
    quantity.largest = 98.0;
    quantity.largest_because = ", which no storm has reached: such numbers are marks of missing values";
    quantity.height = 10.0;
    return quantity;
}

}  // namespace

WindFile::WindFile(const WindFileOptions& options, std::span<const double> longitude,
                   std::span<const double> latitude, base::Instant start, base::Instant end)
    : check_mebibytes_(options.check_mebibytes) {
    // Names in files of ECMWF, NCEP, CFSR/CFSv2, MERRA, NAVGEM, CMIP and Ferret.
    const gridded::Quantity components[2] = {
        wind_component("eastward_wind", {"x_wind", "grid_eastward_wind"},
                       {"u10", "u10m", "10u", "u_10m", "ugrd_10maboveground", "ugrd10m", "uwnd", "uas",
                        "wndewd", "uwind"},
                       options.eastward),
        wind_component("northward_wind", {"y_wind", "grid_northward_wind"},
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
    const gridded::GridSeries::TimeRules rules{options.climatology, options.longest_step};
    eastward_.emplace(components[0], sources[0], rules, longitude, latitude, start, end);
    northward_.emplace(components[1], sources[1], rules, longitude, latitude, start, end);
    base::require(eastward_->along_grid() == northward_->along_grid() &&
                      (!eastward_->along_grid() || eastward_->grid() == northward_->grid()),
                  options.files.front(), "components", "along different axes",
                  "both components towards true east and north, or both along the axes of one grid");
    if (!eastward_->along_grid()) return;
    for (std::size_t i = 0; i < longitude.size(); ++i) {
        const double turn = eastward_->grid().mapping()->turn(longitude[i], latitude[i]);
        turns_.push_back({std::cos(turn), std::sin(turn)});
    }
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
    for (std::size_t i = 0; i < turns_.size(); ++i) {
        const auto [cosine, sine] = turns_[i];
        const double x = eastward[i], y = northward[i];
        eastward[i] = cosine * x + sine * y;
        northward[i] = cosine * y - sine * x;
    }
}

}  // namespace groundswell::sea
