#include "groundswell/sea/source/physics_options.hpp"

#include <array>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

using O = PhysicsOptions;
constexpr std::string_view ardhuin = "Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1";
constexpr std::string_view janssen = "Janssen 1991, doi:10.1175/1520-0485(1991)021<1631:QLTOWW>2.0.CO;2";
constexpr std::string_view hasselmann =
    "Hasselmann et al. 1985, doi:10.1175/1520-0485(1985)015<1378:CAPOTN>2.0.CO;2";

const std::array coefficients{
    PhysicsCoefficient{"minimum_depth", "m", "shallower water is treated as this deep",
                       "convention of this model", 0.01, 1e3, &O::minimum_depth},
    PhysicsCoefficient{"air_density", "kg m-3", "density of the air", "ISO 2533: standard atmosphere", 0.5, 2,
                       &O::air_density},
    PhysicsCoefficient{"water_density", "kg m-3",
                       "density of the water that the growth constants were tuned with",
                       "WAVEWATCH III 7.14 and ecWAM: 1000", 500, 1500, &O::water_density},
    PhysicsCoefficient{"wind_growth", "", "beta_max of the wind input", ardhuin, 0, 10, &O::wind_growth},
    PhysicsCoefficient{"wave_age_shift", "", "z_alpha, shift of the growth curve with wave age", ardhuin, 0,
                       1, &O::wave_age_shift},
    PhysicsCoefficient{"growth_shift", "", "share of z_alpha in the factor (u*/c)^2 of the growth too",
                       "WAVEWATCH III 7.14, ST4: 1; ecWAM: 0", 0, 1, &O::growth_shift},
    PhysicsCoefficient{"minimum_charnock", "", "alpha_0, Charnock coefficient of a sea without wave stress",
                       janssen, 1e-4, 0.1, &O::minimum_charnock},
    PhysicsCoefficient{"wave_stress_limit", "m2 s-2",
                       "largest kinematic stress of the waves that roughens the sea",
                       "WAVEWATCH III 7.14, ST4: TAUWMAX", 0, 1e3, &O::wave_stress_limit},
    PhysicsCoefficient{"wave_stress_of_wind", "",
                       "the same, as a multiple of the bound that ecWAM derives from the wind speed; 0: none",
                       "ecWAM: TAUT_Z0, 1", 0, 100, &O::wave_stress_of_wind},
    PhysicsCoefficient{"roughness_limit", "m", "largest roughness length z0 in strong wind; 0: none",
                       "0.00335 bounds the drag at 0.0025: Donelan et al. 2004, doi:10.1029/2004GL019460", 0,
                       0.1, &O::roughness_limit},
    PhysicsCoefficient{"sheltering", "", "s_u, share of the stress of longer waves taken from shorter ones",
                       ardhuin, 0, 1, &O::sheltering},
    PhysicsCoefficient{"tail_sheltering", "", "the same for the waves beyond the spectrum",
                       "WAVEWATCH III 7.14, ST4: 1", 0, 1, &O::tail_sheltering},
    PhysicsCoefficient{"swell_turbulent", "", "s_1, turbulent swell dissipation", ardhuin, 0, 5,
                       &O::swell_turbulent},
    PhysicsCoefficient{"swell_wind_alignment", "",
                       "s_2, dependence of swell dissipation on the wind's direction", ardhuin, -1, 1,
                       &O::swell_wind_alignment},
    PhysicsCoefficient{"swell_wind_mean", "",
                       "s_3, dependence of swell dissipation on the wind's friction velocity", ardhuin, 0, 1,
                       &O::swell_wind_mean},
    PhysicsCoefficient{"swell_critical_reynolds", "",
                       "Re_c, Reynolds number at which the air above swell turns turbulent", ardhuin, 0, 1e7,
                       &O::swell_critical_reynolds},
    PhysicsCoefficient{"swell_reynolds_exponent", "",
                       "p in the length 2 m0^p of that number: 0.5 is half the significant height",
                       "IFS documentation: 0.5; WAVEWATCH III 7.14, ST4: 1", 0.5, 1,
                       &O::swell_reynolds_exponent},
    PhysicsCoefficient{"swell_reynolds_width", "", "width of that transition",
                       "Leckler et al. 2013, "
                       "doi:10.1016/j.ocemod.2013.03.007",
                       1, 1e8, &O::swell_reynolds_width},
    PhysicsCoefficient{"swell_viscous", "", "s_5, viscous swell dissipation", ardhuin, 0, 5,
                       &O::swell_viscous},
    PhysicsCoefficient{"swell_roughness_ratio", "", "roughness felt by the orbital motion over z0", ardhuin,
                       0, 1, &O::swell_roughness_ratio},
    PhysicsCoefficient{"swell_roughness_limit", "m", "largest z0 in that ratio; 0: none",
                       "IFS documentation 45r1, part VII", 0, 1, &O::swell_roughness_limit},
    PhysicsCoefficient{"whitecapping", "", "C_ds^sat, saturation-based whitecapping", ardhuin, -1e-3, 0,
                       &O::whitecapping},
    PhysicsCoefficient{"saturation_threshold", "", "B_r, saturation at which waves begin to break", ardhuin,
                       1e-5, 1, &O::saturation_threshold},
    PhysicsCoefficient{"saturation_half_angle", "degree",
                       "half width of the sector over which saturation is summed", ardhuin, 5, 90,
                       &O::saturation_half_angle},
    PhysicsCoefficient{"whitecapping_isotropy", "",
                       "delta, share of the whitecapping that is the same in all directions", ardhuin, 0, 1,
                       &O::whitecapping_isotropy},
    PhysicsCoefficient{"whitecapping_cumulative", "",
                       "C_cu, shorter waves wiped out by longer breakers; 0: none", ardhuin, -2, 0,
                       &O::whitecapping_cumulative},
    PhysicsCoefficient{"cumulative_gap", "",
                       "b: these breakers lie b/(ratio - 1) frequencies or more below; 0: half the frequency",
                       "WAVEWATCH III 7.14, ST4: 0.5", 0, 5, &O::cumulative_gap},
    PhysicsCoefficient{"cumulative_end_weight", "", "weight of the first and last of their frequencies",
                       "0.5: trapezoidal rule; WAVEWATCH III 7.14, ST4: 1", 0, 1, &O::cumulative_end_weight},
    PhysicsCoefficient{"four_wave", "", "C of the discrete interaction approximation", hasselmann, 0, 1e9,
                       &O::four_wave},
    PhysicsCoefficient{"four_wave_lambda", "", "lambda, shape of its quadruplet", hasselmann, 0.05, 0.45,
                       &O::four_wave_lambda},
    PhysicsCoefficient{"bottom_friction", "m2 s-3",
                       "Gamma of the bottom friction: 0.038 swell, 0.067 wind sea",
                       "Hasselmann et al. 1973 (JONSWAP); Bouws & Komen 1983", 0, 1, &O::bottom_friction},
    PhysicsCoefficient{"breaking_gamma", "", "largest wave height over depth",
                       "Battjes & Janssen 1978; Battjes & Stive 1985", 0.1, 2, &O::breaking_gamma},
    PhysicsCoefficient{"breaking_alpha", "", "strength of depth-induced breaking", "Battjes & Janssen 1978",
                       0, 10, &O::breaking_alpha},
    PhysicsCoefficient{"linear_growth", "", "strength of the growth from calm",
                       "Cavaleri & Malanotte-Rizzoli 1981; Tolman 1992", 0, 1e4, &O::linear_growth},
    PhysicsCoefficient{"linear_growth_filter", "", "filter frequency over that of Pierson & Moskowitz",
                       "Tolman 1992", 0, 10, &O::linear_growth_filter},
    PhysicsCoefficient{"tail_mean_frequency", "",
                       "diagnostic tail beyond this multiple of the mean frequency",
                       "IFS documentation 45r1, part VII", 1, 100, &O::tail_mean_frequency},
    PhysicsCoefficient{"tail_pierson_moskowitz", "", "… and of the Pierson-Moskowitz frequency",
                       "IFS documentation 45r1, part VII", 0, 100, &O::tail_pierson_moskowitz},
    PhysicsCoefficient{"growth_limiter", "", "largest change in a step over g u* f_m f^-4 dt",
                       "Hersbach & Janssen 1999, doi:10.1175/1520-0426(1999)016<0884:IOTSFB>2.0.CO;2", 1e-9,
                       1, &O::growth_limiter},
    PhysicsCoefficient{"most_substeps", "",
                       "equal parts that a source step may be cut into where the sea is young; 1: never",
                       "convention of this model", 1, 100, &O::most_substeps},
    PhysicsCoefficient{"substep_change", "",
                       "share of its variance that a sea may gain or the limiter may withhold in one part",
                       "convention of this model", 1e-3, 10, &O::substep_change},
    PhysicsCoefficient{"height_limit", "", "largest significant height over depth; 0: none",
                       "ecWAM: SDEPTHLIM", 0, 10, &O::height_limit},
    PhysicsCoefficient{"spectrum_limit", "", "largest E(f, theta) over g^2 (2 pi)^-4 f^-5 / pi; 0: none",
                       "ecWAM: ALPHAPMAX, 0.031", 0, 10, &O::spectrum_limit},
};

}  // namespace

std::span<const PhysicsCoefficient> physics_coefficients() {
    return coefficients;
}

std::vector<std::string> physics_tunings() {
    return {"ecwam", "ww3"};
}

void set_tuning(PhysicsOptions& options, std::string_view tuning) {
    const PhysicsOptions defaults;
    options.tuning = tuning;
    options.wind_growth = defaults.wind_growth;
    options.wave_age_shift = defaults.wave_age_shift;
    options.growth_shift = defaults.growth_shift;
    options.minimum_charnock = defaults.minimum_charnock;
    options.wave_stress_of_wind = defaults.wave_stress_of_wind;
    options.sheltering = defaults.sheltering;
    options.tail_sheltering = defaults.tail_sheltering;
    options.swell_reynolds_exponent = defaults.swell_reynolds_exponent;
    options.swell_roughness_limit = defaults.swell_roughness_limit;
    options.whitecapping_cumulative = defaults.whitecapping_cumulative;
    options.cumulative_gap = defaults.cumulative_gap;
    options.cumulative_end_weight = defaults.cumulative_end_weight;
    options.four_wave = defaults.four_wave;
    options.growth_limiter = defaults.growth_limiter;
    if (tuning == "ecwam") return;
    GS_ASSERT(tuning == "ww3");
    options.wind_growth = 1.43;
    options.wave_age_shift = 0.006;
    options.growth_shift = 1.0;
    options.minimum_charnock = 0.0095;
    options.wave_stress_of_wind = 0.0;
    options.sheltering = 0.3;
    options.tail_sheltering = 1.0;
    options.swell_reynolds_exponent = 1.0;
    options.swell_roughness_limit = 0.0;
    options.whitecapping_cumulative = -0.40344;
    options.cumulative_gap = 0.5;
    options.cumulative_end_weight = 1.0;
    options.four_wave = 2.5e7;
    options.growth_limiter = 5e-6;
}

}  // namespace groundswell::sea
