#include "groundswell/gridded/cf_time.hpp"

#include <cmath>

#include "support/wind_files.hpp"

namespace groundswell::gridded {

using namespace test;
namespace {

std::string read(const std::string& units, const std::string& calendar, double value) {
    return base::format_instant(CfTime("f.nc", "time", units, calendar).instant(value));
}

TEST(SeaForcingTime, UnitsCountFromTheReference) {
    EXPECT_EQ(read("hours since 1900-01-01 00:00:0.0", "", 1092672.0),
              "2024-08-26T00:00:00Z");  // ERA5's axis
    EXPECT_EQ(read("days since 1900-12-31 00:00:00", "gregorian", 45294.0),
              "2025-01-03T00:00:00Z");  // HYCOM's
    EXPECT_EQ(read("seconds since 1970-01-01T00:00:00Z", "proleptic_gregorian", 1725321600.0),
              "2024-09-03T00:00:00Z");
    EXPECT_EQ(read("minutes since 2024-02-28 23:00", "standard", 90.0), "2024-02-29T00:30:00Z");
    EXPECT_EQ(read("hour since 2024-1-1 12:00:00 UTC", "", 1.0), "2024-01-01T13:00:00Z");
    EXPECT_EQ(read("hours since 2024-01-01 08:00:00 +08:00", "", 0.0), "2024-01-01T00:00:00Z");
}

// 1/24 of a day is no short fraction: files keep it to some decimals, here nine (0.09 ms).
TEST(SeaForcingTime, FractionsOfADayAreWholeHours) {
    const CfTime time("f", "t", "days since 1900-12-31", "");
    for (int hour = 0; hour < 24000; ++hour)
        ASSERT_EQ(time.instant(45294.0 + std::floor(hour / 24.0 * 1e9) / 1e9).microseconds % 3600000000, 0)
            << hour;
}

// Between 4 and 15 October 1582 lies one day in the mixed calendar, eleven in the proleptic one; NOAA counts
// from year 1.
TEST(SeaForcingTime, OldReferencesFollowTheirCalendar) {
    EXPECT_EQ(read("days since 1582-10-04", "standard", 1.0), "1582-10-15T00:00:00Z");
    EXPECT_EQ(read("days since 1582-10-04", "proleptic_gregorian", 1.0), "1582-10-05T00:00:00Z");
    EXPECT_EQ(read("hours since 1-1-1 00:00:0.0", "standard", 17522904.0), "2000-01-01T00:00:00Z");
}

// CF-1.11, section 4.4: "seconds since 1992-10-8 15:15:42.5 -6:00" is 21:15:42.5 UTC.
TEST(SeaForcingTime, AnOffsetFromUtcMayHaveOneDigit) {
    EXPECT_EQ(read("seconds since 1992-10-8 15:15:42.5 -6:00", "", 0.5), "1992-10-08T21:15:43Z");
}

// datenum('1970-01-01') is 719529, datenum('2020-05-31') 737942.
TEST(SeaForcingTime, DatenumCountsMatlabsDays) {
    EXPECT_EQ(read("datenum", "", 719529.0), "1970-01-01T00:00:00Z");
    EXPECT_EQ(read("datenum", "", 737942.25), "2020-05-31T06:00:00Z");
}

TEST(SeaForcingTime, DatesBeforeYearOneAreKnownInTheProlepticCalendarAlone) {
    EXPECT_TRUE(CfTime("f", "t", "days since 0000-01-01", "").before_year_one());
    EXPECT_TRUE(CfTime("f", "t", "days since -4712-01-01", "gregorian").before_year_one());
    EXPECT_FALSE(CfTime("f", "t", "days since 0001-01-01", "").before_year_one());
    EXPECT_FALSE(CfTime("f", "t", "days since 0000-01-01", "proleptic_gregorian").before_year_one());
    EXPECT_FALSE(CfTime("f", "t", "datenum", "").before_year_one());
}

TEST(SeaForcingTime, DatesThatNoCalendarHasAreRefused) {
    for (const char* units :
         {"days since 2023-02-29", "days since 2024-04-31", "days since 1900-02-29", "days since 1582-10-10",
          "days since 2000-01-01 24:00", "days since 2000-01-01 10:60"})
        EXPECT_TRUE(says(refusal_of([&] { CfTime("f.nc", "t", units, ""); }), {"t:units", units}));
    EXPECT_EQ(read("days since 1500-02-29", "standard", 1.0), "1500-03-11T00:00:00Z");  // Julian
}

TEST(SeaForcingTime, APlaceInTheYearCountsFromJanuary) {
    const CfTime time("f.nc", "TIME", "hour since 0000-01-01 00:00:00", "");  // Ferret's climatologies
    EXPECT_DOUBLE_EQ(time.milliseconds_into_year(366.0), 366.0 * 3600e3);
    const CfTime later("f.nc", "TIME", "days since 2001-02-01", "");
    EXPECT_DOUBLE_EQ(later.milliseconds_into_year(1.0), 32.0 * 86400e3);
}

TEST(SeaForcingTime, OtherUnitsAndCalendarsAreRefused) {
    for (const char* units :
         {"months since 2000-01-01", "days", "day as %Y%m%d.%f", "days since 2000-13-01", ""})
        EXPECT_TRUE(
            says(refusal_of([&] { CfTime("f.nc", "MT", units, ""); }), {"f.nc", "MT:units", units, "since"}));
    for (const char* calendar : {"noleap", "360_day", "julian"})
        EXPECT_TRUE(says(refusal_of([&] { CfTime("f.nc", "MT", "days since 2000-01-01", calendar); }),
                         {"f.nc", "MT:calendar", calendar, "standard"}));
}

TEST(SeaForcingTime, AUnitOfManyThousandCharactersIsRefused) {
    const std::string units = "hours since 2024-01-01 00:00:00." + std::string(50'000, '1');
    EXPECT_TRUE(
        says(refusal_of([&] { CfTime("f.nc", "time", units, ""); }), {"f.nc", "time:units", "since"}));
}

TEST(SeaForcingTime, NumbersThatNoDateCanBeAreNoTimes) {
    const CfTime time("f.nc", "time", "hours since 2024-01-01", "");
    for (const double value : {0.0, -1e6, 1e8}) EXPECT_TRUE(time.holds(value)) << value;
    for (const double value : {1e300, -1e300, 1e9, HUGE_VAL, std::nan("")})
        EXPECT_FALSE(time.holds(value)) << value;
}

}  // namespace
}  // namespace groundswell::gridded
