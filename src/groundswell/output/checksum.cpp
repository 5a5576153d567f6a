#include "groundswell/output/checksum.hpp"

#include <algorithm>
#include <cstring>

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

}  // namespace

std::uint64_t rows_checksum(std::int64_t first_row, std::span<const std::byte> values,
                            std::int64_t row_bytes) {
    GS_ASSERT(row_bytes > 0 && values.size() % static_cast<std::size_t>(row_bytes) == 0);
    const std::size_t rows = values.size() / static_cast<std::size_t>(row_bytes);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row =
            values.subspan(i * static_cast<std::size_t>(row_bytes), static_cast<std::size_t>(row_bytes));
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

Schema with_checksums(const Schema& schema) {
    Schema result = schema;
    for (const Variable& variable : schema.variables) {
        std::vector<std::string> dimensions;
        if (schema.is_record(variable)) dimensions.push_back(variable.dimensions.front());
        result.variables.push_back({checksum_name(variable.name),
                                    Type::int64,
                                    dimensions,
                                    {{"long_name", "checksum of " + variable.name}}});
    }
    return result;
}

}  // namespace groundswell::output
