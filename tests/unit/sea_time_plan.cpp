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
