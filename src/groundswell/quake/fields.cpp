#include "groundswell/quake/fields.hpp"

#include <algorithm>

namespace groundswell::quake {

std::vector<std::string> all_field_names() {
    std::vector<std::string> names;
    for (const auto& field : field_names) names.emplace_back(field.name);
    return names;
}

std::vector<std::string> all_cell_field_names() {
    std::vector<std::string> names = all_field_names();
    names.emplace_back(plastic_strain_names.name);
    return names;
}

const simulation::FieldNames& names_of_cell_field(const std::string& name) {
    return name == plastic_strain_names.name ? plastic_strain_names : field_names[field_index(name)];
}

int field_index(const std::string& name) {
    return static_cast<int>(std::ranges::find(field_names, name, &simulation::FieldNames::name) -
                            field_names.begin());
}

}  // namespace groundswell::quake
