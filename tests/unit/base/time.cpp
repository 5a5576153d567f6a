#include "groundswell/base/time.hpp"

#include <gtest/gtest.h>

namespace groundswell::base {
namespace {

// The Unix epoch, a leap day and the day before a non-leap century's 1 March are known day counts.
TEST(Time, CivilDaysMatchKnownDates) {
    EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
    EXPECT_EQ(days_from_civil(2000, 3, 1) - days_from_civil(2000, 2, 28), 2);
    EXPECT_EQ(days_from_civil(1900, 3, 1) - days_from_civil(1900, 2, 28), 1);
    EXPECT_EQ(days_from_civil(2024, 9, 3), 19969);
}

TEST(Time, InstantsSurviveFormattingAndParsing) {
    for (std::int64_t us = -4'000'000'000'000'000; us < 4'000'000'000'000'000; us += 86'399'123'456'789) {
        const auto parsed = parse_instant(format_instant({us}));
        ASSERT_TRUE(parsed.has_value());
        EXPECT_EQ(parsed->microseconds, us);
    }
}

TEST(Time, ZonesShiftToUtc) {
    EXPECT_EQ(*parse_instant("2024-09-03T08:00:00+08:00"), *parse_instant("2024-09-03T00:00Z"));
    EXPECT_EQ(*parse_instant("2024-09-03"), *parse_instant("2024-09-03 00:00:00"));
}

TEST(Time, ImpossibleDatesAreNotRead) {
    for (const char* text : {"2023-02-29", "2024-13-01", "2024-09-03T24:00:00Z", "2024-9-3", "tomorrow",
                             "2024-09-03T00:00:00Zulu"})
        EXPECT_FALSE(parse_instant(text).has_value()) << text;
}

TEST(Time, DurationsCarryTheirUnit) {
    EXPECT_EQ(*parse_duration("90s"), seconds(90));
    EXPECT_EQ(*parse_duration("1.5 h"), seconds(5'400));
    EXPECT_EQ(*parse_duration("2d"), seconds(172'800));
    EXPECT_EQ(*parse_duration("0.5ms"), *parse_duration("500 us"));
    EXPECT_EQ(format_duration({500}), "500us");
    EXPECT_EQ(format_duration(milliseconds(1'500)), "1500ms");
    EXPECT_EQ(format_duration(*parse_duration("5400s")), "90min");
    for (const char* text : {"", "h", "5", "5 hours", "5m", "nan s"})
        EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Time, CompactFormIsForFileNames) {
    EXPECT_EQ(format_instant_compact(*parse_instant("2024-09-03T06:30:00Z")), "20240903T063000");
    EXPECT_EQ(format_instant_compact(*parse_instant("2024-09-03T06:30:00.0005Z")), "20240903T063000.000500");
    EXPECT_EQ(format_elapsed(Instant{} + milliseconds(12'500)), "12.500000s");
}

}  // namespace
}  // namespace groundswell::base
