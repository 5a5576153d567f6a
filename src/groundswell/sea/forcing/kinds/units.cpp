#include "groundswell/sea/forcing/kinds/units.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

namespace {

bool is_one_of(const std::string& unit, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, unit) != names.end();
}

}  // namespace

double speed_unit(std::string_view text) {
    std::string unit(text);
    std::ranges::transform(unit, unit.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::erase_if(unit, [](char c) { return c == ' ' || c == '.' || c == '_' || c == '*' || c == '^'; });
    if (is_one_of(unit, {"ms-1", "m/s", "m/sec", "msec-1", "meters/second", "metres/second", "meter/second",
                         "metre/second", "metersecond-1", "metresecond-1", "meterspersecond",
                         "metrespersecond", "meters/sec"}))
        return 1.0;
    if (is_one_of(unit, {"cms-1", "cm/s", "cm/sec", "centimeters/second", "centimetres/second"})) return 0.01;
    if (is_one_of(unit, {"knot", "knots", "kt", "kts"})) return base::knot;
    return 0.0;
}

double length_unit(std::string_view text) {
    std::string unit(text);
    std::ranges::transform(unit, unit.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (is_one_of(unit, {"m", "meter", "meters", "metre", "metres"})) return 1.0;
    if (is_one_of(unit, {"cm", "centimeter", "centimeters", "centimetre", "centimetres"})) return 0.01;
    return 0.0;
}

double share_unit(std::string_view text) {
    std::string unit(text);
    std::ranges::transform(unit, unit.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::erase(unit, ' ');
    if (is_one_of(unit, {"1", "(0-1)", "0-1", "fraction", "fraction(0-1)", "none", "unitless"})) return 1.0;
    if (is_one_of(unit, {"%", "percent", "percentage"})) return 0.01;
    return 0.0;
}

}  // namespace groundswell::sea
