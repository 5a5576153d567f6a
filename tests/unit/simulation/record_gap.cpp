#include "groundswell/simulation/streams/record_gap.hpp"

#include <gtest/gtest.h>

namespace {

using namespace groundswell;
using namespace groundswell::simulation;

constexpr base::Duration hour = base::seconds(3600);

base::Instant at(std::int64_t hours) {
    return {hours * hour.microseconds};
}

/// Ten hours from hour 0 of 1970, in steps of an hour.
Schedule schedule() {
    Schedule schedule;
    schedule.start = at(0);
    schedule.end = at(10);
    schedule.interval = hour;
    schedule.total_steps = 10;
    return schedule;
}

/// Of a file with records at these hours.
std::optional<RecordGap> gap_of(std::vector<double> hours, std::int64_t every, std::int64_t restart) {
    for (double& each : hours) each *= 3600.0;
    return find_record_gap(hours, schedule(), {every * hour.microseconds}, at(restart));
}

TEST(RecordGap, IsNoneWhereTheRecordsGoOnOneAfterTheOther) {
    EXPECT_FALSE(gap_of({0, 1, 2, 3}, 1, 3));
    EXPECT_FALSE(gap_of({0}, 6, 3));
    EXPECT_FALSE(gap_of({0, 5, 10}, 5, 10));
}

TEST(RecordGap, IsNamedByTheRecordsBesideIt) {
    const auto gap = gap_of({0, 1, 2}, 1, 3);
    ASSERT_TRUE(gap);
    EXPECT_EQ(gap->last, at(2));
    EXPECT_EQ(gap->first, at(4));
}

TEST(RecordGap, IsAllWhereTheFileHasNoRecord) {
    const auto gap = gap_of({}, 2, 3);
    ASSERT_TRUE(gap);
    EXPECT_FALSE(gap->last);
    EXPECT_EQ(gap->first, at(4));
}

TEST(RecordGap, LastsToTheEndWhereNothingElseIsDue) {
    const auto gap = gap_of({0, 1}, 1, 10);
    ASSERT_TRUE(gap);
    EXPECT_EQ(gap->last, at(1));
    EXPECT_FALSE(gap->first);
}

TEST(RecordGap, IsNoneWhereTheIntervalWasChanged) {
    EXPECT_FALSE(gap_of({0, 3, 6}, 1, 8));  // was 3 h: the last one was due at hour 6
    EXPECT_FALSE(gap_of({0, 1, 2, 3, 4}, 3, 4));
    EXPECT_TRUE(gap_of({0, 3}, 1, 8));
}

TEST(RecordGap, IsFoundBesideAnEarlierOne) {
    EXPECT_TRUE(gap_of({0, 1, 6}, 1, 8));
}

}  // namespace
