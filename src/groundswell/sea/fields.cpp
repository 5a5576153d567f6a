#include "groundswell/sea/fields.hpp"

#include <cmath>
#include <type_traits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"

namespace groundswell::sea {

namespace {

float unless_calm(const CellSituation& cell, double value) {
    return cell.sea.calm ? fill_value : static_cast<float>(value);
}
template <auto member>
float parameter(const CellSituation& c) {
    return unless_calm(c, c.sea.*member);
}
template <auto member>
float product(const CellSituation& c) {
    return static_cast<float>(c.products.*member);
}
template <auto member>
float felt(const CellSituation& c) {
    return static_cast<float>(c.forcing.*member);
}
template <auto member>
float given(const CellSituation& c) {
    return static_cast<float>(c.to_ocean.*member);
}

// A part of the waves: a member of WaveProducts, or a system by its number.
template <auto of>
const WavePart& part(const CellSituation& c) {
    if constexpr (std::is_integral_v<decltype(of)>)
        return c.systems[of];
    else
        return c.products.*of;
}
template <auto of>
float height(const CellSituation& c) {
    return static_cast<float>(4.0 * std::sqrt(part<of>(c).variance));
}
template <auto of>
float period(const CellSituation& c) {
    return part<of>(c).variance >= calm_variance ? static_cast<float>(part<of>(c).mean_period) : fill_value;
}
template <auto of>
float bearing(const CellSituation& c) {
    return part<of>(c).variance >= calm_variance ? static_cast<float>(bearing_from(part<of>(c).direction))
                                                 : fill_value;
}

const std::vector<Field> fields = {
    {"hs", "sea_surface_wave_significant_height", "significant wave height", "m",
     [](const CellSituation& c) { return static_cast<float>(c.sea.significant_height); }},
    {"tm01", "sea_surface_wave_mean_period_from_variance_spectral_density_first_frequency_moment",
     "mean wave period Tm01", "s", parameter<&SeaParameters::mean_period_m01>},
    {"tm02", "sea_surface_wave_mean_period_from_variance_spectral_density_second_frequency_moment",
     "mean wave period Tm02", "s", parameter<&SeaParameters::mean_period_m02>},
    {"tmm10", "sea_surface_wave_mean_period_from_variance_spectral_density_inverse_frequency_moment",
     "wave energy period Tm-10", "s", parameter<&SeaParameters::energy_period>},
    {"tp", "sea_surface_wave_period_at_variance_spectral_density_maximum", "peak wave period", "s",
     parameter<&SeaParameters::peak_period>},
    {"dir", "sea_surface_wave_from_direction", "mean wave bearing, coming from", "degree",
     [](const CellSituation& c) { return unless_calm(c, bearing_from(c.sea.mean_direction)); }},
    {"dp", "sea_surface_wave_from_direction_at_variance_spectral_density_maximum",
     "wave bearing at the spectral peak, coming from", "degree",
     [](const CellSituation& c) { return unless_calm(c, bearing_from(c.sea.peak_direction)); }},
    {"spread", "sea_surface_wave_directional_spread", "one-sided spread of wave bearings", "degree",
     [](const CellSituation& c) { return unless_calm(c, c.sea.directional_spread / base::degree); }},
    {"u10", "eastward_wind", "eastward wind at 10 m", "m s-1", felt<&CellForcing::eastward_wind>,
     Reads::nothing},
    {"v10", "northward_wind", "northward wind at 10 m", "m s-1", felt<&CellForcing::northward_wind>,
     Reads::nothing},
    {"ucur", "eastward_sea_water_velocity", "eastward current near the surface", "m s-1",
     felt<&CellForcing::eastward_current>, Reads::nothing},
    {"vcur", "northward_sea_water_velocity", "northward current near the surface", "m s-1",
     felt<&CellForcing::northward_current>, Reads::nothing},
    {"level", "sea_surface_height_above_geoid", "water level", "m", felt<&CellForcing::water_level>,
     Reads::nothing},
    {"siconc", "sea_ice_area_fraction", "concentration of sea ice", "1",
     felt<&CellForcing::ice_concentration>, Reads::nothing},
    {"sithick", "sea_ice_thickness", "thickness of sea ice", "m", felt<&CellForcing::ice_thickness>,
     Reads::nothing},
    {"depth", "sea_floor_depth_below_geoid", "water depth", "m",
     [](const CellSituation& c) { return static_cast<float>(c.depth); }, Reads::nothing},
    {"ustar", "", "friction velocity of the air", "m s-1",
     [](const CellSituation& c) { return static_cast<float>(c.friction_velocity); }, Reads::nothing},
    {"charnock", "charnock_coefficient_for_surface_roughness_length_for_momentum_in_air",
     "Charnock coefficient", "1", [](const CellSituation& c) { return static_cast<float>(c.charnock); },
     Reads::nothing},
    {"hs_sea", "sea_surface_wind_wave_significant_height", "significant height of wind sea", "m",
     height<&WaveProducts::wind_sea>, Reads::products},
    {"tm01_sea", "sea_surface_wind_wave_mean_period_from_variance_spectral_density_first_frequency_moment",
     "mean period Tm01 of wind sea", "s", period<&WaveProducts::wind_sea>, Reads::products},
    {"dir_sea", "sea_surface_wind_wave_from_direction", "mean bearing of wind sea, coming from", "degree",
     bearing<&WaveProducts::wind_sea>, Reads::products},
    {"hs_swell", "sea_surface_swell_wave_significant_height", "significant height of swell", "m",
     height<&WaveProducts::swell>, Reads::products},
    {"tm01_swell", "sea_surface_swell_wave_mean_period_from_variance_spectral_density_first_frequency_moment",
     "mean period Tm01 of swell", "s", period<&WaveProducts::swell>, Reads::products},
    {"dir_swell", "sea_surface_swell_wave_from_direction", "mean bearing of swell, coming from", "degree",
     bearing<&WaveProducts::swell>, Reads::products},
    {"ustokes", "sea_surface_wave_stokes_drift_eastward_velocity", "eastward Stokes drift at the surface",
     "m s-1", product<&WaveProducts::eastward_stokes_drift>, Reads::products},
    {"vstokes", "sea_surface_wave_stokes_drift_northward_velocity", "northward Stokes drift at the surface",
     "m s-1", product<&WaveProducts::northward_stokes_drift>, Reads::products},
    {"ustokes_transport", "", "eastward Stokes transport", "m2 s-1",
     product<&WaveProducts::eastward_stokes_transport>, Reads::products},
    {"vstokes_transport", "", "northward Stokes transport", "m2 s-1",
     product<&WaveProducts::northward_stokes_transport>, Reads::products},
    {"mss", "", "mean square slope", "1", product<&WaveProducts::mean_square_slope>, Reads::products},
    {"uflux", "", "eastward flux of wave energy", "W m-1", product<&WaveProducts::eastward_energy_flux>,
     Reads::products},
    {"vflux", "", "northward flux of wave energy", "W m-1", product<&WaveProducts::northward_energy_flux>,
     Reads::products},
    {"sxx", "", "radiation stress, eastward of eastward momentum", "N m-1",
     product<&WaveProducts::radiation_stress_xx>, Reads::products},
    {"sxy", "", "radiation stress, northward of eastward momentum", "N m-1",
     product<&WaveProducts::radiation_stress_xy>, Reads::products},
    {"syy", "", "radiation stress, northward of northward momentum", "N m-1",
     product<&WaveProducts::radiation_stress_yy>, Reads::products},
    {"ubot", "", "root-mean-square orbital velocity at the bottom", "m s-1",
     product<&WaveProducts::bottom_orbital_velocity>, Reads::products},
    {"width", "", "spectral width", "1",
     [](const CellSituation& c) { return unless_calm(c, c.products.spectral_width); }, Reads::products},
    {"qp", "", "Goda's peakedness", "1",
     [](const CellSituation& c) { return unless_calm(c, c.products.peakedness); }, Reads::products},
    {"hmax", "sea_surface_wave_maximum_height", "expected height of the highest wave of 20 minutes", "m",
     [](const CellSituation& c) { return static_cast<float>(c.highest_wave); }, Reads::highest},
    {"utauoc", "", "eastward stress on the ocean", "N m-2", given<&OceanExchange::eastward_stress>,
     Reads::to_ocean},
    {"vtauoc", "", "northward stress on the ocean", "N m-2", given<&OceanExchange::northward_stress>,
     Reads::to_ocean},
    {"phioc", "", "energy that breaking waves give to the ocean", "W m-2",
     given<&OceanExchange::breaking_energy>, Reads::to_ocean},
    {"uforce", "", "eastward force of waves on the water, of radiation stress", "N m-2",
     [](const CellSituation& c) { return static_cast<float>(c.eastward_force); }, Reads::force},
    {"vforce", "", "northward force of waves on the water, of radiation stress", "N m-2",
     [](const CellSituation& c) { return static_cast<float>(c.northward_force); }, Reads::force},
    {"hs_part0", "sea_surface_wind_wave_significant_height", "significant height, system of the wind sea",
     "m", height<0>, Reads::systems},
    {"tm01_part0", "sea_surface_wind_wave_mean_period", "mean period Tm01, system of the wind sea", "s",
     period<0>, Reads::systems},
    {"dir_part0", "sea_surface_wind_wave_from_direction", "mean bearing, coming from, system of the wind sea",
     "degree", bearing<0>, Reads::systems},
    {"hs_part1", "sea_surface_primary_swell_wave_significant_height", "significant height, highest swell",
     "m", height<1>, Reads::systems},
    {"tm01_part1", "sea_surface_primary_swell_wave_mean_period", "mean period Tm01, highest swell", "s",
     period<1>, Reads::systems},
    {"dir_part1", "sea_surface_primary_swell_wave_from_direction", "mean bearing, coming from, highest swell",
     "degree", bearing<1>, Reads::systems},
    {"hs_part2", "sea_surface_secondary_swell_wave_significant_height", "significant height, second swell",
     "m", height<2>, Reads::systems},
    {"tm01_part2", "sea_surface_secondary_swell_wave_mean_period", "mean period Tm01, second swell", "s",
     period<2>, Reads::systems},
    {"dir_part2", "sea_surface_secondary_swell_wave_from_direction",
     "mean bearing, coming from, second swell", "degree", bearing<2>, Reads::systems},
    {"hs_part3", "sea_surface_tertiary_swell_wave_significant_height", "significant height, third swell", "m",
     height<3>, Reads::systems},
    {"tm01_part3", "sea_surface_tertiary_swell_wave_mean_period", "mean period Tm01, third swell", "s",
     period<3>, Reads::systems},
    {"dir_part3", "sea_surface_tertiary_swell_wave_from_direction", "mean bearing, coming from, third swell",
     "degree", bearing<3>, Reads::systems},
    {"hs_part4", "", "significant height, fourth swell", "m", height<4>, Reads::systems},
    {"tm01_part4", "", "mean period Tm01, fourth swell", "s", period<4>, Reads::systems},
    {"dir_part4", "", "mean bearing, coming from, fourth swell", "degree", bearing<4>, Reads::systems},
    {"hs_part5", "", "significant height, fifth swell", "m", height<5>, Reads::systems},
    {"tm01_part5", "", "mean period Tm01, fifth swell", "s", period<5>, Reads::systems},
    {"dir_part5", "", "mean bearing, coming from, fifth swell", "degree", bearing<5>, Reads::systems},
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

Reads all_read(const std::vector<const Field*>& fields) {
    Reads all = Reads::nothing;
    for (const Field* field : fields) all = all | field->reads;
    return all;
}

const Field& find_field(std::string_view name) {
    for (const Field& field : fields)
        if (field.name == name) return field;
    throw base::Defect("no output field is named " + std::string(name));
}

}  // namespace groundswell::sea
