#include "groundswell/gridded/words.hpp"
#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"

namespace groundswell::sea {

namespace {

double rain_unit(std::string_view units) {
    const std::string unit = gridded::plain_word(units);
    if (gridded::is_one_of(unit, {"kgm-2s-1", "kg/m2/s", "mm/s"})) return 1.0;
    return gridded::is_one_of(unit, {"mm/h", "mmh-1", "kgm-2h-1"}) ? 1.0 / 3600.0 : 0.0;
}

gridded::Quantity rain_quantity() {
    gridded::Quantity quantity;
    quantity.standard_name = "rainfall_flux";
    quantity.other_standard_names = {"precipitation_flux"};
    quantity.common_names = {"pr", "prate", "rain"};
    quantity.noun = "a rain";
    quantity.unit = "kg/m2/s";
    quantity.factor = rain_unit;
    quantity.units_expected = "kg m-2 s-1 or mm/h";
    quantity.section = "rain[]";
    // The most on record in one minute is 31 mm (Unionville, Maryland, 1956).
    quantity.largest = 0.6;
    quantity.largest_because = ", which no cloudburst has reached";
    return quantity;
}

}  // namespace

/// Rain, the same for all directions: a number in each cell, from files or one for the whole sea.
const ForcingKind& rain_kind() {
    static const ForcingKind kind{
        .name = "rain",
        .noun = "rain",
        .short_noun = "rain",
        .unit = "kg m-2 s-1",
        .names_expected = "a rain: standard_name rainfall_flux, or a name such as pr",
        .components = {{"variable", "rain", rain_quantity(), &CellForcing::rain}},
        .sorts = {{"file", read_file_entry}, {"uniform", read_uniform_entry}},
        .units = {"kg m-2 s-1", "mm/h"},
        .level_rule = "one alone",
        .largest = 0.6,
        .is_vector = false,
        .in_halo = false};
    return kind;
}

}  // namespace groundswell::sea
