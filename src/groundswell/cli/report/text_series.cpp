#include "groundswell/cli/report/text_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <regex>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::cli {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Names of 2022.
std::string new_name(const std::string& name) {
    static const std::map<std::string, std::string> names{{"xx", "s_xx"}, {"yy", "s_yy"}, {"zz", "s_zz"},
                                                          {"xy", "s_xy"}, {"yz", "s_yz"}, {"xz", "s_xz"},
                                                          {"u", "v1"},    {"v", "v2"},    {"w", "v3"}};
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
}

// Words between blanks and commas, without quotes.
std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words(1);
    for (const char c : line) {
        if (c == ',' || c == ' ' || c == '\t' || c == '\r') {
            if (!words.back().empty()) words.emplace_back();
        } else if (c != '"') {
            words.back() += c;
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

struct Lines {
    std::string path;
    std::ifstream file;
    int number = 0;

    [[noreturn]] void refuse(const std::string& line, const std::string& expected) const {
        base::refuse(fmt::format("{}:{}", path, number), "", base::shortened(line), expected);
    }
    double number_of(const std::string& word, const std::string& line) const {
        char* end = nullptr;
        const double value = std::strtod(word.c_str(), &end);
        if (word.empty() || *end != '\0') refuse(line, "numbers");
        return value;
    }
};

}  // namespace

const TextSeries::Column* TextSeries::find(const std::string& name) const {
    const auto found = std::ranges::find(columns, name, &Column::name);
    return found == columns.end() ? nullptr : &*found;
}

bool is_text_series(const std::string& path) {
    return path.ends_with(".dat") || path.ends_with(".csv");
}

bool is_series_of_folder(const std::string& name) {
    return (name.ends_with(".dat") && name.find("receiver-") != std::string::npos) ||
           name.ends_with("energy.csv");
}

std::string series_name(const std::string& file) {
    static const std::regex with_rank("(.*receiver-[0-9]+)-[0-9]+\\.dat");
    return std::regex_replace(file, with_rank, "$1.dat");
}

TextSeries read_text_series(const std::string& path) {
    base::require_plain_file(path);
    Lines lines{path, std::ifstream(path)};
    base::require(lines.file.good(), path, "", "", "a file that can be read");
    TextSeries series;
    std::vector<std::string> names;
    bool by_rows = false;
    for (std::string line; std::getline(lines.file, line);) {
        ++lines.number;
        const auto begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#' || line.compare(begin, 5, "TITLE") == 0)
            continue;
        const auto equals = line.find('=');
        auto words = words_of(line.substr(equals == std::string::npos ? 0 : equals + 1));
        if (names.empty()) {
            names = words;
            by_rows = std::ranges::find(names, "measurement") != names.end();
            if (names.size() < 2 || (names[0] != "Time" && names[0] != "time"))
                lines.refuse(line, "names of columns, of which time is the first");
            for (std::size_t i = 1; i < names.size() && !by_rows; ++i)
                series.columns.push_back({new_name(names[i]), {}, {}});
            continue;
        }
        if (words.size() != names.size()) lines.refuse(line, fmt::format("{} values", names.size()));
        const double time = lines.number_of(words[0], line);
        for (std::size_t i = 1; i < names.size() && !by_rows; ++i) {
            series.columns[i - 1].time.push_back(time);
            series.columns[i - 1].value.push_back(lines.number_of(words[i], line));
        }
        if (!by_rows) continue;
        auto column = std::ranges::find(series.columns, words[1], &TextSeries::Column::name);
        if (column == series.columns.end())
            column = series.columns.insert(series.columns.end(), {words[1], {}, {}});
        column->time.push_back(time);
        column->value.push_back(lines.number_of(words.back(), line));
    }
    base::require(!series.columns.empty() && !series.columns[0].time.empty(), path, "", "",
                  "lines of numbers under names of columns");
    return series;
}

double difference_of(const TextSeries::Column& a, const TextSeries::Column& b) {
    constexpr double rounding = 1e-6;  // of the time between two samples, as both are printed
    double apart = 0.0, size = 0.0;
    std::size_t next = 0;
    std::int64_t compared = 0;
    for (std::size_t i = 0; i < b.time.size(); ++i) {
        const double t = b.time[i], little = rounding * (a.time.back() - a.time.front());
        if (t < a.time.front() - little || t > a.time.back() + little) continue;
        while (next + 1 < a.time.size() && a.time[next + 1] < t - little) ++next;
        const std::size_t after = std::min(next + 1, a.time.size() - 1);
        const double step = a.time[after] - a.time[next];
        double share = step > 0.0 ? std::clamp((t - a.time[next]) / step, 0.0, 1.0) : 0.0;
        if (std::abs(t - a.time[after]) <= little) share = 1.0;
        const double there = share == 1.0   ? a.value[after]
                             : share == 0.0 ? a.value[next]
                                            : a.value[next] + share * (a.value[after] - a.value[next]);
        apart += (there - b.value[i]) * (there - b.value[i]);
        size += b.value[i] * b.value[i];
        ++compared;
    }
    if (compared == 0 || std::isnan(apart)) return infinite;
    return apart == 0.0 ? 0.0 : std::sqrt(apart / size);
}

}  // namespace groundswell::cli
