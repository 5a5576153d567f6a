#include "groundswell/output/schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

// Not inline: GCC 12 takes the destructor of what it moved from for one of something never made.
Attribute::Attribute(std::string name_, Value value_) : name(std::move(name_)), value(std::move(value_)) {}

using base::require;

std::int64_t size_of(Type type) {
    return with_type(type, [](auto value) { return static_cast<std::int64_t>(sizeof value); });
}

std::string_view name_of(Type type) {
    constexpr std::string_view names[] = {"char", "int", "int64", "float", "double"};
    return names[static_cast<std::size_t>(type)];
}

bool operator==(const Attribute& a, const Attribute& b) {
    if (a.name != b.name || a.value.index() != b.value.index()) return false;
    return std::visit(
        [&b](const auto& left) {
            const auto& right = std::get<std::decay_t<decltype(left)>>(b.value);
            return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](auto x, auto y) {
                if constexpr (std::is_floating_point_v<decltype(x)>) {
                    if (std::isnan(x) && std::isnan(y)) return true;
                }
                return x == y;
            });
        },
        a.value);
}

std::string Attribute::text() const {
    return std::visit(
        [](const auto& values) {
            using T = std::decay_t<decltype(values)>;
            if constexpr (std::is_same_v<T, std::string>) {
                return fmt::format("\"{}\"", values);
            } else {
                std::string list(name_of(type_of<typename T::value_type>()));
                for (const auto each : values) list += fmt::format(" {}", each);
                return list;
            }
        },
        value);
}

const Variable* Schema::find(std::string_view variable) const {
    return find_named(variables, variable);
}

const Dimension* Schema::find_dimension(std::string_view name) const {
    return find_named(dimensions, name);
}

const Dimension* Schema::record_dimension() const {
    const auto at = std::ranges::find(dimensions, true, &Dimension::unlimited);
    return at == dimensions.end() ? nullptr : &*at;
}

bool Schema::is_record(const Variable& variable) const {
    const Dimension* record = record_dimension();
    return record && !variable.dimensions.empty() && variable.dimensions.front() == record->name;
}

std::span<const std::string> Schema::shape_names(const Variable& variable) const {
    return std::span(variable.dimensions).subspan(is_record(variable) ? 1 : 0);
}

std::vector<std::int64_t> Schema::shape(const Variable& variable) const {
    std::vector<std::int64_t> lengths;
    for (const std::string& name : shape_names(variable)) {
        const Dimension* dimension = find_dimension(name);
        GS_ASSERT(dimension != nullptr);
        lengths.push_back(dimension->length);
    }
    return lengths;
}

std::int64_t Schema::rows(const Variable& variable) const {
    const auto lengths = shape(variable);
    return lengths.empty() ? 1 : lengths.front();
}

std::int64_t Schema::row_width(const Variable& variable) const {
    const auto lengths = shape(variable);
    std::int64_t width = 1;
    for (std::size_t i = 1; i < lengths.size(); ++i) width *= lengths[i];
    return width;
}

std::size_t Schema::row_axis(const Variable& variable, std::string_view dimension) const {
    if (dimension.empty()) return 0;
    const auto names = shape_names(variable);
    const auto found = std::ranges::find(names, dimension);
    if (found == names.end())
        throw base::Defect(fmt::format("{} has no rows along {}", variable.name, dimension));
    return static_cast<std::size_t>(found - names.begin());
}

RowShape Schema::row_shape(const Variable& variable, std::string_view dimension) const {
    const std::size_t axis = row_axis(variable, dimension);
    const std::vector<std::int64_t> lengths = shape(variable);
    RowShape result;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        (i < axis ? result.segments : i == axis ? result.rows : result.row_width) *= lengths[i];
    return result;
}

std::int64_t Schema::record_bytes() const {
    std::int64_t bytes = 0;
    for (const Variable& variable : variables)
        if (is_record(variable)) bytes += row_shape(variable).values() * size_of(variable.type);
    return bytes;
}

namespace {

template <class Named>
void require_distinct_names(const std::vector<Named>& list, std::string_view kind, std::string_view file) {
    std::set<std::string_view> seen;
    for (const Named& each : list) {
        require(!each.name.empty(), file, kind, "\"\"", "a name");
        require(seen.insert(each.name).second, file, kind, each.name, "a name that is used once");
    }
}

}  // namespace

void Schema::validate(std::string_view file) const {
    require_distinct_names(dimensions, "dimension", file);
    require_distinct_names(variables, "variable", file);
    require_distinct_names(attributes, "attribute", file);
    int unlimited = 0;
    for (const Dimension& dimension : dimensions) {
        unlimited += dimension.unlimited ? 1 : 0;
        require(dimension.unlimited || dimension.length > 0, file, "dimension " + dimension.name,
                std::to_string(dimension.length), "a positive length");
    }
    require(unlimited <= 1, file, "unlimited dimensions", std::to_string(unlimited), "at most one");
    for (const Variable& variable : variables) {
        require_distinct_names(variable.attributes, "attribute of " + variable.name, file);
        for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
            const Dimension* dimension = find_dimension(variable.dimensions[i]);
            require(dimension != nullptr, file, "dimension of " + variable.name, variable.dimensions[i],
                    "a dimension of the file");
            require(!dimension->unlimited || i == 0, file, "dimension of " + variable.name, dimension->name,
                    "the unlimited dimension to be the first");
        }
        require(variable.distributed.empty() ||
                    std::ranges::count(shape_names(variable), variable.distributed) == 1,
                file, "distributed dimension of " + variable.name, variable.distributed,
                "one of its dimensions, not the unlimited one");
    }
    if (const Dimension* record = record_dimension()) {
        const Variable* coordinate = find(record->name);
        require(coordinate && coordinate->type == Type::float64 && coordinate->dimensions.size() == 1 &&
                    is_record(*coordinate),
                file, "variable " + record->name, "",
                "a coordinate of type double along the unlimited dimension");
    }
}

bool is_provenance(std::string_view name) {
    return name == "history" || name == "date_created" || name == "groundswell_case" ||
           name == "groundswell_inputs" || name == "groundswell_run" || name == "groundswell_build";
}

namespace {

std::string describe_dimension(const Dimension& dimension) {
    return dimension.unlimited ? "unlimited" : std::to_string(dimension.length);
}

std::string describe_variable(const Variable& variable) {
    std::string list;
    for (const std::string& name : variable.dimensions) list += (list.empty() ? "" : ", ") + name;
    return std::string(name_of(variable.type)) + "(" + list + ")";
}

/// First name that only one list has, or that both have with another text. `ignore` says which do not count.
template <class Named, class Describe, class Ignore>
std::optional<Difference> compare_lists(const std::string& kind, const std::vector<Named>& found,
                                        const std::vector<Named>& expected, Describe describe,
                                        Ignore ignore) {
    for (const Named& each : expected) {
        if (ignore(each.name)) continue;
        const Named* other = find_named(found, each.name);
        if (other == nullptr) return Difference{kind + each.name, "missing", describe(each)};
        if (!(*other == each) && describe(*other) != describe(each))
            return Difference{kind + each.name, describe(*other), describe(each)};
    }
    for (const Named& each : found) {
        if (!ignore(each.name) && find_named(expected, each.name) == nullptr) {
            return Difference{kind + each.name, describe(each), "nothing of this name"};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Difference> first_difference(const Schema& found, const Schema& expected) {
    const auto none = [](const std::string&) { return false; };
    const auto attribute_text = [](const Attribute& attribute) { return attribute.text(); };
    if (auto difference =
            compare_lists("dimension ", found.dimensions, expected.dimensions, describe_dimension, none)) {
        return difference;
    }
    if (auto difference =
            compare_lists("variable ", found.variables, expected.variables, describe_variable, none)) {
        return difference;
    }
    for (const Variable& variable : expected.variables) {
        if (auto difference = compare_lists(variable.name + ":", found.find(variable.name)->attributes,
                                            variable.attributes, attribute_text, none)) {
            return difference;
        }
    }
    return compare_lists("attribute ", found.attributes, expected.attributes, attribute_text, is_provenance);
}

}  // namespace groundswell::output
