#include "groundswell/gridded/units.hpp"
#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/shape_entry.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"

namespace groundswell::sea {

namespace {

gridded::Quantity level_quantity() {
    gridded::Quantity quantity;
    quantity.standard_name = "sea_surface_height_above_geoid";
    quantity.other_standard_names = {"sea_surface_elevation",
                                     "sea_surface_height",
                                     "sea_surface_height_above_mean_sea_level",
                                     "sea_surface_height_above_sea_level",
                                     "water_surface_height_above_reference_datum",
                                     "tidal_sea_surface_height_above_mean_sea_level"};
    quantity.common_names = {"zos", "surf_el", "ssh", "zeta", "elev", "elevation", "water_level", "adt"};
    quantity.noun = "a water level";
    quantity.unit = std::string("m");  // GCC 12 warns of what a plain "m" becomes
    quantity.factor = gridded::length_unit;
    quantity.units_expected = "m or cm";
    quantity.section = "water_level[]";
    // The largest tide (bay of Fundy) stands 8.5 m above the mean, the highest surge on record (Bathurst Bay 1899) 13 m.
    quantity.largest = 20.0;
    quantity.largest_because =
        ", which no tide or surge has reached: such numbers are in cm, or marks of missing values";
    quantity.missing_at_land = true;
    return quantity;
}

}  // namespace

const ForcingKind& water_level_kind() {
    // Names in files of HYCOM, CMEMS (NEMO), ROMS, ADCIRC and SCHISM.
    static const ForcingKind kind{
        .name = "water_level",
        .noun = "water level",
        .short_noun = "water level",
        .unit = "m",
        .names_expected =
            "a water level: standard_name sea_surface_height_above_geoid, or a name such as zos",
        .components = {{"variable", "water level", level_quantity(), &CellForcing::water_level}},
        .sorts = {{"file", read_file_entry}, {"uniform", read_uniform_entry}, {"shape", read_shape_entry}},
        .units = {"m", "cm"},
        .level_rule = "one alone",
        .largest = 20.0,
        .is_vector = false};
    return kind;
}

}  // namespace groundswell::sea
