#include "groundswell/gridded/units.hpp"

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/words.hpp"

namespace groundswell::gridded {

double length_unit(std::string_view units) {
    const std::string unit = plain_word(units);
    if (is_one_of(unit, {"m", "meter", "meters", "metre", "metres"})) return 1.0;
    if (is_one_of(unit, {"km", "kilometer", "kilometers", "kilometre", "kilometres"})) return 1000.0;
    if (is_one_of(unit, {"cm", "centimeter", "centimeters", "centimetre", "centimetres"})) return 0.01;
    return 0.0;
}

double speed_unit(std::string_view units) {
    const std::string unit = plain_word(units);
    if (is_one_of(unit, {"ms-1", "m/s", "m/sec", "msec-1", "meters/second", "metres/second", "meter/second",
                         "metre/second", "metersecond-1", "metresecond-1", "meterspersecond",
                         "metrespersecond", "meters/sec"}))
        return 1.0;
    if (is_one_of(unit, {"kms-1", "km/s"})) return 1000.0;
    if (is_one_of(unit, {"cms-1", "cm/s", "cm/sec", "centimeters/second", "centimetres/second"})) return 0.01;
    if (is_one_of(unit, {"knot", "knots", "kt", "kts"})) return base::knot;
    return 0.0;
}

double density_unit(std::string_view units) {
    const std::string unit = plain_word(units);
    if (is_one_of(unit, {"kgm-3", "kg/m3"})) return 1.0;
    return is_one_of(unit, {"gcm-3", "g/cm3"}) ? 1000.0 : 0.0;
}

double pressure_unit(std::string_view units) {
    const std::string unit = plain_word(units);
    return unit == "pa" ? 1.0 : unit == "mpa" ? 1e6 : unit == "gpa" ? 1e9 : 0.0;
}

double share_unit(std::string_view units) {
    const std::string unit = plain_word(units);
    if (is_one_of(unit, {"1", "(0-1)", "0-1", "fraction", "fraction(0-1)", "none", "unitless"})) return 1.0;
    return is_one_of(unit, {"%", "percent", "percentage"}) ? 0.01 : 0.0;
}

double unit_of(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const UnitKind& kind) {
    const std::string units = file.text(variable, "units");
    const double found = kind.factor(units);
    base::require(found >= 1.0, file.path(), variable.name + ":units", units.empty() ? "(none)" : units,
                  kind.expected);
    return found;
}

}  // namespace groundswell::gridded
