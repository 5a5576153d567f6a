#include "groundswell/output/check/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "groundswell/output/reader.hpp"

namespace groundswell::output {

namespace {

template <class T>
bool all_finite_of(const Values& values, std::int64_t width) {
    const T* const data = reinterpret_cast<const T*>(values.data);
    const std::int64_t stride = values.row_stride > 0 ? values.row_stride : width;
    for (std::int64_t row = 0; row < values.count; row += stride) {
        const std::int64_t end = std::min(row + width, values.count);
        if (!std::all_of(data + row, data + end, [](T value) { return std::isfinite(value); })) return false;
    }
    return true;
}

// Number of values in one record of a variable that are not finite, and the first of them, counted from 0.
template <class T>
std::pair<std::int64_t, std::int64_t> count_not_finite(const Reader& reader, const Variable& variable,
                                                       std::int64_t record) {
    constexpr std::int64_t values_at_once = std::int64_t{1} << 19;
    const std::int64_t rows = reader.schema().rows(variable), width = reader.schema().row_width(variable);
    const std::int64_t piece = std::max<std::int64_t>(1, values_at_once / std::max<std::int64_t>(1, width));
    std::vector<T> values;
    std::int64_t found = 0, first = -1;
    for (std::int64_t row = 0; row < rows; row += piece) {
        const std::int64_t count = std::min(piece, rows - row);
        values.resize(static_cast<std::size_t>(count * width));
        reader.read<T>(variable.name, record, row, count, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i])) continue;
            if (found++ == 0) first = row * width + static_cast<std::int64_t>(i);
        }
    }
    return {found, first};
}

}  // namespace

bool all_finite(const Schema& schema, const Values& values) {
    const Variable* const variable = schema.find(values.variable);
    if (variable == nullptr || values.count == 0) return true;
    const std::int64_t width =
        values.row_stride > 0 ? std::max<std::int64_t>(1, schema.row_width(*variable)) : values.count;
    if (values.type == Type::float32) return all_finite_of<float>(values, width);
    if (values.type == Type::float64) return all_finite_of<double>(values, width);
    return true;
}

std::vector<std::string> find_not_finite(const std::string& path) {
    const Reader reader(path);
    std::vector<std::string> problems;
    for (const Variable& variable : reader.schema().variables) {
        if (variable.type != Type::float32 && variable.type != Type::float64) continue;
        const bool is_record = reader.schema().is_record(variable);
        for (std::int64_t record = 0; record < (is_record ? reader.records() : 1); ++record) {
            const auto [found, first] = variable.type == Type::float32
                                            ? count_not_finite<float>(reader, variable, record)
                                            : count_not_finite<double>(reader, variable, record);
            if (found == 0) continue;
            problems.push_back(
                fmt::format("{}variable {}: {} value{} no finite number{}, the first is number {}",
                            is_record ? fmt::format("record {}: ", record) : "", variable.name, found,
                            found == 1 ? " is" : "s are", found == 1 ? "" : "s", first + 1));
        }
    }
    return problems;
}

}  // namespace groundswell::output
