#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
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

output::Variable& variable_of(gs_schema& schema, const char* variable) {
    for (output::Variable& each : schema.value.variables)
        if (each.name == variable) return each;
    base::refuse("schema", "variable", variable, "a variable of this schema");
}

std::vector<output::Attribute>& attributes_of(gs_schema& schema, const char* variable) {
    if (variable == nullptr || *variable == '\0') return schema.value.attributes;
    return variable_of(schema, variable).attributes;
}

output::Attribute attribute_of(const char* name, output::Type type, int count, const void* values) {
    if (type == output::Type::character) c::reject("text is the affair of gs_schema_text");
    return output::with_type(type, [&]<class T>(T) {
        const auto* first = static_cast<const T*>(values);
        if constexpr (std::is_same_v<T, char>)
            return output::Attribute(name, std::string(first, first + count));
        else
            return output::Attribute(name, std::vector<T>(first, first + count));
    });
}

}  // namespace

output::Type c::type_of(gs_type type) {
    static_assert(static_cast<int>(output::Type::character) == GS_CHARACTER &&
                  static_cast<int>(output::Type::float64) == GS_FLOAT64);
    if (type < GS_CHARACTER || type > GS_FLOAT64) reject("no such type");
    return static_cast<output::Type>(type);
}

int gs_schema_create(gs_schema** schema) {
    return guarded(__func__, [&] { need(schema, "schema") = new gs_schema; });
}

int gs_schema_destroy(gs_schema** schema) {
    return c::destroy(schema);
}

int gs_schema_dimension(gs_schema* schema, const char* name, int64_t length) {
    return guarded(__func__, [&] {
        const bool unlimited = length == GS_UNLIMITED;
        const output::Dimension dimension{&need(name, "name"), unlimited ? 0 : length, unlimited};
        need(schema, "schema").value.dimensions.push_back(dimension);
    });
}

int gs_schema_variable(gs_schema* schema, const char* name, gs_type type, int count,
                       const char* const* dimensions) {
    return guarded(__func__, [&] {
        output::Variable variable;
        variable.name = &need(name, "name");
        variable.type = c::type_of(type);
        if (count > 0) need(dimensions, "dimensions");
        for (int i = 0; i < count; ++i) variable.dimensions.emplace_back(&need(dimensions[i], "a dimension"));
        need(schema, "schema").value.variables.push_back(variable);
    });
}

int gs_schema_distributed(gs_schema* schema, const char* variable, const char* dimension) {
    return guarded(__func__, [&] {
        variable_of(need(schema, "schema"), &need(variable, "variable")).distributed =
            &need(dimension, "dimension");
    });
}

int gs_schema_text(gs_schema* schema, const char* variable, const char* name, const char* text) {
    return guarded(__func__, [&] {
        attributes_of(need(schema, "schema"), variable)
            .emplace_back(&need(name, "name"), &need(text, "text"));
    });
}

int gs_schema_numbers(gs_schema* schema, const char* variable, const char* name, gs_type type, int count,
                      const void* values) {
    return guarded(__func__, [&] {
        if (count < 1 || values == nullptr) c::reject("no values given");
        std::vector<output::Attribute>& attributes = attributes_of(need(schema, "schema"), variable);
        attributes.push_back(attribute_of(&need(name, "name"), c::type_of(type), count, values));
    });
}

int gs_rows_create(MPI_Comm comm, int64_t global_count, int64_t owned_count, const int64_t* owned,
                   gs_rows** rows) {
    return guarded(__func__, [&] {
        parallel::agree(comm, [&] {
            need(rows, "rows") = nullptr;
            if (owned_count < 0 || global_count < 0) c::reject("a negative number of rows");
            if (owned_count > 0) need(owned, "owned");
        });
        const std::span<const std::int64_t> mine(owned, static_cast<std::size_t>(owned_count));
        *rows = new gs_rows{output::Decomposition(comm, global_count, mine)};
    });
}

int gs_rows_destroy(gs_rows** rows) {
    return c::destroy(rows);
}
