#include "groundswell/gridded/units.hpp"
#include "groundswell/sea/forcing/file_entry.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/storm/vortex_entry.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"

namespace groundswell::sea {

namespace {

gridded::Quantity wind_component(std::string standard_name, std::vector<std::string> along_grid_names,
                                 std::vector<std::string> common_names) {
    gridded::Quantity quantity;
    quantity.standard_name = std::move(standard_name);
    quantity.along_grid_names = std::move(along_grid_names);
    quantity.common_names = std::move(common_names);
    quantity.noun = "a wind";
    quantity.unit = "m/s";
    quantity.factor = gridded::speed_unit;
    quantity.units_expected = "m s-1, m/s or knots";
    quantity.section = "wind[]";
    // -99 and -99.9 are marks of missing values. The strongest wind on record (one minute's mean, hurricane Patricia 2015)
    // was 95 m/s.
    quantity.largest = 98.0;
    quantity.largest_because = ", which no storm has reached: such numbers are marks of missing values";
    quantity.height = 10.0;
    return quantity;
}

}  // namespace

const ForcingKind& wind_kind() {
    // Names in files of ECMWF, NCEP, CFSR/CFSv2, MERRA, NAVGEM, CMIP and Ferret.
    static const ForcingKind kind{
        .name = "wind",
        .noun = "10 m wind",
        .short_noun = "wind",
        .unit = "m s-1",
        .names_expected =
            "a wind: standard_name eastward_wind and northward_wind, or names such as u10 and v10",
        .components = {{"eastward", "eastward wind",
                        wind_component("eastward_wind", {"x_wind", "grid_eastward_wind"},
                                       {"u10", "u10m", "10u", "u_10m", "ugrd_10maboveground", "ugrd10m",
                                        "uwnd", "uas", "wndewd", "uwind"}),
                        &CellForcing::eastward_wind},
                       {"northward", "northward wind",
                        wind_component("northward_wind", {"y_wind", "grid_northward_wind"},
                                       {"v10", "v10m", "10v", "v_10m", "vgrd_10maboveground", "vgrd10m",
                                        "vwnd", "vas", "wndnwd", "vwind"}),
                        &CellForcing::northward_wind}},
        .sorts = {{"file", read_file_entry}, {"uniform", read_uniform_entry}, {"vortex", read_vortex_entry}},
        .units = {"m/s", "knots"},
        .level_rule = "the one at 10 m, and no other",
        .largest = 150.0,
        .blending_sorts = "vortices",
        .in_halo = false};
    return kind;
}

}  // namespace groundswell::sea
