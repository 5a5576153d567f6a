#include "groundswell/gridded/units.hpp"
#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/shape_entry.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"

namespace groundswell::sea {

namespace {

gridded::Quantity current_component(std::string standard_name, std::vector<std::string> other_names,
                                    std::vector<std::string> along_grid_names,
                                    std::vector<std::string> common_names) {
    gridded::Quantity quantity;
    quantity.standard_name = std::move(standard_name);
    quantity.other_standard_names = std::move(other_names);
    quantity.along_grid_names = std::move(along_grid_names);
    quantity.common_names = std::move(common_names);
    quantity.noun = "a current";
    quantity.unit = "m/s";
    quantity.factor = gridded::speed_unit;
    quantity.units_expected = "m s-1, m/s, cm/s or knots";
    quantity.section = "current[]";
    // The Saltstraumen and the Skookumchuck narrows, the fastest tidal currents, run at 8 to 10 m/s.
    quantity.largest = 12.0;
    quantity.largest_because =
        ", which no tide has reached: such numbers are in cm/s, or marks of missing values";
    quantity.at_surface = true;
    quantity.missing_at_land = true;
    return quantity;
}

}  // namespace

const ForcingKind& current_kind() {
    // Names in files of HYCOM, CMEMS (NEMO), ROMS, MITgcm, FVCOM and OSCAR.
    static const ForcingKind kind{
        .name = "current",
        .noun = "current near the surface",
        .short_noun = "current",
        .unit = "m s-1",
        .names_expected =
            "a current: standard_name eastward_sea_water_velocity and "
            "northward_sea_water_velocity, or names such as uo and vo",
        .components = {{"eastward", "eastward current",
                        current_component(
                            "eastward_sea_water_velocity",
                            {"surface_eastward_sea_water_velocity", "barotropic_eastward_sea_water_velocity"},
                            {"sea_water_x_velocity", "barotropic_sea_water_x_velocity"},
                            {"uo", "utotal", "water_u", "u", "ssu", "u_surface", "ucur", "uc"}),
                        &CellForcing::eastward_current},
                       {"northward", "northward current",
                        current_component("northward_sea_water_velocity",
                                          {"surface_northward_sea_water_velocity",
                                           "barotropic_northward_sea_water_velocity"},
                                          {"sea_water_y_velocity", "barotropic_sea_water_y_velocity"},
                                          {"vo", "vtotal", "water_v", "v", "ssv", "v_surface", "vcur", "vc"}),
                        &CellForcing::northward_current}},
        .sorts = {{"file", read_file_entry}, {"uniform", read_uniform_entry}, {"shape", read_shape_entry}},
        .units = {"m/s", "cm/s", "knots"},
        .level_rule = "the one nearest to the surface",
        .largest = 12.0};
    return kind;
}

}  // namespace groundswell::sea
