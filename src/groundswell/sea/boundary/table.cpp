#include "groundswell/sea/boundary/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\""), last = text.find_last_not_of(" \t\r\"");
    return first == std::string_view::npos ? std::string()
                                           : std::string(text.substr(first, last - first + 1));
}

std::vector<std::string> cut(std::string_view line) {
    std::vector<std::string> fields;
    for (;;) {
        const auto comma = line.find(',');
        fields.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
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
        const std::string text = trimmed(line);
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
    double value = 0.0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    base::require(error == std::errc() && end == field.data() + field.size() && value >= low && value <= high,
                  where(row), names_[column], field, fmt::format("a number from {:g} to {:g}", low, high));
    return value;
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
