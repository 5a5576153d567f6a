#include "groundswell/gridded/units.hpp"
#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/shape_entry.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"

namespace groundswell::sea {

namespace {

gridded::Quantity concentration_quantity() {
    gridded::Quantity quantity;
    quantity.standard_name = "sea_ice_area_fraction";
    // Names in files of ECMWF (ERA5, CMIP), OSI SAF, NSIDC, HYCOM, CICE and NCEP.
    quantity.common_names = {"siconc", "ci", "ice_conc", "cdr_seaice_conc", "sic", "aice", "icec", "ice"};
    quantity.noun = "a concentration of ice";
    quantity.unit = std::string("1");  // GCC 12 warns of what a plain "1" becomes
    quantity.factor = gridded::share_unit;
    quantity.units_expected = "1 or %";
    quantity.section = "ice[]";
    quantity.largest = 1.005;  // what rounding and packing may add
    quantity.largest_because = ": such numbers are in %, or marks of land or of missing values";
    quantity.missing_at_land = true;
    quantity.beyond = 0.0;
    return quantity;
}

gridded::Quantity thickness_quantity() {
    gridded::Quantity quantity;
    quantity.standard_name = "sea_ice_thickness";
    quantity.common_names = {"sithick", "sit", "hice", "ice_thickness", "icetk", "hi"};
    quantity.noun = "a thickness of ice";
    quantity.unit = std::string("m");
    quantity.factor = gridded::length_unit;
    quantity.units_expected = "m or cm";
    quantity.section = "ice_thickness[]";
    quantity.largest = 40.0;
    quantity.largest_because = ", which no sea ice has: such numbers are in cm, or marks of missing values";
    quantity.missing_at_land = true;
    quantity.beyond = 0.0;
    return quantity;
}

}  // namespace

const ForcingKind& ice_kind() {
    static const ForcingKind kind{
        .name = "ice",
        .noun = "concentration of sea ice",
        .short_noun = "concentration",
        .unit = "1",
        .names_expected =
            "a concentration of ice: standard_name sea_ice_area_fraction, or a name such as siconc",
        .components = {{"variable", "concentration", concentration_quantity(),
                        &CellForcing::ice_concentration}},
        .sorts = {{"file", read_file_entry}, {"uniform", read_uniform_entry}, {"shape", read_shape_entry}},
        .units = {"1", "%"},
        .level_rule = "one alone",
        .largest = 1.0,
        .is_vector = false};
    return kind;
}

const ForcingKind& ice_thickness_kind() {
    static const ForcingKind kind{
        .name = "ice_thickness",
        .noun = "thickness of sea ice",
        .short_noun = "thickness",
        .unit = "m",
        .names_expected = "a thickness of ice: standard_name sea_ice_thickness, or a name such as sithick",
        .components = {{"variable", "thickness", thickness_quantity(), &CellForcing::ice_thickness}},
        .sorts = {{"file", read_file_entry}, {"uniform", read_uniform_entry}},
        .units = {"m", "cm"},
        .level_rule = "one alone",
        .largest = 40.0,
        .is_vector = false,
        .in_halo = false};
    return kind;
}

}  // namespace groundswell::sea
