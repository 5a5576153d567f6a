#include "groundswell/quake/plasticity/options.hpp"

#include <algorithm>
#include <string>

#include "groundswell/quake/values/by_depth.hpp"

namespace groundswell::quake {

bool PlasticityOptions::has_stress() const {
    return !grid.empty() || std::ranges::any_of(stress, [](const auto& value) { return value.has_value(); });
}

std::optional<PlasticityOptions> read_plasticity(const simulation::Section& section, bool has_fault) {
    constexpr const char* source = "Wollherr, Gabriel & Uphoff 2018, doi:10.1093/gji/ggy213";
    const bool all = section.describing();
    PlasticityOptions options;
    options.stated_at = section.place("");
    options.cohesion =
        read_value(section, "cohesion", {0.0, 1e30}, "cohesion of the rock; positive", "Pa", source);
    options.friction = read_value(section, "bulk_friction", {0.0, 10.0},
                                  "tangent of the angle of internal friction", "1", source);
    read_components(
        section.section("stress"), stress_keys,
        "initial stress of the rock in the mesh's axes, tension positive; if none is given, that of "
        "[[fault.set]]",
        options.stress);
    if (section.has("grid") || all)
        options.grid = section.path(
            "grid", {},
            {"NetCDF file with any of cohesion, bulk_friction and stress_xx … stress_xz, which stand in "
             "place "
             "of the keys, on axes x, y and z or at points with their x, y and z; stress is not the fault's "
             "then",
             "", "", "none"});
    const bool given =
        options.cohesion || options.friction || options.has_stress() || section.has("relaxation_time");
    if (!given && !all) return std::nullopt;
    options.relaxation_time =
        section.number("relaxation_time", std::nullopt, {1e-9, 1e9},
                       {"in which stress beyond the strength falls to 1/e", "s", source});
    options.by_element =
        section.choice("rock_at", "places", {"places", "centres"},
                       {"where initial stress and strength are asked for: at each place at which rock may "
                        "yield, or only at the centre of its element"}) == "centres";
    if (all) return std::nullopt;
    if (!options.cohesion && options.grid.empty())
        section.refuse("cohesion", "a number in Pa, or cohesion_by_depth");
    if (!options.friction && options.grid.empty())
        section.refuse("bulk_friction", "a number, or bulk_friction_by_depth");
    if (!options.has_stress() && !has_fault)
        section.refuse("stress",
                       "initial stress, such as { xx = -60e6, yy = -120e6, zz = -60e6 }, or that of a fault");
    return options;
}

}  // namespace groundswell::quake
