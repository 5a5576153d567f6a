#include "groundswell/quake/grid/units.hpp"

#include <cctype>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

const UnitKind density_units{{{"kgm-3", 1.0}, {"kg/m3", 1.0}, {"gcm-3", 1000.0}, {"g/cm3", 1000.0}},
                             "kg m-3 or g cm-3"};
const UnitKind speed_units{{{"ms-1", 1.0}, {"m/s", 1.0}, {"kms-1", 1000.0}, {"km/s", 1000.0}},
                           "m s-1 or km s-1"};
const UnitKind pressure_units{{{"pa", 1.0}, {"mpa", 1e6}, {"gpa", 1e9}}, "Pa, MPa or GPa"};

std::string plain_word(std::string_view text) {
    std::string word;
    for (const char c : text)
        if (std::string_view(" ._*^").find(c) == std::string_view::npos)
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
}

double unit_of(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const UnitKind& kind) {
    const std::string units = file.text(variable, "units"), word = plain_word(units);
    for (const Unit& unit : kind.units)
        if (word == unit.name) return unit.factor;
    base::refuse(file.path(), variable.name + ":units", units.empty() ? "(none)" : units, kind.expected);
}

}  // namespace groundswell::quake
