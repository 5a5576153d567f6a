#pragma once

#include <array>
#include <string>
#include <vector>

#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

/// What files tell of a fault. Directions: strike is horizontal, dip goes down; see FaultFrame.
enum class FaultField {
    slip_rate,
    slip_rate_strike,
    slip_rate_dip,
    slip,
    slip_strike,
    slip_dip,
    normal_stress,
    traction_strike,
    traction_dip,
    peak_slip_rate,
    rupture_time,
    friction,
    strength,
    state,
    rupture_velocity,
};
inline constexpr std::array<simulation::FieldNames, 15> fault_field_names{{
    {"slip_rate", "", "slip rate: velocity of the - side past the + side", "m s-1"},
    {"slip_rate_strike", "", "slip rate along strike", "m s-1"},
    {"slip_rate_dip", "", "slip rate along dip, downwards", "m s-1"},
    {"slip", "", "slip along its path", "m"},
    {"slip_strike", "", "slip along strike", "m"},
    {"slip_dip", "", "slip along dip, downwards", "m"},
    {"normal_stress", "", "normal stress on the fault, tension positive", "Pa"},
    {"traction_strike", "", "shear stress on the fault along strike", "Pa"},
    {"traction_dip", "", "shear stress on the fault along dip, downwards", "Pa"},
    {"peak_slip_rate", "", "largest slip rate so far", "m s-1"},
    {"rupture_time", "", "time at which the slip rate first exceeded 0.001 m s-1", "s"},
    {"friction", "", "coefficient of friction", "1"},
    {"strength", "", "strength: cohesion and friction times pressure", "Pa"},
    {"state", "", "state variable of rate-and-state friction", "1"},
    {"rupture_velocity", "", "speed of the rupture front along the fault", "m s-1"},
}};

std::vector<std::string> all_fault_field_names();
/// Those that are known at a single place: all but the speed of the front, which is that of a face.
std::vector<std::string> fault_field_names_of_places();
FaultField fault_field(const std::string& name);
/// As files say it where friction follows a law.
simulation::FieldNames names_of(FaultField field, std::string_view law);

}  // namespace groundswell::quake
