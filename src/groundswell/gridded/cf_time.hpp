#pragma once

#include <cmath>
#include <string_view>

#include "groundswell/base/time.hpp"

namespace groundswell::gridded {

/// Meaning of the numbers on a CF time axis: "hours since 1900-01-01 00:00:00" and a calendar (CF-1.11,
/// section 4.4).
///
/// Units: milliseconds, seconds, minutes, hours, days and their usual short forms. Calendars: standard (also
/// "gregorian", and when none is given) with Julian dates before 1582-10-15, and proleptic_gregorian. In place of a
/// unit, "datenum" stands for MATLAB's days, of which 1970-01-01 is number 719 529.
class CfTime {
public:
    /// Throws base::Refusal for other units and calendars, naming `where` (a file) and `variable`.
    CfTime(std::string_view where, std::string_view variable, std::string_view units,
           std::string_view calendar);

    /// The reference date is before year 1 of the standard calendar: programs differ on whether there is a year 0, and
    /// writers on which calendar they counted in. Only a place in the year is then sure.
    bool before_year_one() const { return before_year_one_; }

    /// Whether a number is a time at all: not NaN, and within 30 000 years of the reference date.
    bool holds(double value) const { return std::abs(value * unit_milliseconds_) <= 1e15; }

    /// To the nearest millisecond: days kept as fractions do not fall on whole seconds.
    base::Instant instant(double value) const {
        return reference_ + base::milliseconds(std::llround(value * unit_milliseconds_));
    }

    /// Milliseconds since the beginning of the reference date's year: the place in a year that repeats.
    double milliseconds_into_year(double value) const { return year_offset_ + value * unit_milliseconds_; }

private:
    double unit_milliseconds_ = 0.0;
    base::Instant reference_;
    bool before_year_one_ = false;
    double year_offset_ = 0.0;  // milliseconds from 1 January of the reference's year to the reference
};

}  // namespace groundswell::gridded
