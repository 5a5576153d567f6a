// The speed of the intervals between samples, and when it fell.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "groundswell/simulation/report/profile_report.hpp"

namespace groundswell::simulation {
namespace {

using Samples = std::vector<std::pair<double, double>>;

/// Ten intervals of 60 s simulated; each takes so many seconds.
Samples intervals(const std::vector<double>& seconds) {
    Samples samples;
    for (const double one : seconds)
        samples.emplace_back(60.0 * (static_cast<double>(samples.size()) + 1.0),
                             one + (samples.empty() ? 0.0 : samples.back().second));
    return samples;
}

TEST(Speed, ASteadyRunNeverFell) {
    const nlohmann::json speed = speed_json(intervals(std::vector<double>(10, 2.0)), 5.0);
    EXPECT_EQ(speed["intervals"], 10);
    for (const char* key : {"min", "median", "max"})
        EXPECT_DOUBLE_EQ(speed[key].get<double>(), 5.0 * 60.0 / 2.0);
    EXPECT_FALSE(speed.contains("fell"));
}

TEST(Speed, TheLongestSlowStretchIsNamed) {
    // Slow: the second interval, and the fifth to the seventh.
    const nlohmann::json speed = speed_json(intervals({2, 4, 2, 2, 3, 4, 5, 2, 2, 2}), 5.0);
    EXPECT_DOUBLE_EQ(speed["min"].get<double>(), 60.0);
    EXPECT_DOUBLE_EQ(speed["median"].get<double>(), 150.0);
    EXPECT_DOUBLE_EQ(speed["fell"]["from"].get<double>(), 240.0);
    EXPECT_DOUBLE_EQ(speed["fell"]["to"].get<double>(), 420.0);
    EXPECT_DOUBLE_EQ(speed["fell"]["mean"].get<double>(), 5.0 * 180.0 / 12.0);
}

TEST(Speed, AHiccupIsNoFall) {
    EXPECT_FALSE(speed_json(intervals({2, 4, 2, 2, 3, 2, 2, 2, 2, 2}), 5.0).contains("fell"));
}

TEST(Speed, ARunWithoutSamplesHasNone) {
    EXPECT_TRUE(speed_json({}, 1.0).is_null());
}

}  // namespace
}  // namespace groundswell::simulation
