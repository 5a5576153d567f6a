#include "groundswell/gridded/time_steps.hpp"

#include <gtest/gtest.h>

namespace groundswell::gridded {

namespace {

// Files given by their times; where two overlap the later one holds.
struct Series {
    std::vector<TimeOfSource> all;
    std::vector<std::vector<double>> own;
    explicit Series(const std::vector<std::vector<double>>& files) : own(files) {
        for (std::size_t source = 0; source < files.size(); ++source) {
            while (!all.empty() && all.back().milliseconds >= files[source].front()) all.pop_back();
            for (std::size_t step = 0; step < files[source].size(); ++step)
                all.push_back({source, step, files[source][step]});
        }
    }
    // The time before the first gap; -1: none.
    double gap(double longest = 0.0) const {
        const auto found = find_gap(all, own, 0, all.size(), longest);
        return found ? all[found->record].milliseconds : -1.0;
    }
};

std::vector<double> times(double first, std::initializer_list<std::pair<int, double>> stretches) {
    std::vector<double> result = {first};
    for (const auto& [count, step] : stretches)
        for (int i = 0; i < count; ++i) result.push_back(result.back() + step);
    return result;
}

TEST(SeaForcingSteps, AStepThatGrowsOrShrinksAndStaysIsNoGap) {
    EXPECT_EQ(Series({times(0, {{120, 1}, {40, 3}})}).gap(), -1.0);          // GFS
    EXPECT_EQ(Series({times(0, {{48, 3}, {16, 6}})}).gap(), -1.0);           // ECMWF
    EXPECT_EQ(Series({times(0, {{90, 1}, {18, 3}, {16, 6}})}).gap(), -1.0);  // both
    EXPECT_EQ(Series({times(0, {{10, 6}, {20, 1}})}).gap(), -1.0);           // analyses, then a forecast
}

TEST(SeaForcingSteps, ATimeThatIsMissingIsAGap) {
    EXPECT_EQ(Series({{0, 6, 18, 24, 30}}).gap(), 6.0);
    EXPECT_EQ(Series({{0, 1, 2, 3, 5, 7, 8, 9}}).gap(), 3.0);                // two, one after the other
    EXPECT_EQ(Series({times(0, {{20, 1}, {1, 3}})}).gap(), 20.0);            // at the end nothing stays
    EXPECT_EQ(Series({{0, 1, 2, 3, 6, 9, 15, 18}}).gap(), 9.0);              // in the part that has grown
    EXPECT_EQ(Series({{0}, {1}, {2}, {4}, {5}, {6}}).gap(), 2.0);            // a file for each time
    EXPECT_EQ(Series({times(0, {{5, 1}}), times(9, {{5, 1}})}).gap(), 5.0);  // a file is missing
}

// Each forecast goes on with longer steps behind the next one's beginning, or ends before it does.
TEST(SeaForcingSteps, AFileIsHeldAgainstItsOwnSteps) {
    const auto forecast = [](double start) { return times(start, {{24, 1}, {8, 3}}); };
    EXPECT_EQ(Series({forecast(0), forecast(36), forecast(72)}).gap(), -1.0);
    EXPECT_EQ(Series({forecast(0), forecast(12), forecast(24)}).gap(), -1.0);
    EXPECT_EQ(Series({forecast(0), forecast(50)}).gap(), -1.0);  // from hour 48 by 2, where 3 are usual
    EXPECT_EQ(Series({forecast(0), forecast(60)}).gap(), 48.0);
}

TEST(SeaForcingSteps, AStatedLongestStepIsTheOnlyRule) {
    EXPECT_EQ(Series({{0, 1, 2, 5, 6}}).gap(3.0), -1.0);
    EXPECT_EQ(Series({times(0, {{20, 1}, {20, 3}})}).gap(2.0), 20.0);
}

TEST(SeaForcingSteps, WhatThePeriodDoesNotNeedDoesNoHarm) {
    const Series series({{0, 6, 12, 18, 24, 48, 54}});
    EXPECT_FALSE(find_gap(series.all, series.own, 0, 5, 0.0));
    EXPECT_TRUE(find_gap(series.all, series.own, 0, 6, 0.0));
}

}  // namespace
}  // namespace groundswell::gridded
