#include "groundswell/gridded/cf_time.hpp"

#include <cstdint>
#include <regex>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/words.hpp"

namespace groundswell::gridded {

namespace {

// 0 where the unit is not one of a fixed length.
double milliseconds_of(const std::string& unit) {
    if (is_one_of(unit, {"nanosecond", "nanoseconds"})) return 1e-6;
    if (is_one_of(unit, {"microsecond", "microseconds"})) return 1e-3;
    if (is_one_of(unit, {"millisecond", "milliseconds", "msec", "ms"})) return 1.0;
    if (is_one_of(unit, {"second", "seconds", "sec", "secs", "s"})) return 1e3;
    if (is_one_of(unit, {"minute", "minutes", "min", "mins"})) return 60e3;
    if (is_one_of(unit, {"hour", "hours", "hr", "hrs", "h"})) return 3600e3;
    return is_one_of(unit, {"day", "days", "d"}) ? 86400e3 : 0.0;
}

constexpr std::int64_t datenum_of_1970 = 719'529;

// Whether a calendar has a date, with Julian leap years or Gregorian ones.
bool is_date(std::int64_t year, int month, int day, bool julian) {
    static constexpr int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12 || day < 1) return false;
    const bool leap = year % 4 == 0 && (julian || year % 100 != 0 || year % 400 == 0);
    return day <= days[month - 1] + (month == 2 && leap ? 1 : 0);
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

    if (lower(units) == "datenum") {
        unit_milliseconds_ = milliseconds_of("days");
        reference_ = base::Instant{} + base::seconds(-datenum_of_1970 * 86'400);
        return;
    }
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
    // The day after 4 October 1582 was the 15th, and with it began the Gregorian calendar.
    const auto is_julian = [&](int m, int d) {
        return !proleptic && (year < 1582 || (year == 1582 && (m < 10 || (m == 10 && d < 15))));
    };
    const bool skipped = !proleptic && year == 1582 && month == 10 && day > 4 && day < 15;
    base::require(unit_milliseconds_ > 0.0 && year > -4800 && !skipped &&
                      is_date(year, month, day, is_julian(month, day)) && number(5) < 24.0 &&
                      number(6) < 60.0 && number(7) < 60.0,
                  where, std::string(variable) + ":units", units,
                  "days, hours, minutes or seconds since YYYY-MM-DD [hh:mm:ss], or datenum");
    before_year_one_ = !proleptic && year < 1;

    const auto days = [&](int m, int d) {
        return is_julian(m, d) ? days_from_julian(year, m, d) : base::days_from_civil(year, m, d);
    };
    const double zone =
        (match[8].matched && match[8].str() == "-" ? -1.0 : 1.0) * (3600e3 * number(9) + 60e3 * number(10));
    const auto of_day = static_cast<std::int64_t>(
        std::llround(3600e3 * number(5) + 60e3 * number(6) + 1e3 * number(7) - zone));
    const auto midnight = [&](int m, int d) { return base::Instant{} + base::seconds(days(m, d) * 86'400); };
    reference_ = midnight(month, day) + base::milliseconds(of_day);
    year_offset_ = static_cast<double>((reference_ - midnight(1, 1)).microseconds / 1000);
}

}  // namespace groundswell::gridded
