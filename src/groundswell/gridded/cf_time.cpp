#include "groundswell/gridded/cf_time.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <regex>

#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

// 0 where the unit is not one of a fixed length.
double milliseconds_of(const std::string& unit) {
    static const std::map<std::string, double> known = {
        {"millisecond", 1.0}, {"milliseconds", 1.0}, {"msec", 1.0},  {"ms", 1.0},      {"second", 1e3},
        {"seconds", 1e3},     {"sec", 1e3},          {"secs", 1e3},  {"s", 1e3},       {"minute", 60e3},
        {"minutes", 60e3},    {"min", 60e3},         {"mins", 60e3}, {"hour", 3600e3}, {"hours", 3600e3},
        {"hr", 3600e3},       {"hrs", 3600e3},       {"h", 3600e3},  {"day", 86400e3}, {"days", 86400e3},
        {"d", 86400e3}};
    const auto found = known.find(unit);
    return found == known.end() ? 0.0 : found->second;
}

// Days from 1970-01-01 (Gregorian) to a date of the Julian calendar, year > -4800.
std::int64_t days_from_julian(std::int64_t year, int month, int day) {
    const std::int64_t shift = (14 - month) / 12;
    const std::int64_t y = year + 4800 - shift;
    const std::int64_t m = month + 12 * shift - 3;
    return day + (153 * m + 2) / 5 + 365 * y + y / 4 - 32083 - 2440588;
}

}  // namespace

CfTime::CfTime(std::string_view where, std::string_view variable, std::string_view units,
               std::string_view calendar) {
    const std::string name = lower(calendar);
    const bool proleptic = name == "proleptic_gregorian";
    base::require(proleptic || name.empty() || name == "standard" || name == "gregorian", where,
                  std::string(variable) + ":calendar", calendar,
                  "standard, gregorian or proleptic_gregorian");

    static const std::regex form(R"(\s*([a-z]+)\s+since\s+(-?\d{1,5})-(\d{1,2})-(\d{1,2}))"
                                 R"((?:[t\s]\s*(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?)?)"
                                 R"(\s*(?:z|utc|gmt|([+-])(\d{1,2}):?(\d{2})?)?\s*)");
    // A regular expression goes one call deeper for every character: a text that long is no unit.
    constexpr std::size_t longest_unit = 200;
    const std::string text = lower(units);
    std::smatch match;
    const bool matches = text.size() <= longest_unit && std::regex_match(text, match, form);
    const auto number = [&](int group) { return match[group].matched ? std::stod(match[group]) : 0.0; };
    const int year = matches ? std::stoi(match[2]) : 0, month = matches ? std::stoi(match[3]) : 0,
              day = matches ? std::stoi(match[4]) : 0;
    if (matches) unit_milliseconds_ = milliseconds_of(match[1]);
    base::require(
        unit_milliseconds_ > 0.0 && year > -4800 && month >= 1 && month <= 12 && day >= 1 && day <= 31, where,
        std::string(variable) + ":units", units,
        "days, hours, minutes or seconds since YYYY-MM-DD [hh:mm:ss]");

    const auto days = [&](int m, int d) {
        const bool julian = !proleptic && (year < 1582 || (year == 1582 && (m < 10 || (m == 10 && d < 15))));
        return julian ? days_from_julian(year, m, d) : base::days_from_civil(year, m, d);
    };
    const double zone =
        (match[8].matched && match[8].str() == "-" ? -1.0 : 1.0) * (3600e3 * number(9) + 60e3 * number(10));
    const auto of_day = static_cast<std::int64_t>(
        std::llround(3600e3 * number(5) + 60e3 * number(6) + 1e3 * number(7) - zone));
    const auto midnight = [&](int m, int d) { return base::Instant{} + base::seconds(days(m, d) * 86'400); };
    reference_ = midnight(month, day) + base::milliseconds(of_day);
    year_offset_ = static_cast<double>((reference_ - midnight(1, 1)).microseconds / 1000);
}

bool CfTime::holds(double value) const {
    return std::abs(value * unit_milliseconds_) <= 1e15;
}

base::Instant CfTime::instant(double value) const {
    return reference_ + base::milliseconds(std::llround(value * unit_milliseconds_));
}

}  // namespace groundswell::gridded
