#include "groundswell/quake/fault/fields.hpp"

#include <algorithm>

namespace groundswell::quake {

std::vector<std::string> all_fault_field_names() {
    std::vector<std::string> names;
    for (const auto& field : fault_field_names) names.emplace_back(field.name);
    return names;
}

FaultField fault_field(const std::string& name) {
    return static_cast<FaultField>(std::ranges::find(fault_field_names, name, &simulation::FieldNames::name) -
                                   fault_field_names.begin());
}

}  // namespace groundswell::quake
