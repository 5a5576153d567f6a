#include "groundswell/quake/values/stations/station_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::quake {

namespace {

struct Line {
    std::string place, text;
    std::vector<std::string> words;
};

constexpr const char* forms =
    "a list of receivers: lines of x y z, or name x y z; lines of station network latitude longitude "
    "elevation burial; StationXML; or "
    "a table with headings (name, x, y, z or longitude, latitude, elevation)";

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// Between commas or semicolons, if there are any, else between blanks.
std::vector<std::string> split(const std::string& text) {
    const char mark = text.find(',') != std::string::npos   ? ','
                      : text.find(';') != std::string::npos ? ';'
                                                            : ' ';
    std::vector<std::string> words(1);
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (c == mark || (blank && mark == ' ')) {
            if (mark != ' ' || !words.back().empty()) words.emplace_back();
        } else if (c != '"' && (!blank || !words.back().empty())) {
            words.back() += c;
        }
    }
    for (std::string& word : words)
        while (!word.empty() && std::isspace(static_cast<unsigned char>(word.back())) != 0) word.pop_back();
    if (mark == ' ' && words.back().empty()) words.pop_back();
    return words;
}

std::vector<Line> lines_of(const std::string& path, const std::string& text) {
    std::vector<Line> lines;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#') continue;
        lines.push_back({fmt::format("{}:{}", path, number), line, split(line)});
    }
    return lines;
}

std::optional<double> number_in(const std::string& word) {
    const auto value =
        base::parse_number<double>(std::string_view(word).substr(word.starts_with('+') ? 1 : 0));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

[[noreturn]] void refuse(const Line& line, const std::string& expected) {
    base::refuse(line.place, "", base::shortened(line.text), expected);
}

double number_at(const Line& line, std::size_t column, const char* what) {
    const auto value = column < line.words.size() ? number_in(line.words[column]) : std::nullopt;
    if (!value) refuse(line, fmt::format("a number in column {}: {}", column + 1, what));
    return *value;
}

bool are_degrees(double longitude, double latitude) {
    return std::abs(longitude) <= 360.0 && std::abs(latitude) <= 90.0;
}

// `first`: the column of x; a name stands before it.
std::vector<ListedStation> places(const std::vector<Line>& lines, std::size_t first) {
    std::vector<ListedStation> stations;
    for (const Line& line : lines) {
        if (line.words.size() != first + 3)
            refuse(line, "x, y and z in m, with a name before them if the first line has one");
        stations.push_back({first == 1 ? line.words[0] : "", false, number_at(line, first, "x"),
                            number_at(line, first + 1, "y"), number_at(line, first + 2, "z"), 0.0,
                            line.place});
    }
    return stations;
}

std::string full_name(const std::string& network, const std::string& station) {
    return network.empty() ? station : network + "." + station;
}

// SPECFEM's manual, "STATIONS": without its UTM projection the third number is y and the fourth x, m.
std::vector<ListedStation> specfem(const std::vector<Line>& lines) {
    std::vector<ListedStation> stations;
    for (const Line& line : lines) {
        if (line.words.size() < 6)
            refuse(line, "station, network, latitude, longitude, elevation and burial, as in the first line");
        const double north = number_at(line, 2, "latitude, or y"),
                     east = number_at(line, 3, "longitude, or x");
        const double elevation = number_at(line, 4, "elevation, m"), burial = number_at(line, 5, "burial, m");
        stations.push_back({full_name(line.words[1], line.words[0]), false, east, north, elevation - burial,
                            burial, line.place});
    }
    const bool degrees = std::ranges::all_of(
        stations, [](const ListedStation& one) { return are_degrees(one.east, one.north); });
    for (ListedStation& one : stations) one.degrees = degrees;
    return stations;
}

// What columns are called, in small letters.
const std::map<std::string, std::string> headings{
    {"name", "name"},
    {"station", "name"},
    {"station_name", "name"},
    {"sta", "name"},
    {"id", "name"},
    {"code", "name"},
    {"network", "network"},
    {"net", "network"},
    {"x", "x"},
    {"east", "x"},
    {"easting", "x"},
    {"y", "y"},
    {"north", "y"},
    {"northing", "y"},
    {"z", "z"},
    {"elevation", "z"},
    {"elev", "z"},
    {"height", "z"},
    {"altitude", "z"},
    {"longitude", "longitude"},
    {"lon", "longitude"},
    {"long", "longitude"},
    {"latitude", "latitude"},
    {"lat", "latitude"},
    {"depth", "depth"},
    {"burial", "depth"},
};

// "Elevation (m)", "lon[deg]" without their units.
std::string heading_of(const std::string& word) {
    std::string plain = lower(word.substr(0, word.find_first_of("([")));
    while (!plain.empty() && plain.back() == ' ') plain.pop_back();
    const auto found = headings.find(plain);
    return found == headings.end() ? "" : found->second;
}

std::vector<ListedStation> table(const std::vector<Line>& lines) {
    std::map<std::string, std::size_t> column;
    const Line& head = lines.front();
    for (std::size_t i = 0; i < head.words.size(); ++i)
        if (const std::string heading = heading_of(head.words[i]); !heading.empty())
            column.emplace(heading, i);
    const auto has = [&](const char* heading) { return column.contains(heading); };
    const bool degrees = has("longitude") && has("latitude");
    if (!degrees && !(has("x") && has("y")))
        refuse(head, "columns x and y, or longitude and latitude, among its headings");
    const char* const east = degrees ? "longitude" : "x";
    const char* const north = degrees ? "latitude" : "y";
    std::vector<ListedStation> stations;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const Line& line = lines[i];
        const auto number = [&](const char* heading) {
            return has(heading) ? number_at(line, column.at(heading), heading) : 0.0;
        };
        const auto word = [&](const char* heading) {
            if (!has(heading)) return std::string();
            return column.at(heading) < line.words.size() ? line.words[column.at(heading)] : std::string();
        };
        const double depth = number("depth");
        stations.push_back({full_name(word("network"), word("name")), degrees, number(east), number(north),
                            number("z") - depth, depth, line.place});
    }
    return stations;
}

std::string text_of(const std::string& path) {
    base::require_plain_file(path);
    std::ifstream file(path, std::ios::binary);
    base::require(file.good(), path, "", "", "a list of receivers that can be read");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // the mark of UTF-8
    return text;
}

}  // namespace

std::vector<ListedStation> read_station_file(const std::string& path) {
    const std::string text = text_of(path);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    std::vector<ListedStation> stations;
    if (first != std::string::npos && text[first] == '<') {
        stations = read_station_xml(path, text);
    } else {
        const std::vector<Line> lines = lines_of(path, text);
        base::require(!lines.empty(), path, "", "no receivers", forms);
        const auto& words = lines.front().words;
        const auto is_number = [&](std::size_t i) {
            return i < words.size() && number_in(words[i]).has_value();
        };
        const std::size_t names = words.size() == 4 ? 1 : 0;
        if (words.size() == names + 3 && is_number(names) && is_number(names + 1) && is_number(names + 2)) {
            stations = places(lines, names);
        } else if (std::ranges::any_of(words, [](const auto& word) { return !heading_of(word).empty(); }) &&
                   !is_number(2)) {
            stations = table(lines);
        } else if (is_number(2) && is_number(3) && is_number(4) && is_number(5)) {
            stations = specfem(lines);
        } else {
            refuse(lines.front(), forms);
        }
    }
    base::require(!stations.empty(), path, "", "no receivers", "one or more");
    for (const ListedStation& one : stations)
        if (one.degrees)
            base::require(are_degrees(one.east, one.north), one.place, "longitude, latitude",
                          fmt::format("{}, {}", one.east, one.north),
                          "longitudes from -360 to 360 and latitudes from -90 to 90");
    return stations;
}

}  // namespace groundswell::quake
