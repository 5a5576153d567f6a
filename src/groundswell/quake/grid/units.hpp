#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "groundswell/netcdf/reader.hpp"

/// The units that variables of a grid may have.
namespace groundswell::quake {

struct Unit {
    const char* name;  ///< as plain_word() gives it
    double factor;     ///< in SI
};

struct UnitKind {
    std::vector<Unit> units;
    const char* expected;  ///< for people
};

extern const UnitKind density_units, speed_units, pressure_units;

/// Without blanks, points, underscores, ^ and *, in lower case.
std::string plain_word(std::string_view text);

/// What one of a variable's units is in SI; base::Refusal for units of another kind, and for none.
double unit_of(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const UnitKind& kind);

}  // namespace groundswell::quake
