#include "groundswell/c/input.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/c/guard.hpp"
#include "groundswell/c/handles.hpp"
#include "groundswell/output/distributed_read.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"

using namespace groundswell;
using c::guarded;
using c::need;

struct gs_input {
    MPI_Comm comm;
    output::Reader reader;
    output::Rearranger rearranger;
};

namespace {

const output::Attribute& attribute_of(const gs_input& input, const char* variable, std::string_view name) {
    const output::Schema& schema = input.reader.schema();
    const std::string& path = input.reader.path();
    const std::vector<output::Attribute>* attributes = &schema.attributes;
    if (variable != nullptr && *variable != '\0') {
        const output::Variable* found = schema.find(variable);
        base::require(found != nullptr, path, "variable", variable, "a variable of the file");
        attributes = &found->attributes;
    }
    const output::Attribute* at = output::find_named(*attributes, name);
    base::require(at != nullptr, path, "attribute", name, "an attribute of the file");
    return *at;
}

/// One variable, in the type of `values`.
template <class T>
void read(gs_input& input, const std::string& variable, std::int64_t record, std::int64_t count, T* values,
          const gs_rows* rows, std::string_view dimension) {
    const std::span<T> all(values, static_cast<std::size_t>(count));
    const output::Reader& reader = input.reader;
    if constexpr (!std::is_same_v<T, char>) {
        if (rows != nullptr) {
            const std::int64_t width = parallel::agree(input.comm, [&] {
                const output::Variable* found = reader.schema().find(variable);
                base::require(found != nullptr, reader.path(), "variable", variable,
                              "a variable of the file");
                const auto names = reader.schema().shape_names(*found);
                const bool has = dimension.empty() || std::ranges::count(names, dimension) > 0;
                base::require(has, reader.path(), variable, dimension, "a dimension that it has");
                const output::RowShape shape = reader.schema().row_shape(*found, dimension);
                if (count != shape.segments * rows->value.owned() * shape.row_width)
                    c::reject("not as many values as the owned rows hold");
                return shape.row_width;
            });
            output::read_distributed<T>(reader, variable, rows->value, input.rearranger, all, width, record,
                                        dimension);
            return;
        }
    }
    parallel::agree(input.comm, [&] {
        if (rows != nullptr) c::reject("text is read as a whole");
        const output::Variable* found = reader.schema().find(variable);
        base::require(found != nullptr, reader.path(), "variable", variable, "a variable of the file");
        if (count != reader.schema().row_shape(*found).values())
            c::reject("not as many values as the variable holds");
        reader.read<T>(variable, record, 0, reader.schema().rows(*found), all);
    });
}

}  // namespace

int gs_input_open(MPI_Comm comm, const char* path, gs_input** input) {
    return guarded(__func__, [&] {
        parallel::agree(comm, [&] {
            need(input, "input") = nullptr;
            *input = new gs_input{comm, output::Reader(&need(path, "path")), output::Rearranger()};
        });
    });
}

int gs_input_close(gs_input** input) {
    return c::destroy(input);
}

int gs_input_records(const gs_input* input, int64_t* count) {
    return guarded(__func__, [&] { need(count, "count") = need(input, "input").reader.records(); });
}

int gs_input_length(const gs_input* input, const char* dimension, int64_t* length) {
    return guarded(__func__, [&] {
        const output::Reader& reader = need(input, "input").reader;
        const std::string_view name = &need(dimension, "dimension");
        const output::Dimension* found = reader.schema().find_dimension(name);
        base::require(found != nullptr, reader.path(), "dimension", name, "a dimension of the file");
        need(length, "length") = found->unlimited ? reader.records() : found->length;
    });
}

int gs_input_text(const gs_input* input, const char* variable, const char* name, int64_t capacity,
                  char* text) {
    return guarded(__func__, [&] {
        const gs_input& file = need(input, "input");
        const output::Attribute& found = attribute_of(file, variable, &need(name, "name"));
        const auto* value = std::get_if<std::string>(&found.value);
        base::require(value != nullptr, file.reader.path(), name, found.text(), "text");
        base::require(static_cast<std::int64_t>(value->size()) < capacity, file.reader.path(), name,
                      found.text(), "text of less than " + std::to_string(capacity) + " characters");
        *std::ranges::copy(*value, &need(text, "text")).out = '\0';
    });
}

int gs_input_numbers(const gs_input* input, const char* variable, const char* name, int64_t count,
                     double* numbers) {
    return guarded(__func__, [&] {
        const gs_input& file = need(input, "input");
        const output::Attribute& found = attribute_of(file, variable, &need(name, "name"));
        std::visit(
            [&](const auto& values) {
                using List = std::decay_t<decltype(values)>;
                const bool fits =
                    !std::is_same_v<List, std::string> && static_cast<std::int64_t>(values.size()) == count;
                base::require(fits, file.reader.path(), name, found.text(),
                              std::to_string(count) + " numbers");
                for (std::size_t i = 0; i < values.size(); ++i)
                    (&need(numbers, "numbers"))[i] = static_cast<double>(values[i]);
            },
            found.value);
    });
}

int gs_input_read(gs_input* input, const char* variable, gs_type type, int64_t record, int64_t count,
                  void* values, const gs_rows* rows, const char* dimension) {
    return guarded(__func__, [&] {
        gs_input& file = need(input, "input");
        const output::Type wanted = parallel::agree(file.comm, [&] {
            need(variable, "variable");
            if (count < 0) c::reject("a negative number of values");
            if (count > 0) need(static_cast<char*>(values), "values");
            return c::type_of(type);
        });
        const std::string_view along = dimension == nullptr ? "" : dimension;
        output::with_type(wanted, [&]<class T>(T) {
            read<T>(file, variable, record, count, static_cast<T*>(values), rows, along);
        });
    });
}
