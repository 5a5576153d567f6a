#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Contents of a dataset, before any file exists: dimensions, variables, attributes, as in the netCDF classic
/// data model (with the 64-bit types of CDF-5). A plain value: filled by the caller, compared with a file on
/// reopening, and never changed by the library.
namespace groundswell::output {

enum class Type { character, int32, int64, float32, float64 };

/// Bytes of one value in the file.
std::int64_t size_of(Type type);
std::string_view name_of(Type type);  ///< char, int, int64, float, double (the words of CDL)

/// Type that holds values of char, std::int32_t, std::int64_t, float or double.
template <class T>
constexpr Type type_of() {
    if (std::is_same_v<T, char>) return Type::character;
    if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? Type::float32 : Type::float64;
    return sizeof(T) == 4 ? Type::int32 : Type::int64;
}

/// Calls `use` with a value of the type that has this one's values in memory, and returns what it returns.
template <class Use>
auto with_type(Type type, Use&& use) {
    if (type == Type::int32) return use(std::int32_t{});
    if (type == Type::int64) return use(std::int64_t{});
    if (type == Type::float32) return use(float{});
    return type == Type::float64 ? use(double{}) : use(char{});
}

/// A named list of values of one type; text is a string. The type in the file is that of the value, so a
/// `_FillValue` must be given in the type of its variable.
struct Attribute {
    using Value = std::variant<std::string, std::vector<std::int32_t>, std::vector<std::int64_t>,
                               std::vector<float>, std::vector<double>>;
    std::string name;
    Value value;

    Attribute(std::string name_, Value value_);
    Attribute(std::string name_, const char* text) : name(std::move(name_)), value(std::string(text)) {}
    Attribute(std::string name_, std::int32_t number)
        : name(std::move(name_)), value(std::vector<std::int32_t>{number}) {}
    Attribute(std::string name_, std::int64_t number)
        : name(std::move(name_)), value(std::vector<std::int64_t>{number}) {}
    Attribute(std::string name_, float number) : name(std::move(name_)), value(std::vector<float>{number}) {}
    Attribute(std::string name_, double number)
        : name(std::move(name_)), value(std::vector<double>{number}) {}

    /// Equal type, length and values; NaN equals NaN.
    friend bool operator==(const Attribute& a, const Attribute& b);
    /// As a CDL writer would show it, for messages.
    std::string text() const;
};

struct Dimension {
    std::string name;
    std::int64_t length = 0;  ///< > 0; without meaning when unlimited
    bool unlimited = false;   ///< the record dimension; at most one, by convention "time"
    friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Variable {
    std::string name;
    Type type = Type::float32;
    std::vector<std::string> dimensions;  ///< slowest first; the unlimited one, if any, stands first
    std::vector<Attribute> attributes;
    /// The dimension whose rows are spread over the ranks; empty: the first one after the record dimension.
    /// No property of the file: a reader may choose another.
    std::string distributed = {};
    friend bool operator==(const Variable&, const Variable&) = default;
};

/// Order of the values of one record of a variable (or of all of it, without records):
/// `segments` times `rows` rows of `row_width` values. Ranks own rows, each of them the same in all segments.
struct RowShape {
    std::int64_t segments = 1, rows = 1, row_width = 1;
    std::int64_t values() const { return segments * rows * row_width; }
    /// Number of a row among those of all segments.
    std::int64_t number(std::int64_t segment, std::int64_t row) const { return segment * rows + row; }
    friend bool operator==(const RowShape&, const RowShape&) = default;
};

struct Schema {
    std::vector<Dimension> dimensions;
    std::vector<Variable> variables;
    std::vector<Attribute> attributes;  ///< global

    /// Throws Refusal naming `file` when names are repeated or empty, a dimension is unknown or not positive,
    /// the unlimited dimension is not first or there are two, a variable is distributed along none of its
    /// other dimensions, or there are record variables but no `double` variable that is the coordinate of the
    /// record dimension.
    void validate(std::string_view file) const;

    const Variable* find(std::string_view variable) const;         ///< null when there is none
    const Dimension* find_dimension(std::string_view name) const;  ///< null when there is none
    const Dimension* record_dimension() const;                     ///< null when there is none
    bool is_record(const Variable& variable) const;                ///< its first dimension is unlimited

    /// The variable's dimensions without the record dimension, and their lengths.
    std::span<const std::string> shape_names(const Variable& variable) const;
    std::vector<std::int64_t> shape(const Variable& variable) const;
    /// The same by the dimension along which ranks own rows, or by any other: a Defect when the variable has
    /// none of this name, or it is the record dimension.
    RowShape row_shape(const Variable& variable) const { return row_shape(variable, variable.distributed); }
    RowShape row_shape(const Variable& variable, std::string_view dimension) const;
    /// Index within shape() of the dimension of rows.
    std::size_t row_axis(const Variable& variable) const { return row_axis(variable, variable.distributed); }
    std::size_t row_axis(const Variable& variable, std::string_view dimension) const;
    /// The first of shape(), 1 for a scalar; and the product of the others.
    std::int64_t rows(const Variable& variable) const;
    std::int64_t row_width(const Variable& variable) const;
    /// Bytes of all record variables in one record.
    std::int64_t record_bytes() const;
};

/// Global attributes that say how and when a file was made rather than what it holds: not compared.
bool is_provenance(std::string_view global_attribute);

/// The attribute, variable or dimension of this name; null when there is none.
template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
    const auto at = std::ranges::find(list, name, &Named::name);
    return at == list.end() ? nullptr : &*at;
}

/// The first difference in what must be equal for two files to be the same kind of file (order of dimensions,
/// variables and attributes does not matter), as text "KEY: FOUND, expected EXPECTED"; empty when there is
/// none.
struct Difference {
    std::string key, found, expected;
};
std::optional<Difference> first_difference(const Schema& found, const Schema& expected);

}  // namespace groundswell::output
