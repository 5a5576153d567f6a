#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace groundswell::simulation {
class Section;
}

namespace groundswell::sea {

/// The section [physics] of the case file: which source terms, and every coefficient of them. Defaults are
/// the package "st4" with the tuning "ecwam"; `set_tuning` changes to another tuning. Name, unit, meaning and
/// source of each coefficient stand in `physics_coefficients()`.
struct PhysicsOptions {
    std::string package = "st4";
    std::string tuning = "ecwam";
    std::vector<std::string> terms = {"wind_input", "linear_growth",   "whitecapping",
                                      "four_wave",  "bottom_friction", "breaking"};

    bool relative_wind = false;  ///< source terms feel the wind over the water that moves
    double minimum_depth = 2.0;
    double air_density = 1.225;
    double water_density = 1000.0;

    double wind_growth = 1.20;
    double wave_age_shift = 0.008;
    double growth_shift = 0.0;
    double minimum_charnock = 0.006;
    double wave_stress_limit = 2.2361;
    double wave_stress_of_wind = 1.0;
    double roughness_limit = 0.0;
    double sheltering = 0.0;
    double tail_sheltering = 0.0;

    double swell_turbulent = 0.66;
    double swell_wind_alignment = -0.018;
    double swell_wind_mean = 0.022;
    double swell_critical_reynolds = 1.5e5;
    double swell_reynolds_exponent = 0.5;
    double swell_reynolds_width = 3.6e5;
    double swell_viscous = 1.2;
    double swell_roughness_ratio = 0.04;
    double swell_roughness_limit = 0.0005;

    double whitecapping = -2.2e-5;
    double saturation_threshold = 9.0e-4;
    double saturation_half_angle = 80.0;
    double whitecapping_isotropy = 0.3;
    double whitecapping_cumulative = 0.0;
    double cumulative_gap = 0.0;
    double cumulative_end_weight = 0.5;

    double four_wave = 2.78e7;
    double four_wave_lambda = 0.25;

    double bottom_friction = 0.038;
    double breaking_gamma = 0.73;
    double breaking_alpha = 1.0;

    double linear_growth = 80.0;
    double linear_growth_filter = 1.0;

    double tail_mean_frequency = 2.5;
    double tail_pierson_moskowitz = 4.0;
    double growth_limiter = 5.0e-7;
    double most_substeps = 10.0;
    double substep_change = 0.1;
    double height_limit = 0.0;
    double spectrum_limit = 0.0;
};

/// Description of one coefficient of PhysicsOptions.
struct PhysicsCoefficient {
    std::string_view name, unit, meaning, source;
    double minimum, maximum;
    double PhysicsOptions::*value;
};

/// All coefficients, in the order of the case file's reference.
std::span<const PhysicsCoefficient> physics_coefficients();

/// The tunings that `set_tuning` knows.
std::vector<std::string> physics_tunings();

/// Sets the coefficients in which the tuning differs. "ecwam": WAM cycle 6 and the IFS documentation, cycle
/// 45r1, part VII. "ww3": the default constants of ST4 in WAVEWATCH III (its manual, version 7, section on
/// ST4, TEST471). A Defect for an unknown word.
void set_tuning(PhysicsOptions& options, std::string_view tuning);

/// Reads [physics]; refuses what is out of range.
PhysicsOptions read_physics_options(const simulation::Section& physics);

}  // namespace groundswell::sea
