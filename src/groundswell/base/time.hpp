#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Dates and durations in the proleptic Gregorian calendar, UTC, without leap seconds (as CF's
/// "proleptic_gregorian"). Whole microseconds, so that adding steps never drifts.
namespace groundswell::base {

/// A moment: microseconds since 1970-01-01T00:00:00Z, or since the start of a simulation that has no date.
struct Instant {
    std::int64_t microseconds = 0;
    auto operator<=>(const Instant&) const = default;
    /// Seconds from `origin` to this moment.
    double seconds_since(Instant origin) const {
        return static_cast<double>(microseconds - origin.microseconds) / 1e6;
    }
};

/// A length of time in microseconds.
struct Duration {
    std::int64_t microseconds = 0;
    auto operator<=>(const Duration&) const = default;
    double seconds() const { return static_cast<double>(microseconds) / 1e6; }
};

inline Instant operator+(Instant a, Duration b) {
    return {a.microseconds + b.microseconds};
}
inline Duration operator-(Instant a, Instant b) {
    return {a.microseconds - b.microseconds};
}

constexpr Duration milliseconds(std::int64_t count) {
    return {count * 1000};
}
constexpr Duration seconds(std::int64_t count) {
    return {count * 1'000'000};
}

/// Days from 1970-01-01 to the given civil date; month 1…12, day 1…31 (Hinnant 2013, "chrono-compatible
/// low-level date algorithms": eras of 400 years).
std::int64_t days_from_civil(std::int64_t year, int month, int day);

/// "YYYY-MM-DD[(T| )HH:MM[:SS[.fff]]][Z|±HH:MM]"; without a zone, UTC. Empty when the text is not such a
/// date.
std::optional<Instant> parse_instant(std::string_view text);

/// Number and unit `us`, `ms`, `s`, `min`, `h` or `d`, as "90s", "1.5 h". Empty when the text is not a duration.
std::optional<Duration> parse_duration(std::string_view text);

std::string format_instant(Instant instant);          ///< 2024-09-03T00:00:00Z (a fraction only if not zero)
std::string format_instant_compact(Instant instant);  ///< 20240903T000000, or …00.500000, for file names
/// Seconds since the start, for a simulation that has no date: "12.500000s".
std::string format_elapsed(Instant instant);
std::string format_duration(Duration duration);  ///< the largest unit that gives a whole number: "90s", "1h"

}  // namespace groundswell::base
