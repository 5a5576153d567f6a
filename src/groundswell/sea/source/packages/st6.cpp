#include "groundswell/sea/source/packages/package_kind.hpp"

namespace groundswell::sea::packages {

/// Rogers et al. (2012) and Zieger et al. (2015). Defaults of the terms are those of "liu": WAVEWATCH III 7.14. "zieger": its
/// version 5.16 (its manual, version 7, table of parameters of ST6).
PackageKind st6() {
    return {"st6",
            "Rogers et al. 2012, Zieger et al. 2015",
            {"wind_donelan", "linear_growth", "whitecapping_threshold", "swell_turbulence", "four_wave",
             "bottom_friction", "breaking"},
            {{"liu", "Liu et al. 2019", {{"tail_mean_frequency", 6.0}, {"four_wave", 3.0e7}}},
             {"zieger",
              "Zieger et al. 2015",
              {{"donelan_speed", 28.0},
               {"threshold_breaking", 3.74e-7},
               {"threshold_cumulative", 5.24e-6},
               {"swell_turbulence", 3.2e-3},
               {"tail_mean_frequency", 6.0},
               {"four_wave", 3.0e7}}}}};
}

}  // namespace groundswell::sea::packages
