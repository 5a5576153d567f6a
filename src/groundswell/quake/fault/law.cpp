#include "groundswell/quake/fault/law.hpp"

#include <algorithm>
#include <limits>

namespace groundswell::quake {

namespace {

constexpr double no_limit = 1e30;
constexpr LawParameter static_friction{"static_friction", "friction before slip", "1", {}, 0.0, no_limit};
constexpr LawParameter dynamic_friction{
    "dynamic_friction", "friction after the slip distance", "1", {}, 0.0, no_limit};
constexpr LawParameter slip_distance{"slip_distance", "slip over which friction weakens, D_c", "m", {}, 1e-30,
                                     no_limit};
constexpr LawParameter cohesion{"cohesion", "strength without normal stress; positive", "Pa", 0.0, 0.0,
                                no_limit};
constexpr LawParameter forced_time{"forced_rupture_time",
                                   "when friction begins to fall there in any case; never if absent",
                                   "s",
                                   std::numeric_limits<double>::infinity(),
                                   0.0,
                                   std::numeric_limits<double>::infinity()};

constexpr LawParameter direct{"a", "how friction answers a change of slip rate at once", "1", {}, 1e-9, 1.0};
constexpr LawParameter evolution{"b", "how it answers in the end", "1", {}, 1e-9, 1.0};
constexpr LawParameter state_distance{
    "state_distance", "slip over which the state evolves, L", "m", {}, 1e-30, no_limit};
constexpr LawParameter initial_rate{"initial_slip_rate", "slip rate at the start", "m s-1", {}, 1e-30, 1.0};
constexpr LawParameter reference_rate{"reference_slip_rate", "V0", "m s-1", 1e-6, 1e-30, 1.0};
constexpr LawParameter reference_friction{
    "reference_friction", "friction at V0 in steady slip, f0", "1", 0.6, 0.0, 10.0};

const std::vector<LawDescription>& laws() {
    static const std::vector<LawDescription> all = {
        {"linear-slip-weakening",
         "friction falls linearly with slip",
         "Andrews 1976, doi:10.1029/JB081i020p03575",
         {static_friction, dynamic_friction, slip_distance, cohesion, forced_time},
         {{"forced_rupture_duration", "over which friction falls where rupture is forced", "s", 0.0, 0.0,
           1e6}},
         2.0},
        {"linear-slip-weakening-bimaterial",
         "the same, and strength follows a change of normal stress with a delay",
         "Prakash & Clifton 1993; Rubin & Ampuero 2007, doi:10.1029/2006JB004674, equation 2",
         {static_friction, dynamic_friction, slip_distance, cohesion, forced_time},
         {{"forced_rupture_duration", "over which friction falls where rupture is forced", "s", 0.0, 0.0,
           1e6},
          {"regularisation_velocity", "slip rate that shortens the delay, V*", "m s-1", 1.0, 0.0, no_limit},
          {"regularisation_length", "slip over which strength follows, L", "m", 0.01, 1e-30, no_limit}},
         2.0,
         "",
         1},
        {"ageing",
         "rate-and-state friction, ageing law",
         "Kaneko, Lapusta & Ampuero 2008, doi:10.1029/2007JB005553, section 2.3",
         {direct, evolution, state_distance, initial_rate},
         {reference_rate, reference_friction},
         20.0,
         "s"},
        {"slip",
         "rate-and-state friction, slip law",
         "Ruina 1983, doi:10.1029/JB088iB12p10359",
         {direct, evolution, state_distance, initial_rate},
         {reference_rate, reference_friction},
         20.0,
         "s"},
        {"fast-weakening",
         "rate-and-state friction, slip law, strongly weakening at high slip rates",
         "Dunham et al. 2011, doi:10.1785/0120100075",
         {direct,
          evolution,
          state_distance,
          {"weakening_slip_rate", "above which friction falls far, V_w", "m s-1", {}, 1e-12, 1e3},
          {"weakened_friction", "that is left then, f_w", "1", {}, 0.0, 10.0},
          initial_rate},
         {reference_rate, reference_friction},
         27.0,
         "1"},
    };
    return all;
}

}  // namespace

std::span<const LawDescription> friction_laws() {
    return laws();
}

const LawDescription* find_law(std::string_view name) {
    const auto found = std::ranges::find(laws(), name, &LawDescription::name);
    return found == laws().end() ? nullptr : &*found;
}

}  // namespace groundswell::quake
