#include "groundswell/quake/fault/fields.hpp"

#include <algorithm>

#include "groundswell/quake/fault/law.hpp"

namespace groundswell::quake {

std::vector<std::string> all_fault_field_names() {
    std::vector<std::string> names;
    for (const auto& field : fault_field_names) names.emplace_back(field.name);
    return names;
}

std::vector<std::string> fault_field_names_of_places() {
    std::vector<std::string> names = all_fault_field_names();
    names.erase(names.begin() + static_cast<int>(FaultField::rupture_velocity));
    return names;
}

FaultField fault_field(const std::string& name) {
    return static_cast<FaultField>(std::ranges::find(fault_field_names, name, &simulation::FieldNames::name) -
                                   fault_field_names.begin());
}

simulation::FieldNames names_of(FaultField field, std::string_view law) {
    simulation::FieldNames names = fault_field_names[static_cast<std::size_t>(field)];
    if (field == FaultField::state) names.unit = find_law(law)->state_unit;
    return names;
}

}  // namespace groundswell::quake
