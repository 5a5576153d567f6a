#include "groundswell/output/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::output {

namespace {

/// The type in which values are held here; empty for strings and user-defined types.
std::optional<Type> type_held(netcdf::Held held) {
    static_assert(static_cast<int>(netcdf::Held::float64) == static_cast<int>(Type::float64));
    return held == netcdf::Held::other ? std::nullopt : std::optional(static_cast<Type>(held));
}

std::vector<Attribute> in_schema(std::vector<netcdf::Reader::Attribute> attributes) {
    std::vector<Attribute> result;
    for (auto& each : attributes) result.emplace_back(std::move(each.name), std::move(each.value));
    return result;
}

}  // namespace

/// The file in the terms of a schema.
struct Reader::Implementation {
    explicit Implementation(const std::string& path) : file(path) {
        bool has_records = false;
        for (const netcdf::Reader::Dimension& each : file.dimensions()) {
            const bool unlimited = each.unlimited && !has_records;  // of several the first
            const auto length = static_cast<std::int64_t>(each.length);
            schema.dimensions.push_back({each.name, unlimited ? 0 : length, unlimited});
            if (unlimited) records = length;
            has_records = has_records || unlimited;
        }
        for (const netcdf::Reader::Variable& each : file.variables()) {
            const auto type = type_held(each.held);
            if (!type) continue;
            Variable variable{each.name, *type, {}, in_schema(file.attributes(each))};
            for (const auto& dimension : each.dimensions) variable.dimensions.push_back(dimension.name);
            schema.variables.push_back(std::move(variable));
        }
        schema.attributes = in_schema(file.attributes());
    }

    const netcdf::Reader::Variable& in_file(const Variable& variable) const {
        return *file.find(variable.name);
    }

    netcdf::Reader file;
    Schema schema;
    std::int64_t records = 0;
};

Reader::Reader(const std::string& path) : implementation_(std::make_unique<Implementation>(path)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

const std::string& Reader::path() const {
    return implementation_->file.path();
}
const Schema& Reader::schema() const {
    return implementation_->schema;
}
std::int64_t Reader::records() const {
    return implementation_->records;
}

namespace {

const Attribute& global_attribute(const Schema& schema, const std::string& path, std::string_view name) {
    const Attribute* at = find_named(schema.attributes, name);
    base::require(at != nullptr, path, "attribute", name, "a global attribute of the file");
    return *at;
}

}  // namespace

std::string Reader::text_attribute(std::string_view name) const {
    const Attribute& attribute = global_attribute(schema(), path(), name);
    const auto* text = std::get_if<std::string>(&attribute.value);
    base::require(text != nullptr, path(), name, attribute.text(), "text");
    return *text;
}

std::int64_t Reader::whole_attribute(std::string_view name) const {
    const Attribute& attribute = global_attribute(schema(), path(), name);
    return std::visit(
        [&](const auto& values) -> std::int64_t {
            if constexpr (std::is_integral_v<typename std::decay_t<decltype(values)>::value_type> &&
                          !std::is_same_v<std::decay_t<decltype(values)>, std::string>)
                if (!values.empty()) return values.front();
            base::refuse(path(), name, attribute.text(), "a whole number");
        },
        attribute.value);
}

double Reader::number_attribute(std::string_view name) const {
    const Attribute& attribute = global_attribute(schema(), path(), name);
    return std::visit(
        [&](const auto& values) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::string>) {
                base::refuse(path(), name, attribute.text(), "a number");
            } else {
                base::require(!values.empty(), path(), name, "", "a number");
                return static_cast<double>(values.front());
            }
        },
        attribute.value);
}

template <class T>
void Reader::read(std::string_view variable, std::int64_t record, std::int64_t first, std::int64_t count,
                  std::span<T> values) const {
    read_rows<T>(variable, "", record, first, count, values);
}

template <class T>
void Reader::read_rows(std::string_view variable, std::string_view dimension, std::int64_t record,
                       std::int64_t first, std::int64_t count, std::span<T> values) const {
    const Schema& known = schema();
    const Variable* found = known.find(variable);
    base::require(found != nullptr, path(), "variable", variable, "a variable of the file");
    const auto names = known.shape_names(*found);
    base::require(dimension.empty() || std::ranges::count(names, dimension) > 0, path(), variable,
                  fmt::format("({})", fmt::join(names, ", ")), fmt::format("rows along {}", dimension));
    const RowShape shape = known.row_shape(*found, dimension);
    GS_ASSERT(static_cast<std::int64_t>(values.size()) == shape.segments * count * shape.row_width);
    base::require(first >= 0 && count >= 0 && first + count <= shape.rows, path(), variable,
                  fmt::format("rows {} to {}", first, first + count - 1),
                  fmt::format("rows 0 to {}", shape.rows - 1));
    base::require((found->type == Type::character) == std::is_same_v<T, char>, path(), variable,
                  name_of(found->type), std::is_same_v<T, char> ? "text" : "numbers");
    if (count == 0) return;
    std::vector<std::size_t> start, edge;
    if (known.is_record(*found)) {
        base::require(record >= 0 && record < records(), path(), variable, fmt::format("record {}", record),
                      fmt::format("one of the file's {} records", records()));
        start.push_back(static_cast<std::size_t>(record));
        edge.push_back(1);
    }
    const std::size_t row = start.size() + known.row_axis(*found, dimension);
    for (const std::int64_t length : known.shape(*found)) {
        start.push_back(0);
        edge.push_back(static_cast<std::size_t>(length));
    }
    if (row < start.size()) {
        start[row] = static_cast<std::size_t>(first);
        edge[row] = static_cast<std::size_t>(count);
    }
    implementation_->file.read<T>(implementation_->in_file(*found), start, edge, values.data());
}

template <class T>
std::vector<T> Reader::read_all(std::string_view variable, std::int64_t record) const {
    const Variable* found = schema().find(variable);
    base::require(found != nullptr, path(), "variable", variable, "a variable of the file");
    const std::int64_t rows = schema().rows(*found);
    std::vector<T> values(rows * schema().row_width(*found));
    read<T>(variable, record, 0, rows, values);
    return values;
}

#define GROUNDSWELL_INSTANTIATE(T)                                                                          \
    template void Reader::read<T>(std::string_view, std::int64_t, std::int64_t, std::int64_t, std::span<T>) \
        const;                                                                                              \
    template void Reader::read_rows<T>(std::string_view, std::string_view, std::int64_t, std::int64_t,      \
                                       std::int64_t, std::span<T>) const;                                   \
    template std::vector<T> Reader::read_all<T>(std::string_view, std::int64_t) const;
GROUNDSWELL_INSTANTIATE(char)
GROUNDSWELL_INSTANTIATE(std::int32_t)
GROUNDSWELL_INSTANTIATE(std::int64_t)
GROUNDSWELL_INSTANTIATE(float)
GROUNDSWELL_INSTANTIATE(double)
#undef GROUNDSWELL_INSTANTIATE

}  // namespace groundswell::output
