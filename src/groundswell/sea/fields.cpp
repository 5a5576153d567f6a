#include "groundswell/sea/fields.hpp"

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

float unless_calm(const CellSituation& cell, double value) {
    return cell.sea.calm ? fill_value : static_cast<float>(value);
}

const std::vector<Field> fields = {
    {"hs", "sea_surface_wave_significant_height", "significant wave height", "m",
     [](const CellSituation& c) { return static_cast<float>(c.sea.significant_height); }},
    {"tm01", "sea_surface_wave_mean_period_from_variance_spectral_density_first_frequency_moment",
     "mean wave period Tm01", "s",
     [](const CellSituation& c) { return unless_calm(c, c.sea.mean_period_m01); }},
    {"tm02", "sea_surface_wave_mean_period_from_variance_spectral_density_second_frequency_moment",
     "mean wave period Tm02", "s",
     [](const CellSituation& c) { return unless_calm(c, c.sea.mean_period_m02); }},
    {"tmm10", "sea_surface_wave_mean_period_from_variance_spectral_density_inverse_frequency_moment",
     "wave energy period Tm-10", "s",
     [](const CellSituation& c) { return unless_calm(c, c.sea.energy_period); }},
    {"tp", "sea_surface_wave_period_at_variance_spectral_density_maximum", "peak wave period", "s",
     [](const CellSituation& c) { return unless_calm(c, c.sea.peak_period); }},
    {"dir", "sea_surface_wave_from_direction", "mean wave bearing, coming from", "degree",
     [](const CellSituation& c) { return unless_calm(c, bearing_from(c.sea.mean_direction)); }},
    {"dp", "sea_surface_wave_from_direction_at_variance_spectral_density_maximum",
     "wave bearing at the spectral peak, coming from", "degree",
     [](const CellSituation& c) { return unless_calm(c, bearing_from(c.sea.peak_direction)); }},
    {"spread", "sea_surface_wave_directional_spread", "one-sided spread of wave bearings", "degree",
     [](const CellSituation& c) { return unless_calm(c, c.sea.directional_spread / base::degree); }},
    {"u10", "eastward_wind", "eastward wind at 10 m", "m s-1",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.eastward_wind); }, false},
    {"v10", "northward_wind", "northward wind at 10 m", "m s-1",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.northward_wind); }, false},
    {"ucur", "eastward_sea_water_velocity", "eastward current near the surface", "m s-1",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.eastward_current); }, false},
    {"vcur", "northward_sea_water_velocity", "northward current near the surface", "m s-1",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.northward_current); }, false},
    {"level", "sea_surface_height_above_geoid", "water level", "m",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.water_level); }, false},
    {"siconc", "sea_ice_area_fraction", "concentration of sea ice", "1",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.ice_concentration); }, false},
    {"sithick", "sea_ice_thickness", "thickness of sea ice", "m",
     [](const CellSituation& c) { return static_cast<float>(c.forcing.ice_thickness); }, false},
    {"depth", "sea_floor_depth_below_geoid", "water depth", "m",
     [](const CellSituation& c) { return static_cast<float>(c.depth); }, false},
    {"ustar", "", "friction velocity of the air", "m s-1",
     [](const CellSituation& c) { return static_cast<float>(c.friction_velocity); }, false},
    {"charnock", "charnock_coefficient_for_surface_roughness_length_for_momentum_in_air",
     "Charnock coefficient", "1", [](const CellSituation& c) { return static_cast<float>(c.charnock); },
     false},
};

}  // namespace

const std::vector<Field>& all_fields() {
    return fields;
}

std::vector<std::string> all_field_names() {
    std::vector<std::string> names;
    for (const Field& field : fields) names.emplace_back(field.name);
    return names;
}

const Field& find_field(std::string_view name) {
    for (const Field& field : fields)
        if (field.name == name) return field;
    throw base::Defect("no output field is named " + std::string(name));
}

}  // namespace groundswell::sea
