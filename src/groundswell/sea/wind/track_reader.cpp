#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/plain_file.hpp"
#include "groundswell/sea/wind/track.hpp"

namespace groundswell::sea {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields;
    for (;;) {
        const auto comma = line.find(',');
        fields.emplace_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

// A line of a track with its place, so that every refusal can name it.
struct Line {
    std::string where;  // file:line
    std::vector<std::string> fields;

    // NaN for an empty field. Refuses what is not a number or out of range.
    double number(std::size_t index, const std::string& name, double low, double high) const {
        if (index >= fields.size() || fields[index].empty()) return unknown;
        const std::string& text = fields[index];
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        base::require(
            error == std::errc() && end == text.data() + text.size() && value >= low && value <= high, where,
            name, text, fmt::format("a number within {}…{}", low, high));
        return value;
    }
    // As number, with 0 for "not known".
    double positive(std::size_t index, const std::string& name, double high) const {
        const double value = number(index, name, 0.0, high);
        return value > 0.0 ? value : unknown;
    }
};

// What four quadrants say together: nothing if none has such a wind; one left empty is the mean of the
// others.
std::array<double, 4> together(std::array<double, 4> quadrants) {
    double sum = 0.0;
    int given = 0;
    for (const double radius : quadrants)
        if (!std::isnan(radius)) {
            sum += radius;
            ++given;
        }
    for (double& radius : quadrants)
        if (sum == 0.0)
            radius = unknown;
        else if (std::isnan(radius))
            radius = sum / given;
    return quadrants;
}

void append(std::vector<StormFix>& fixes, const StormFix& fix, const std::string& where) {
    if (!fixes.empty())
        base::require(
            fix.time > fixes.back().time, where, "time", base::format_instant(fix.time),
            fmt::format("a time after {}, the fix before", base::format_instant(fixes.back().time)));
    fixes.push_back(fix);
}

class CsvTrack {
public:
    void take(const Line& line, std::vector<StormFix>& fixes) {
        if (columns_.empty()) {
            read_header(line);
            for (const char* name : {"time", "lat", "lon", "vmax"}) {
                const std::string key(name);
                const bool present = key == "time"   ? has("time") || has("time_utc")
                                     : key == "vmax" ? has("vmax_kt") || has("vmax_ms")
                                                     : has(key);
                base::require(present, line.where, "columns", fmt::format("{}", fmt::join(line.fields, ",")),
                              key == "vmax" ? "a column vmax_kt or vmax_ms" : "a column " + key);
            }
            return;
        }
        StormFix fix;
        const bool more = line.fields.size() > width_ &&
                          std::any_of(line.fields.begin() + static_cast<std::ptrdiff_t>(width_),
                                      line.fields.end(), [](auto& f) { return !f.empty(); });
        base::require(line.fields.size() >= named_ && !more, line.where, "fields",
                      std::to_string(line.fields.size()), fmt::format("{}, one for each column", named_));
        const std::string& time = line.fields[columns_.at(has("time") ? "time" : "time_utc")];
        const auto instant = base::parse_instant(time);
        base::require(instant.has_value(), line.where, "time", time, "a date such as 2024-09-03T06:00:00Z");
        fix.time = *instant;
        fix.latitude = required(line, "lat", -90.0, 90.0) * base::degree;
        fix.longitude = required(line, "lon", -180.0, 360.0) * base::degree;
        fix.max_wind = has("vmax_kt") ? required(line, "vmax_kt", 0.0, 250.0) * base::knot
                                      : required(line, "vmax_ms", 0.0, 130.0);
        fix.central_pressure = pressure(line, "pmin_hpa");
        fix.ambient_pressure = pressure(line, "poci_hpa");
        fix.radius_max_wind = radius(line, "rmw");
        for (std::size_t wind = 0; wind < radius_winds.size(); ++wind) {
            const std::string name(winds[wind]);
            fix.radii[wind] = together({quadrant(line, name + "_ne"), quadrant(line, name + "_se"),
                                        quadrant(line, name + "_sw"), quadrant(line, name + "_nw")});
            if (std::isnan(fix.radii[wind][0])) fix.radii[wind].fill(radius(line, name));
        }
        append(fixes, fix, line.where);
    }

private:
    // Columns without a name are left out: many programs end each line with a comma.
    void read_header(const Line& line) {
        width_ = line.fields.size();
        for (std::size_t i = 0; i < width_; ++i) {
            if (line.fields[i].empty()) continue;
            base::require(columns_.emplace(line.fields[i], i).second, line.where, "columns", line.fields[i],
                          "each name once");
            named_ = i + 1;
        }
    }
    bool has(const std::string& name) const { return columns_.count(name) > 0; }
    double required(const Line& line, const std::string& name, double low, double high) const {
        const double value = line.number(columns_.at(name), name, low, high);
        base::require(!std::isnan(value), line.where, name, "(empty)", "a number");
        return value;
    }
    double pressure(const Line& line, const std::string& name) const {
        return has(name) ? 100.0 * line.positive(columns_.at(name), name, 1100.0) : unknown;
    }
    // 0 is a radius of 0.
    double quadrant(const Line& line, const std::string& name) const {
        if (has(name + "_nm"))
            return base::nautical_mile * line.number(columns_.at(name + "_nm"), name + "_nm", 0.0, 1500.0);
        if (has(name + "_km"))
            return 1000.0 * line.number(columns_.at(name + "_km"), name + "_km", 0.0, 3000.0);
        return unknown;
    }
    // 0 stands for "not known".
    double radius(const Line& line, const std::string& name) const {
        const double value = quadrant(line, name);
        return value > 0.0 ? value : unknown;
    }

    static constexpr std::array<const char*, radius_winds.size()> winds = {"r34", "r50", "r64"};
    std::map<std::string, std::size_t> columns_;
    std::size_t width_ = 0;  // fields of the header
    std::size_t named_ = 0;  // of them, up to the last that has a name
};

class AtcfTrack {
public:
    // Columns: 2 time, 3 minutes, 4 technique, 6 latitude, 7 longitude, 8 wind, 9 pressure, 11 threshold,
    // 13-16 radii, 17 last closed isobar, 19 radius of maximum wind.
    void take(const Line& line, std::vector<StormFix>& fixes) {
        const auto& field = line.fields;
        base::require(field.size() >= 5, line.where, "columns", std::to_string(field.size()),
                      "an ATCF line, \"basin, number, YYYYMMDDHH, minutes, BEST, …\"");
        if (field[4] != "BEST") return;
        base::require(field.size() >= 9, line.where, "columns", std::to_string(field.size()),
                      "at least 9 in a BEST line");
        StormFix fix;
        fix.time = time(line);
        if (!fixes.empty() && fix.time == fixes.back().time) {
            take_radii(line, fixes.back());
            return;
        }
        fix.latitude = coordinate(line, 6, "latitude", 'N', 'S', 90.0);
        fix.longitude = coordinate(line, 7, "longitude", 'E', 'W', 180.0);
        fix.max_wind = line.positive(8, "wind", 250.0) * base::knot;
        fix.central_pressure = 100.0 * line.positive(9, "pressure", 1100.0);
        fix.ambient_pressure = 100.0 * line.positive(17, "last closed isobar", 1100.0);
        fix.radius_max_wind = base::nautical_mile * line.positive(19, "radius of maximum wind", 1500.0);
        take_radii(line, fix);
        append(fixes, fix, line.where);
    }

private:
    static void take_radii(const Line& line, StormFix& fix) {
        if (line.fields.size() <= 16) return;
        const double threshold = line.positive(11, "threshold", 200.0) * base::knot;
        const auto wind = std::find(radius_winds.begin(), radius_winds.end(), threshold);
        if (wind == radius_winds.end()) return;
        auto& radii = fix.radii[wind - radius_winds.begin()];
        if (line.fields[12] == "AAA") {
            radii.fill(base::nautical_mile * line.positive(13, "radius", 1500.0));
            return;
        }
        // The first of the four, clockwise, is named: "NEQ" nearly always.
        static constexpr std::array<std::string_view, 4> codes = {"NEQ", "SEQ", "SWQ", "NWQ"};
        const auto code = std::find(codes.begin(), codes.end(), line.fields[12]);
        const auto first = code == codes.end() ? 0 : static_cast<std::size_t>(code - codes.begin());
        for (std::size_t i = 0; i < 4; ++i)
            radii[(first + i) % 4] = base::nautical_mile * line.number(13 + i, "radius", 0.0, 1500.0);
        radii = together(radii);
    }
    static base::Instant time(const Line& line) {
        const std::string &text = line.fields[2], &minutes = line.fields[3];
        std::optional<base::Instant> instant;
        if (text.size() == 10)
            instant = base::parse_instant(fmt::format("{}-{}-{}T{}:{:0>2}", text.substr(0, 4),
                                                      text.substr(4, 2), text.substr(6, 2), text.substr(8, 2),
                                                      minutes.empty() ? "0" : minutes));
        base::require(instant.has_value(), line.where, "time", text + " " + minutes,
                      "YYYYMMDDHH and minutes");
        return *instant;
    }
    static double coordinate(const Line& line, std::size_t index, const char* name, char plus, char minus,
                             double limit) {
        const std::string& text = line.fields[index];
        double tenths = 0.0;
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, tenths);
        const bool whole = error == std::errc() && end + 1 == last && (*end == plus || *end == minus);
        base::require(whole && tenths >= 0.0 && tenths <= 10.0 * limit, line.where, name, text,
                      fmt::format("tenths of a degree and {} or {}", plus, minus));
        return (*end == plus ? 0.1 : -0.1) * tenths * base::degree;
    }
};

}  // namespace

std::vector<StormFix> read_track(const std::string& path) {
    const bool csv = path.ends_with(".csv");
    base::require(csv || path.ends_with(".dat"), path, "", "", "a track: .csv, or .dat for an ATCF b-deck");
    base::require_plain_file(path);
    std::ifstream file(path);
    base::require(file.good(), path, "", "", "a file that can be read");
    std::vector<StormFix> fixes;
    CsvTrack from_csv;
    AtcfTrack from_atcf;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        std::string_view content = trimmed(text);
        if (number == 1 && content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);  // byte-order mark
        if (content.empty() || content.front() == '#') continue;
        const Line line{fmt::format("{}:{}", path, number), fields_of(content)};
        if (csv)
            from_csv.take(line, fixes);
        else
            from_atcf.take(line, fixes);
    }
    base::require(fixes.size() >= 2, path, "fixes", std::to_string(fixes.size()), "at least two");
    base::require(
        std::any_of(fixes.begin(), fixes.end(), [](const StormFix& f) { return !std::isnan(f.max_wind); }),
        path, "wind", "none", "a maximum wind in at least one fix");
    return fixes;
}

}  // namespace groundswell::sea
