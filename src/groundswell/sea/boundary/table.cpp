#include "groundswell/sea/boundary/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::sea {

namespace {

constexpr std::string_view blanks = " \t\r\"";

std::vector<std::string> cut(std::string_view line) {
    std::vector<std::string> fields;
    for (const std::string_view field : base::split(line, ','))
        fields.emplace_back(base::trimmed(field, blanks));
    return fields;
}

}  // namespace

Table::Table(const std::string& path) : path_(path) {
    base::require_plain_file(path);
    std::ifstream file(path);
    base::require(file.good(), path, "", "", "a table of text that can be read");
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
        const std::string_view text = base::trimmed(line, blanks);
        if (text.empty() || text.starts_with('#')) continue;
        std::vector<std::string> fields = cut(line);
        if (names_.empty()) {
            names_ = std::move(fields);
            continue;
        }
        base::require(fields.size() == names_.size(), fmt::format("{}:{}", path, number), "fields",
                      fmt::to_string(fields.size()),
                      fmt::format("{}, one for each of {}", names_.size(), fmt::join(names_, ", ")));
        rows_.push_back({number, std::move(fields)});
    }
    base::require(!rows_.empty(), path, "", "", "a line of names and at least one of values");
}

int Table::find(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
        const auto found = std::ranges::find(names_, name);
        if (found != names_.end()) return static_cast<int>(found - names_.begin());
    }
    return -1;
}

int Table::require(const std::vector<std::string>& names) const {
    const int column = find(names);
    base::require(column >= 0, path_, "columns", fmt::format("{}", fmt::join(names_, ",")),
                  "a column " + names.front());
    return column;
}

double Table::number(std::size_t row, int column, double low, double high) const {
    const std::string& field = text(row, column);
    const auto value = base::parse_number<double>(field);
    base::require(value && *value >= low && *value <= high, where(row), names_[column], field,
                  fmt::format("a number from {:g} to {:g}", low, high));
    return *value;
}

std::string Table::where(std::size_t row) const {
    return fmt::format("{}:{}", path_, rows_[row].line);
}

std::vector<std::pair<double, double>> read_points_table(const std::string& path) {
    const Table table(path);
    const int lon = table.require({"lon", "longitude"}), lat = table.require({"lat", "latitude"});
    std::vector<std::pair<double, double>> points;
    for (std::size_t row = 0; row < table.rows(); ++row)
        points.emplace_back(table.number(row, lon, -360.0, 360.0), table.number(row, lat, -90.0, 90.0));
    return points;
}

}  // namespace groundswell::sea
