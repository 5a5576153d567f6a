#include "groundswell/base/time.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace groundswell::base {

namespace {

constexpr std::int64_t day_microseconds = 86'400'000'000;

struct CivilTime {
    std::int64_t year;
    int month, day, hour, minute, second, microsecond;
};

// Inverse of days_from_civil (Hinnant 2013), with the time of day.
CivilTime to_civil(Instant instant) {
    std::int64_t days = instant.microseconds / day_microseconds;
    std::int64_t rest = instant.microseconds % day_microseconds;
    if (rest < 0) {
        rest += day_microseconds;
        --days;
    }
    const std::int64_t shifted = days + 719468;  // days since 0000-03-01
    const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const std::int64_t day_of_era = shifted - era * 146097;
    const std::int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
    const int day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    const int month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    return {year,
            month,
            day,
            static_cast<int>(rest / 3'600'000'000),
            static_cast<int>(rest / 60'000'000 % 60),
            static_cast<int>(rest / 1'000'000 % 60),
            static_cast<int>(rest % 1'000'000)};
}

int days_in_month(std::int64_t year, int month) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

// Reads exactly `width` digits (or at least one when width is 0) off the front of `text`.
bool take_number(std::string_view& text, std::size_t width, int& value) {
    std::size_t length = 0;
    while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
    if (length == 0 || (width != 0 && length != width)) return false;
    std::from_chars(text.data(), text.data() + length, value);
    text.remove_prefix(length);
    return true;
}

bool take(std::string_view& text, char expected) {
    if (text.empty() || text.front() != expected) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

std::int64_t days_from_civil(std::int64_t year, int month, int day) {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t year_of_era = year - era * 400;
    const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

std::optional<Instant> parse_instant(std::string_view text) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    double fraction = 0.0;
    if (!take_number(text, 4, year) || !take(text, '-') || !take_number(text, 2, month) || !take(text, '-') ||
        !take_number(text, 2, day))
        return std::nullopt;
    std::int64_t zone_minutes = 0;
    if (!text.empty()) {
        if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
        if (!take_number(text, 2, hour) || !take(text, ':') || !take_number(text, 2, minute))
            return std::nullopt;
        if (take(text, ':')) {
            if (!take_number(text, 2, second)) return std::nullopt;
            if (!text.empty() && text.front() == '.') {
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fraction);
                if (error != std::errc()) return std::nullopt;
                text.remove_prefix(static_cast<std::size_t>(end - text.data()));
            }
        }
        const char sign = text.empty() ? ' ' : text.front();
        if (sign == 'Z') {
            text.remove_prefix(1);
        } else if (sign == '+' || sign == '-') {
            text.remove_prefix(1);
            int zone_hour = 0, zone_minute = 0;
            if (!take_number(text, 2, zone_hour) || !take(text, ':') || !take_number(text, 2, zone_minute))
                return std::nullopt;
            zone_minutes = (sign == '+' ? 1 : -1) * (60 * zone_hour + zone_minute);
        }
        if (!text.empty()) return std::nullopt;
    }
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) || hour > 23 || minute > 59 ||
        second > 59)
        return std::nullopt;
    const std::int64_t seconds =
        days_from_civil(year, month, day) * 86400 + hour * 3600 + (minute - zone_minutes) * 60 + second;
    return Instant{seconds * 1'000'000 + std::llround(fraction * 1e6)};
}

std::optional<Duration> parse_duration(std::string_view text) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    double factor = 0.0;
    if (unit == "us") factor = 1.0;
    if (unit == "ms") factor = 1e3;
    if (unit == "s") factor = 1e6;
    if (unit == "min") factor = 60e6;
    if (unit == "h") factor = 3600e6;
    if (unit == "d") factor = 86400e6;
    if (factor == 0.0 || !std::isfinite(number) || std::abs(number * factor) > 1e18) return std::nullopt;
    return Duration{std::llround(number * factor)};
}

std::string format_instant(Instant instant) {
    const CivilTime t = to_civil(instant);
    std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", t.year, t.month, t.day, t.hour,
                                   t.minute, t.second);
    if (t.microsecond % 1000 != 0)
        text += fmt::format(".{:06}", t.microsecond);
    else if (t.microsecond != 0)
        text += fmt::format(".{:03}", t.microsecond / 1000);
    return text + "Z";
}

std::string format_instant_compact(Instant instant) {
    const CivilTime t = to_civil(instant);
    std::string text =
        fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}", t.year, t.month, t.day, t.hour, t.minute, t.second);
    if (t.microsecond != 0) text += fmt::format(".{:06}", t.microsecond);
    return text;
}

std::string format_elapsed(Instant instant) {
    return fmt::format("{}.{:06}s", instant.microseconds / 1'000'000, instant.microseconds % 1'000'000);
}

std::string format_duration(Duration duration) {
    const std::int64_t us = duration.microseconds;
    if (us == 0) return "0s";
    for (const auto& [unit, length] : {std::pair{"d", day_microseconds},
                                       {"h", std::int64_t{3'600'000'000}},
                                       {"min", std::int64_t{60'000'000}},
                                       {"s", std::int64_t{1'000'000}},
                                       {"ms", std::int64_t{1000}}})
        if (us % length == 0) return fmt::format("{}{}", us / length, unit);
    return fmt::format("{}us", us);
}

}  // namespace groundswell::base
