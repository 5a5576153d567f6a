#include "groundswell/output/checksum.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

namespace {

constexpr std::string_view suffix = "_checksum";

/// Spreads every bit of `x` over all 64: the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast
/// splittable pseudorandom number generators, OOPSLA 2014, figure 16, variant 13 of D. Stafford).
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Takes the bytes up as 64-bit words, the last one filled with zeros.
std::uint64_t taken_up(std::span<const std::byte> bytes, std::uint64_t sum) {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    return sum;
}

/// With its length: a text may end in zeros.
std::uint64_t hash_of(std::string_view line) {
    return mixed(taken_up(std::as_bytes(std::span(line)), mixed(line.size())));
}

/// Checksum of attributes, with the name of the variable that has them, or none.
std::uint64_t sum_of(const std::vector<Attribute>& attributes, std::string_view owner) {
    std::uint64_t sum = 0;
    for (const Attribute& attribute : attributes) {
        if (owner.empty() && (is_provenance(attribute.name) || attribute.name == header_checksum_name))
            continue;
        std::visit(
            [&](const auto& values) {
                using Value = typename std::decay_t<decltype(values)>::value_type;
                std::string line = fmt::format("{}:{} {} ", owner, attribute.name, name_of(type_of<Value>()));
                line.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
                sum += hash_of(line);
            },
            attribute.value);
    }
    return sum;
}

}  // namespace

std::uint64_t rows_checksum(std::int64_t first_row, std::span<const std::byte> values,
                            std::int64_t row_bytes) {
    GS_ASSERT(row_bytes > 0 && values.size() % static_cast<std::size_t>(row_bytes) == 0);
    const std::size_t rows = values.size() / static_cast<std::size_t>(row_bytes);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row = values.subspan(i * static_cast<std::size_t>(row_bytes), row_bytes);
        sum += mixed(taken_up(row, mixed(static_cast<std::uint64_t>(first_row) + i + 1)));
    }
    return sum;
}

std::string checksum_name(std::string_view variable) {
    return std::string(variable) + std::string(suffix);
}

std::string_view checked_variable(const Schema& schema, std::string_view name) {
    if (!name.ends_with(suffix)) return {};
    const std::string_view variable = name.substr(0, name.size() - suffix.size());
    return schema.find(variable) != nullptr ? variable : std::string_view();
}

RowShape checked_rows(const Schema& schema, const Variable& variable, const Variable& checksum) {
    for (const Attribute& attribute : checksum.attributes) {
        const auto* name = std::get_if<std::string>(&attribute.value);
        if (attribute.name == row_dimension_name && name != nullptr &&
            std::ranges::count(schema.shape_names(variable), *name) > 0)
            return schema.row_shape(variable, *name);
    }
    return schema.row_shape(variable, "");
}

std::int64_t header_checksum(const Schema& schema) {
    std::uint64_t sum = sum_of(schema.attributes, "");
    for (const Dimension& dimension : schema.dimensions)
        sum += hash_of(fmt::format("{} {}", dimension.name,
                                   dimension.unlimited ? "unlimited" : std::to_string(dimension.length)));
    for (const Variable& variable : schema.variables)
        sum += hash_of(fmt::format("{} {}({})", name_of(variable.type), variable.name,
                                   fmt::join(variable.dimensions, ","))) +
               sum_of(variable.attributes, variable.name);
    return static_cast<std::int64_t>(sum);
}

std::optional<bool> is_header_true(const Schema& schema) {
    const Attribute* sum = find_named(schema.attributes, header_checksum_name);
    if (sum == nullptr) return std::nullopt;
    return *sum == Attribute(header_checksum_name, header_checksum(schema));
}

Schema with_checksums(const Schema& schema) {
    Schema result = schema;
    for (const Variable& variable : schema.variables) {
        std::vector<std::string> dimensions;
        if (schema.is_record(variable)) dimensions.push_back(variable.dimensions.front());
        result.variables.push_back({checksum_name(variable.name),
                                    Type::int64,
                                    dimensions,
                                    {{"long_name", "checksum of " + variable.name}}});
        if (schema.row_axis(variable) > 0)
            result.variables.back().attributes.emplace_back(row_dimension_name, variable.distributed);
    }
    result.attributes.emplace_back(header_checksum_name, header_checksum(result));
    return result;
}

}  // namespace groundswell::output
