#include "groundswell/lab/described.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

namespace groundswell::lab {

namespace {

using Dimensions = std::vector<std::pair<std::string, std::int64_t>>;

std::string attribute(const output::Variable& variable, std::string_view name) {
    const output::Attribute* found = output::find_named(variable.attributes, name);
    const auto* text = found != nullptr ? std::get_if<std::string>(&found->value) : nullptr;
    return text != nullptr ? *text : "";
}

Described describe_one(const output::Variable& variable, const Dimensions& dimensions, const void* values) {
    Described made{variable.name,
                   attribute(variable, "units"),
                   attribute(variable, "long_name"),
                   attribute(variable, "standard_name"),
                   "",
                   "",
                   {}};
    made.value.type = static_cast<gs_type>(variable.type);
    made.value.values = const_cast<void*>(values);
    made.value.stride = 1;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        made.dimensions += fmt::format("{} {} ", dimensions[d].first, dimensions[d].second);
        if (d > 0) made.value.stride *= dimensions[d].second;
    }
    return made;
}

}  // namespace

gs_variable Described::view() const {
    gs_variable made = value;
    made.name = name.c_str();
    made.units = units.c_str();
    made.long_name = long_name.c_str();
    made.standard_name = standard_name.c_str();
    made.dimensions = dimensions.c_str();
    made.distributed = distributed.c_str();
    return made;
}

std::vector<Described> describe(const simulation::State& state) {
    std::vector<Described> all;
    for (const simulation::StateVariable& each : state.variables) {
        Dimensions dimensions;
        for (const std::string& name : each.variable.dimensions) {
            const auto known = std::ranges::find(state.dimensions, name, &simulation::State::Dimension::name);
            dimensions.emplace_back(name, known != state.dimensions.end() ? known->length : 0);
        }
        if (each.rows != nullptr) dimensions.front().second = each.rows->owned();
        all.push_back(describe_one(each.variable, dimensions, each.data));
        all.back().value.stride = each.stride;
        all.back().value.writable = each.is_read ? 1 : 0;
        if (each.rows != nullptr) all.back().distributed = dimensions.front().first;
    }
    return all;
}

std::vector<Described> describe(const output::Schema& schema, const std::vector<output::Values>& record) {
    std::vector<Described> all;
    for (const output::Values& values : record) {
        const output::Variable* const variable = schema.find(values.variable);
        if (variable == nullptr || (values.decomposition == nullptr && values.count == 0)) continue;
        Dimensions dimensions;
        const auto lengths = schema.shape(*variable);
        for (std::size_t d = 0; d < lengths.size(); ++d)
            dimensions.emplace_back(schema.shape_names(*variable)[d], lengths[d]);
        std::string distributed;
        if (values.decomposition != nullptr) {
            auto& rows = dimensions[schema.row_axis(*variable)];
            rows.second = values.decomposition->owned();
            distributed = rows.first;
        }
        all.push_back(describe_one(*variable, dimensions, values.data));
        all.back().distributed = distributed;
        if (values.row_stride > 0) all.back().value.stride = values.row_stride;
    }
    return all;
}

}  // namespace groundswell::lab
