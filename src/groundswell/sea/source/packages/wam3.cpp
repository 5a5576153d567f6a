#include "groundswell/sea/source/packages/package_kind.hpp"

namespace groundswell::sea::packages {

/// Komen et al. (1984) with the values of the WAMDI Group (1988), WAM cycle 3.
PackageKind wam3() {
    return {"wam3",
            "Komen et al. 1984",
            {"wind_snyder", "linear_growth", "whitecapping_steepness", "four_wave", "bottom_friction",
             "breaking"},
            {{"wamdi", "WAM cycle 3", {{"four_wave", 3.0e7}}}}};
}

}  // namespace groundswell::sea::packages
