#include "groundswell/gridded/axis/role.hpp"

#include "groundswell/gridded/words.hpp"

namespace groundswell::gridded {

namespace {

using netcdf::Reader;

bool is_degrees(const std::string& units, char side, const char* word) {
    return units.starts_with("degree") && units != "degree" &&
           (units.back() == side || units.ends_with(word));
}

bool is_vertical(const std::string& name, const std::string& standard, const std::string& units) {
    // Some add a number: "height_2", "lev_3".
    const std::string plain = name.substr(0, name.find_last_not_of("0123456789_") + 1);
    return is_one_of(units, {"pa", "hpa", "kpa", "mb", "mbar", "bar", "dbar", "millibar", "millibars"}) ||
           is_one_of(standard, {"height", "altitude", "air_pressure", "depth", "model_level_number"}) ||
           standard.starts_with("atmosphere_") || standard.starts_with("height_above") ||
           is_one_of(plain,
                     {"level", "lev", "levels", "plev", "pressure_level", "pressure", "isobaricinhpa",
                      "isobaric", "height", "heightaboveground", "height_above_ground", "altitude",
                      "elevation", "z", "model_level", "model_level_number", "hybrid", "sigma", "depth"});
}

}  // namespace

bool is_north(const std::string& units) {
    return is_degrees(units, 'n', "north");
}

bool is_east(const std::string& units) {
    return is_degrees(units, 'e', "east");
}

Role role_of(const Reader& file, const Reader::Variable& coordinate) {
    const std::string units = lower(file.text(coordinate, "units"));
    const std::string standard = lower(file.text(coordinate, "standard_name"));
    const std::string axis = lower(file.text(coordinate, "axis"));
    const std::string name = lower(own_name(coordinate.name));
    if (standard == "forecast_reference_time") return Role::start_of_forecast;
    if (units.find(" since ") != std::string::npos || standard == "time") return Role::time;
    if (standard == "grid_latitude" || standard == "projection_y_coordinate" || name == "rlat")
        return Role::y;
    if (standard == "grid_longitude" || standard == "projection_x_coordinate" || name == "rlon")
        return Role::x;
    if (is_north(units)) return Role::latitude;
    if (is_east(units)) return Role::longitude;
    if (standard == "latitude" || name.starts_with("lat")) return Role::latitude;
    if (standard == "longitude" || name.starts_with("lon")) return Role::longitude;
    if (standard == "realization" || role_of_name(name) == Role::member) return Role::member;
    if (name == "expver") return Role::version;
    if (axis == "z" || file.has(coordinate, "positive") || is_vertical(name, standard, units))
        return Role::level;
    if (axis == "y" || is_one_of(name, {"y", "yc", "northing"})) return Role::y;
    if (axis == "x" || is_one_of(name, {"x", "xc", "easting"})) return Role::x;
    if (axis == "t" || name == "time") return Role::time;
    return Role::other;
}

Role role_of_name(const std::string& dimension) {
    const std::string name = lower(own_name(dimension));
    if (is_one_of(name, {"number", "member", "ensemble", "realization", "ens"})) return Role::member;
    return name == "expver" ? Role::version : Role::other;
}

}  // namespace groundswell::gridded
