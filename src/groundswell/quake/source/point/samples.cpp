#include "groundswell/quake/source/point/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

constexpr double rounding = 1e-3;  // of an interval: times are written with few digits
constexpr std::string_view other_units[] = {"ns",      "us", "µs",    "ms", "milliseconds", "min",
                                            "minutes", "h",  "hours", "d",  "days"};

struct Row {
    int line = 0;
    double time = 0.0, rate = 0.0;
};

// "# time [ms], rate", "# t_min": other units than the second.
void check_unit(const std::string& place, const std::string& comment) {
    std::string plain = comment;
    for (char& c : plain)
        if (std::string_view("#[](){},;:/_=").find(c) != std::string_view::npos) c = ' ';
    std::istringstream words(plain);
    std::string word, before;
    while (words >> word) {
        if (word == "in") continue;
        const bool is_of_time = before == "t" || before == "time" || before == "Time";
        if (is_of_time && std::ranges::find(other_units, word) != std::end(other_units))
            base::refuse(place, "", comment, fmt::format("times in s, not in {}", word));
        before = word;
    }
}

std::vector<Row> read_rows(const std::string& path) {
    base::require_plain_file(path);
    std::ifstream file(path);
    base::require(file.good(), path, "", "", "a file that can be read");
    std::vector<Row> rows;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string place = fmt::format("{}:{}", path, number);
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos) continue;
        if (line[first] == '#') {
            check_unit(place, line);
            continue;
        }
        std::ranges::replace(line, ',', ' ');
        std::istringstream words(line);
        Row row{number, 0.0, 0.0};
        std::string more;
        const bool right = (words >> row.time >> row.rate) && !(words >> more) && std::isfinite(row.time) &&
                           std::isfinite(row.rate);
        base::require(right, place, "", line, "two numbers: a time in s and a rate");
        rows.push_back(row);
    }
    return rows;
}

// The interval that most of the samples have, so that the line is named at which one is missing.
double usual_interval(const std::vector<Row>& rows) {
    std::vector<double> intervals;
    for (std::size_t i = 1; i < rows.size(); ++i) intervals.push_back(rows[i].time - rows[i - 1].time);
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::ranges::nth_element(intervals, middle);
    return *middle;
}

}  // namespace

Samples read_samples(const std::string& path) {
    const std::vector<Row> rows = read_rows(path);
    base::require(rows.size() >= 2, path, "", fmt::format("{} samples", rows.size()), "two samples or more");
    const double usual = usual_interval(rows);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string place = fmt::format("{}:{}", path, rows[i].line);
        const double interval = rows[i].time - rows[i - 1].time;
        const std::string both = fmt::format("{} s after {} s", rows[i].time, rows[i - 1].time);
        base::require(interval > 0.0, place, "time", both, "times that ascend");
        base::require(std::abs(interval - usual) < rounding * usual, place, "time", both,
                      fmt::format("samples at equal intervals without gaps, here of {:.6g} s", usual));
    }
    Samples samples;
    samples.onset = rows.front().time;
    samples.interval = (rows.back().time - rows.front().time) / static_cast<double>(rows.size() - 1);
    for (const Row& row : rows) samples.rate.push_back(row.rate);
    return samples;
}

}  // namespace groundswell::quake
