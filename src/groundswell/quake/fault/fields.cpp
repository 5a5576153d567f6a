#include "groundswell/quake/fault/fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

namespace {

constexpr auto unknown_yet = static_cast<double>(simulation::fill_value);

template <auto value, int... direction>
double of(const FaultSample& s) {
    return (s.*value)(direction...);
}
template <auto time>
double known(const FaultSample& s) {
    return (s.*time)() < never_ruptured ? (s.*time)() : unknown_yet;
}

constexpr FaultField fault_fields[] = {
    {{"slip_rate", "", "slip rate: velocity of the - side past the + side", "m s-1"},
     [](const FaultSample& s) { return std::hypot(s.rate(0), s.rate(1)); }},
    {{"slip_rate_strike", "", "slip rate along strike", "m s-1"}, of<&FaultSample::rate, 0>},
    {{"slip_rate_dip", "", "slip rate along dip, downwards", "m s-1"}, of<&FaultSample::rate, 1>},
    {{"slip", "", "slip along its path", "m"}, of<&FaultSample::slip_path>},
    {{"slip_strike", "", "slip along strike", "m"}, of<&FaultSample::slip, 0>},
    {{"slip_dip", "", "slip along dip, downwards", "m"}, of<&FaultSample::slip, 1>},
    {{"normal_stress", "", "normal stress on the fault, tension positive", "Pa"},
     of<&FaultSample::traction, 0>},
    {{"traction_strike", "", "shear stress on the fault along strike", "Pa"}, of<&FaultSample::traction, 1>},
    {{"traction_dip", "", "shear stress on the fault along dip, downwards", "Pa"},
     of<&FaultSample::traction, 2>},
    {{"normal_stress_change", "", "change of normal stress by slip and waves", "Pa"},
     of<&FaultSample::traction_change, 0>},
    {{"traction_strike_change", "", "change of shear stress along strike by slip and waves", "Pa"},
     of<&FaultSample::traction_change, 1>},
    {{"traction_dip_change", "", "change of shear stress along dip by slip and waves", "Pa"},
     of<&FaultSample::traction_change, 2>},
    {{"normal_velocity", "", "velocity of the fault along its normal", "m s-1"},
     of<&FaultSample::normal_velocity>},
    {{"peak_slip_rate", "", "largest slip rate so far", "m s-1"}, of<&FaultSample::peak_rate>, true, true},
    {{"rupture_time", "", "time at which the slip rate first exceeded 0.001 m s-1", "s"},
     known<&FaultSample::rupture_time>,
     true,
     true},
    {{"weakening_time", "", "time at which friction had first weakened all the way", "s"},
     known<&FaultSample::weakening_time>,
     true,
     true,
     false,
     false,
     true},
    {{"friction", "", "coefficient of friction", "1"}, of<&FaultSample::friction>, false, true},
    {{"strength", "", "strength: cohesion and friction times pressure", "Pa"}, of<&FaultSample::strength>},
    {{"coulomb_stress", "", "Coulomb stress: shear stress less strength", "Pa"},
     [](const FaultSample& s) { return std::hypot(s.traction(1), s.traction(2)) - s.strength(); }},
    {{"state", "", "state variable of rate-and-state friction", ""}, of<&FaultSample::state>, false, true},
    {{"temperature_change", "", "temperature that slip has added in the middle of the fault", "K"},
     of<&FaultSample::warming>,
     false,
     true,
     false,
     true},
    {{"pore_pressure_change", "", "pressure that this has added to that of the fluid there", "Pa"},
     of<&FaultSample::pore_pressure>,
     false,
     true,
     false,
     true},
    {{"rupture_velocity", "", "speed of the rupture front along the fault", "m s-1"},
     [](const FaultSample& s) {
         const double speed = s.front_speed();
         return speed > 0.0 ? speed : unknown_yet;
     },
     false,
     false,
     true},
};

}  // namespace

std::vector<std::string> all_fault_field_names() {
    std::vector<std::string> names;
    for (const FaultField& field : fault_fields) names.emplace_back(field.names.name);
    return names;
}

const FaultField& find_fault_field(std::string_view name) {
    const auto* const found =
        std::ranges::find(fault_fields, name, [](const FaultField& field) { return field.names.name; });
    if (found == std::end(fault_fields))
        throw base::Defect("no output field of faults is named " + std::string(name));
    return *found;
}

simulation::FieldNames FaultField::names_under(std::string_view law) const {
    simulation::FieldNames all = names;
    if (of_state()) all.unit = find_law(law)->state_unit;
    return all;
}

}  // namespace groundswell::quake
