#pragma once

#include <string_view>

#include "groundswell/netcdf/reader.hpp"

/// Units that variables of files may have: how many of ours are in one, by its name as files write it; 0 for a unit of
/// something else.
namespace groundswell::gridded {

double length_unit(std::string_view units);    ///< m
double speed_unit(std::string_view units);     ///< m s-1
double density_unit(std::string_view units);   ///< kg m-3
double pressure_unit(std::string_view units);  ///< Pa
double share_unit(std::string_view units);     ///< 1

struct UnitKind {
    double (*factor)(std::string_view units);
    const char* expected;  ///< for people
};
inline constexpr UnitKind lengths{length_unit, "m or km"}, speeds{speed_unit, "m s-1 or km s-1"},
    densities{density_unit, "kg m-3 or g cm-3"}, pressures{pressure_unit, "Pa, MPa or GPa"};

/// The unit that a variable has; base::Refusal for one of another kind or smaller than ours (knots, cm), and for none.
double unit_of(const netcdf::Reader& file, const netcdf::Reader::Variable& variable, const UnitKind& kind);

}  // namespace groundswell::gridded
