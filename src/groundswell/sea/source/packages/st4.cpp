#include "groundswell/sea/source/packages/package_kind.hpp"

namespace groundswell::sea::packages {

/// Defaults of the terms are those of "ecwam": WAM cycle 6 and the IFS documentation, cycle 45r1, part VII, with a drag
/// that is at most what has been measured. "wam6": the same with any drag. "capillary": ecWAM where gravity-capillary waves are the
/// sea's background roughness and growth is renormalised (its SETWAVPHYS, IPHYS = 1). "ww3": the default constants of ST4 in
/// WAVEWATCH III (its manual, version 7, section on ST4, TEST471).
PackageKind st4() {
    return {"st4",
            "Ardhuin et al. 2010",
            {"wind_input", "linear_growth", "whitecapping", "four_wave", "bottom_friction", "breaking"},
            {{"ecwam", "WAM cycle 6, its drag at most what is measured", {}},
             {"wam6", "WAM cycle 6", {{"roughness_limit", 0.0}}},
             {"capillary",
              "ecWAM with gravity-capillary waves",
              {
                  {"gravity_capillary", 1.0},
                  {"growth_renormalisation", 1.0},
                  {"wind_growth", 1.39},
                  {"minimum_charnock", 0.0055},
                  {"roughness_limit", 0.0},
                  {"swell_roughness_ratio", 0.02},
                  {"swell_roughness_limit", 0.05},
                  {"tail_pierson_moskowitz", 3.0},
              }},
             {"ww3",
              "WAVEWATCH III",
              {
                  {"wind_growth", 1.43},
                  {"wave_age_shift", 0.006},
                  {"growth_shift", 1.0},
                  {"minimum_charnock", 0.0095},
                  {"wave_stress_limit", 2.2361},
                  {"roughness_limit", 0.0},
                  {"sheltering", 0.3},
                  {"tail_sheltering", 1.0},
                  {"swell_reynolds_exponent", 1.0},
                  {"swell_roughness_limit", 0.0},
                  {"whitecapping_cumulative", -0.40344},
                  {"cumulative_gap", 0.5},
                  {"cumulative_end_weight", 1.0},
                  {"four_wave", 2.5e7},
                  {"growth_limiter", 5e-6},
              }}}};
}

}  // namespace groundswell::sea::packages
