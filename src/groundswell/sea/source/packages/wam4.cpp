#include "groundswell/sea/source/packages/package_kind.hpp"

namespace groundswell::sea::packages {

namespace {

// Values that both tunings have: growth of Janssen (1991) without what came later, with any drag that comes of it.
constexpr std::pair<std::string_view, double> common[] = {
    {"wave_age_shift", 0.011}, {"growth_shift", 1.0},  {"roughness_limit", 0.0},
    {"swell_turbulent", 0.0},  {"swell_viscous", 0.0}, {"steepness_reference", 1.0},
    {"four_wave", 3.0e7},
};

Tuning tuning(std::string_view name, std::string_view meaning,
              std::vector<std::pair<std::string_view, double>> values) {
    values.insert(values.end(), std::begin(common), std::end(common));
    return {name, meaning, std::move(values)};
}

}  // namespace

/// Janssen (1991). "bidlot": the dissipation of Bidlot, Janssen & Abdalla (2007), "cycle4": that of Komen et al. (1994), WAM cycle 4.
PackageKind wam4() {
    return {
        "wam4",
        "Janssen 1991",
        {"wind_input", "linear_growth", "whitecapping_steepness", "four_wave", "bottom_friction", "breaking"},
        {tuning("bidlot", "Bidlot et al. 2007",
                {{"minimum_charnock", 0.0095},
                 {"steepness_whitecapping", 2.1},
                 {"steepness_short_waves", 0.6},
                 {"steepness_first_moment", 1.0}}),
         tuning(
             "cycle4", "WAM cycle 4",
             {{"minimum_charnock", 0.01}, {"steepness_whitecapping", 4.5}, {"steepness_short_waves", 0.5}})}};
}

}  // namespace groundswell::sea::packages
