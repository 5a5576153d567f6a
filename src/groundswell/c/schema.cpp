#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/c/guard.hpp"
#include "groundswell/c/handles.hpp"
#include "groundswell/c/output.h"
#include "groundswell/parallel/agree.hpp"

using namespace groundswell;
using c::guarded;
using c::need;

namespace {

template <class T>
std::vector<T> numbers(int count, const void* values) {
    const auto* first = static_cast<const T*>(values);
    return {first, first + count};
}

output::Variable& variable_of(gs_schema& schema, const char* variable) {
    for (output::Variable& each : schema.value.variables) {
        if (each.name == variable) return each;
    }
    base::refuse("schema", "variable", variable, "a variable of this schema");
}

std::vector<output::Attribute>& attributes_of(gs_schema& schema, const char* variable) {
    if (variable == nullptr || *variable == '\0') return schema.value.attributes;
    return variable_of(schema, variable).attributes;
}

output::Attribute attribute_of(const char* name, output::Type type, int count, const void* values) {
    switch (type) {
        case output::Type::int32:
            return {name, numbers<std::int32_t>(count, values)};
        case output::Type::int64:
            return {name, numbers<std::int64_t>(count, values)};
        case output::Type::float32:
            return {name, numbers<float>(count, values)};
        case output::Type::float64:
            return {name, numbers<double>(count, values)};
        case output::Type::character:
            break;
    }
    c::reject("gs_schema_numbers", "text is the affair of gs_schema_text");
}

}  // namespace

output::Type c::type_of(gs_type type, std::string_view function) {
    switch (type) {
        case GS_CHARACTER:
            return output::Type::character;
        case GS_INT32:
            return output::Type::int32;
        case GS_INT64:
            return output::Type::int64;
        case GS_FLOAT32:
            return output::Type::float32;
        case GS_FLOAT64:
            return output::Type::float64;
    }
    reject(function, "no such type");
}

int gs_schema_create(gs_schema** schema) {
    return guarded([&] { need(schema, "gs_schema_create", "schema") = new gs_schema; });
}

int gs_schema_destroy(gs_schema** schema) {
    return c::destroy(schema);
}

int gs_schema_dimension(gs_schema* schema, const char* name, int64_t length) {
    return guarded([&] {
        constexpr std::string_view function = "gs_schema_dimension";
        output::Dimension dimension;
        dimension.name = &need(name, function, "name");
        dimension.unlimited = length == GS_UNLIMITED;
        dimension.length = dimension.unlimited ? 0 : length;
        need(schema, function, "schema").value.dimensions.push_back(dimension);
    });
}

int gs_schema_variable(gs_schema* schema, const char* name, gs_type type, int count,
                       const char* const* dimensions) {
    return guarded([&] {
        constexpr std::string_view function = "gs_schema_variable";
        output::Variable variable;
        variable.name = &need(name, function, "name");
        variable.type = c::type_of(type, function);
        if (count > 0) need(dimensions, function, "dimensions");
        for (int i = 0; i < count; ++i) {
            variable.dimensions.emplace_back(&need(dimensions[i], function, "a dimension"));
        }
        need(schema, function, "schema").value.variables.push_back(variable);
    });
}

int gs_schema_distributed(gs_schema* schema, const char* variable, const char* dimension) {
    return guarded([&] {
        constexpr std::string_view function = "gs_schema_distributed";
        variable_of(need(schema, function, "schema"), &need(variable, function, "variable")).distributed =
            &need(dimension, function, "dimension");
    });
}

int gs_schema_text(gs_schema* schema, const char* variable, const char* name, const char* text) {
    return guarded([&] {
        constexpr std::string_view function = "gs_schema_text";
        attributes_of(need(schema, function, "schema"), variable)
            .emplace_back(&need(name, function, "name"), &need(text, function, "text"));
    });
}

int gs_schema_numbers(gs_schema* schema, const char* variable, const char* name, gs_type type, int count,
                      const void* values) {
    return guarded([&] {
        constexpr std::string_view function = "gs_schema_numbers";
        if (count < 1 || values == nullptr) c::reject(function, "no values given");
        std::vector<output::Attribute>& attributes =
            attributes_of(need(schema, function, "schema"), variable);
        attributes.push_back(
            attribute_of(&need(name, function, "name"), c::type_of(type, function), count, values));
    });
}

int gs_rows_create(MPI_Comm comm, int64_t global_count, int64_t owned_count, const int64_t* owned,
                   gs_rows** rows) {
    return guarded([&] {
        constexpr std::string_view function = "gs_rows_create";
        parallel::agree(comm, [&] {
            need(rows, function, "rows") = nullptr;
            if (owned_count < 0 || global_count < 0) c::reject(function, "a negative number of rows");
            if (owned_count > 0) need(owned, function, "owned");
        });
        const std::span<const std::int64_t> mine(owned, static_cast<std::size_t>(owned_count));
        *rows = new gs_rows{output::Decomposition(comm, global_count, mine)};
    });
}

int gs_rows_destroy(gs_rows** rows) {
    return c::destroy(rows);
}
