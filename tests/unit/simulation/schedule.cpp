#include "groundswell/sea/time_plan.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {
namespace {

Case make_case(double hours, std::vector<const char*> every) {
    Case run;
    run.file = "case.toml";
    run.courant = 0.9;
    run.time.start = {0};
    run.time.end = {static_cast<std::int64_t>(hours * 3600e3)};
    for (const char* text : every) run.output.maps.push_back({"a.nc", *base::parse_duration(text), {}});
    return run;
}

TEST(TimePlan, StepsAreStableAndFallOnEveryOutput) {
    for (double longest : {7.0, 59.9, 61.0, 313.0, 5000.0, std::numeric_limits<double>::infinity()}) {
        const Case run = make_case(30.0, {"1h", "45min", "6h"});
        const TimePlan plan = make_time_plan(run, longest);
        EXPECT_LE(plan.step_seconds(), 0.9 * longest);
        EXPECT_LE(plan.source_step_seconds(), 300.0);
        EXPECT_NEAR(plan.seconds_at(plan.total_steps), 30 * 3600.0, 1e-6);
        for (const MapSection& map : run.output.maps) {
            int due = 0;
            for (std::int64_t step = 0; step <= plan.total_steps; ++step) due += plan.is_due(map.every, step);
            EXPECT_EQ(due, static_cast<int>(30 * 3600e3 / map.every.milliseconds) + 1);
        }
    }
}

TEST(TimePlan, AGivenStepIsTakenOrRefused) {
    Case run = make_case(2.0, {"1h"});
    run.time.step = base::Duration{90'000};
    const TimePlan plan = make_time_plan(run, 100.0);
    EXPECT_DOUBLE_EQ(plan.step_seconds(), 90.0);
    EXPECT_EQ(plan.total_steps, 80);
    EXPECT_LE(plan.source_step_seconds(), 300.0);
    EXPECT_THROW(make_time_plan(run, 80.0), base::Refusal);
    run.time.step = base::Duration{91'000};
    EXPECT_THROW(make_time_plan(run, 100.0), base::Refusal);
}

TEST(TimePlan, TimesOfUnevenStepsNeverDrift) {
    const Case run = make_case(7.0 * 24.0, {"1h"});
    const TimePlan plan = make_time_plan(run, 47.0);
    EXPECT_EQ(plan.instant_at(plan.total_steps), run.time.end);
    EXPECT_EQ(plan.instant_at(0), run.time.start);
}

// In milliseconds, these products of steps and intervals go beyond 32 and 64 bits.
TEST(TimePlan, LongRunsOfShortStepsTakeTheStepsThatWereAskedFor) {
    constexpr double year = 365.25 * 24.0;
    const struct {
        double hours;
        std::int64_t step;  // ms
        std::vector<const char*> every;
    } runs[] = {
        {100.0 * year, 1000, {}},          {4294967296.0 / 3600.0, 1000, {}}, {60.0 * 24.0, 1, {}},
        {60.0 * 24.0, 1, {"1s", "90min"}}, {200.0 * year, 1, {"1d"}},         {200.0 * year, 1, {}},
    };
    for (const auto& [hours, step, every] : runs) {
        Case run = make_case(hours, every);
        run.time.step = base::Duration{step};
        for (const bool sources_too : {false, true}) {
            if (sources_too) run.time.source_step = run.time.step;
            const TimePlan plan = make_time_plan(run, 1000.0);
            const std::int64_t length = run.time.end.milliseconds;
            EXPECT_EQ(plan.total_steps, length / step);
            EXPECT_DOUBLE_EQ(plan.step_seconds(), 1e-3 * static_cast<double>(step));
            EXPECT_GT(plan.source_step_seconds(), 0.0);
            EXPECT_LE(plan.source_step_seconds(), 300.0);
            EXPECT_EQ(plan.instant_at(plan.total_steps - 1).milliseconds, length - step);
            for (const char* text : every) {
                const base::Duration due = *base::parse_duration(text);
                EXPECT_TRUE(plan.is_due(due, plan.total_steps)) << text;
                EXPECT_FALSE(plan.is_due(due, plan.total_steps - 1)) << text;
                EXPECT_TRUE(plan.is_due(due, due.milliseconds / step)) << text;
            }
            EXPECT_FALSE(plan.is_due(base::Duration{std::int64_t{1} << 40}, plan.total_steps));
            EXPECT_EQ(continue_time_plan(run, plan, 1000.0).total_steps, plan.total_steps);
        }
    }
}

// A number of steps without a divisor near the one wanted; not found by trying all up to it.
TEST(TimePlan, SourceStepsAreFoundForAPrimeNumberOfSteps) {
    Case run = make_case(0.0, {});
    run.time.end = {99'999'999'977};  // a prime number of milliseconds, over three years
    run.time.step = base::Duration{1};
    const TimePlan plan = make_time_plan(run, 1.0);
    EXPECT_EQ(plan.source_steps, plan.total_steps);
    EXPECT_EQ(plan.steps_per_source_step, 1);
}

TEST(TimePlan, AStepThatNothingSensibleAsksForIsRefused) {
    const Case run = make_case(1.0, {"1h"});
    for (const double longest : {1e-5, 1e-300, 0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(make_time_plan(run, longest), base::Refusal) << longest;
    EXPECT_THROW(make_time_plan(make_case(200.0 * 365.0 * 24.0, {"1ms"}), 100.0), base::Refusal);
}

TEST(TimePlan, ARestartKeepsTheStepsUnderAnotherEnd) {
    const TimePlan before = make_time_plan(make_case(30.0, {"1h"}), 47.0);
    const TimePlan after = continue_time_plan(make_case(48.0, {"3h"}), before, 47.0);
    EXPECT_EQ(after.step_seconds(), before.step_seconds());
    EXPECT_NEAR(after.seconds_at(after.total_steps), 48 * 3600.0, 1e-6);
    EXPECT_THROW(continue_time_plan(make_case(48.0, {"7s"}), before, 47.0), base::Refusal);
}

TEST(TimePlan, ARestartTakesNoOtherOrUnstableSteps) {
    Case run = make_case(2.0, {"1h"});
    run.time.step = base::Duration{60'000};
    run.time.source_step = base::Duration{180'000};
    const TimePlan before = make_time_plan(run, 100.0);
    EXPECT_EQ(continue_time_plan(run, before, 100.0).total_steps, 120);
    EXPECT_THROW(continue_time_plan(run, before, 59.0), base::Refusal);
    run.time.step = base::Duration{30'000};
    EXPECT_THROW(continue_time_plan(run, before, 100.0), base::Refusal);
    run.time.step.reset();
    run.time.source_step = base::Duration{60'000};
    EXPECT_THROW(continue_time_plan(run, before, 100.0), base::Refusal);
    run.time.source_step.reset();
    // Whole propagation steps, but not whole source steps.
    run.output.maps.front().every = base::Duration{60'000};
    EXPECT_THROW(continue_time_plan(run, before, 100.0), base::Refusal);
}

}  // namespace
}  // namespace groundswell::sea
